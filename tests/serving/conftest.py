"""A server to ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serving.servers import Server, served


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """``lexsub serve`` with what needs no model, on a port of its own."""
    with served("--config", "suggest") as found:
        yield found
