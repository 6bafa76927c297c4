"""Runs to report on, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.runs import EIGHT, hostile_run, tutorial_run


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on the tutorial set."""
    return tutorial_run(tmp_path_factory.mktemp("report") / "small")


@pytest.fixture(scope="session")
def large_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of eight systems."""
    return tutorial_run(tmp_path_factory.mktemp("report") / "large", EIGHT)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of a run whose every text is markup, and its folder of data sets."""
    return hostile_run(tmp_path_factory.mktemp("hostile"))
