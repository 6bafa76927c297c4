"""A server to ask, and a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browsers import browser, pictures
from tests.serving.servers import Server, served

__all__ = ["browser", "pictures", "server"]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """``lexsub serve`` with what needs no model, on a port of its own."""
    with served("--config", "suggest") as found:
        yield found
