"""A browser to look at pages with, where there is one; fixtures that a conftest takes in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    """Return where Chromium is; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium(path: str) -> Iterator[Any]:
    """Start a headless Chromium.

    Raises:
        ImportError: playwright is not installed.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Chromium has no sandbox for root, as whom CI runs.
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        found = driver.chromium.launch(executable_path=path, args=arguments)
        yield found
        found.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; skips where there is none."""
    pytest.importorskip("playwright.sync_api", reason="NOT TESTED: playwright is missing")
    path = find_chromium()
    if path is None:
        pytest.skip("NOT TESTED: no Chromium to open pages in (apt-get install chromium)")
    with chromium(path) as found:
        yield found


@pytest.fixture(scope="session")
def photograph() -> Callable[..., None]:
    """What takes a picture of a page, for people to look at, where LEXSUB_SCREENSHOTS says."""
    given = os.environ.get("LEXSUB_SCREENSHOTS")

    def take(page: Any, name: str, **options: Any) -> None:
        if given:  # a long page is drawn for longer than all else takes
            page.screenshot(path=Path(given) / f"{name}.png", **options)

    return take
