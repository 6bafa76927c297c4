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


DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


@contextmanager
def opened(
    browser: Any, address: str, *own: str, viewport: dict[str, int] = DESKTOP, scheme: str = "light"
) -> Iterator[Any]:
    """A page that must not complain, and must ask for nothing but what begins like ``own``.

    It is the same empty one for all tests that succeed: to make another takes half a second.
    """
    context = browser.contexts[0] if browser.contexts else browser.new_context()
    page = context.pages[0] if context.pages else context.new_page()
    complaints: list[str] = []
    listeners: dict[str, Callable[[Any], None]] = {
        "console": lambda message: complaints.append(f"{message.type}: {message.text}"),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: complaints.append(request.url)
        if not request.url.startswith(own) else None,
    }  # fmt: skip
    done = False
    try:
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="reduce")
        page.mouse.move(0, 0)
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(address)
        yield page
        assert complaints == []
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        page.goto("about:blank")
        done = True
    finally:
        if not done:
            context.close()


@pytest.fixture(scope="session")
def photograph() -> Callable[..., None]:
    """What takes a picture of a page, for people to look at, where LEXSUB_SCREENSHOTS says."""
    given = os.environ.get("LEXSUB_SCREENSHOTS")

    def take(page: Any, name: str, **options: Any) -> None:
        if given:  # a long page is drawn for longer than all else takes
            page.screenshot(path=Path(given) / f"{name}.png", **options)

    return take
