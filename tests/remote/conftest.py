"""One Hadoop for all tests that ask one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.remote import hadoop


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hadoop.Hadoop]:
    with hadoop.hadoop(tmp_path_factory.mktemp("hadoop")) as found:
        yield found
