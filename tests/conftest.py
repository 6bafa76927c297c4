"""Shared fixtures: where the development data sets are, and a cache of the tests' own."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lexsub.storage.user_folders import user_cache
from tests.browsers import browser, photograph

# One browser for all: Playwright cannot be started twice in a process.
__all__ = ["browser", "photograph"]

ROOT = Path(__file__).resolve().parent.parent

PATIENCE = 900
"""Seconds after which what should end or answer counts as hanging, however busy the machine."""

# Property tests must not fail because a shared machine was slow for a moment.
settings.register_profile(
    "lexsub", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lexsub")


def pytest_configure() -> None:
    """Keep the tests off the user's own cache, the command's subprocesses included."""
    os.environ.setdefault("LEXSUB_CACHE", str(ROOT / ".pytest_cache" / "lexsub"))
    # A loop takes seconds to compile: once for all tests, whatever cache they want of their own.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(user_cache() / "compiled"))
    # No test cuts the power: what is written need not have reached the disk, tens of thousands of
    # times.
    os.fsync = lambda file: None
    # Golds and rankings are objects by the hundred thousand, and hardly ever garbage in a cycle.
    gc.set_threshold(20_000, 20, 20)
    if "PYTEST_XDIST_WORKER" in os.environ:
        # One a processor already; further threads would wait for one another, busily.
        os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_collection_finish() -> None:
    """Let the garbage collector look no more through what thousands of tests are made of."""
    gc.collect()
    gc.freeze()


def _folder(path: Path) -> Path:
    if path.is_dir():
        return path
    message = f"development data missing: {path} (set LEXSUB_DATA to the folder of data sets)"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of development data sets (LEXSUB_DATA, or ../shared/data beside the checkout)."""
    given = os.environ.get("LEXSUB_DATA")
    return _folder(Path(given) if given else ROOT.parent / "shared" / "data")


@pytest.fixture(scope="session")
def corpus_dir(data_dir: Path) -> Path:
    """The folder of development corpora, beside the data sets."""
    return _folder(data_dir.parent / "corpus")


@pytest.fixture(scope="session")
def cases_dir(data_dir: Path) -> Path:
    """The folder of the official scorer's recorded answers, beside the data sets."""
    return _folder(data_dir.parent / "cases")


def hear_signals() -> None:
    """Let a child process hear signals that whoever runs the tests has had ignored (nohup)."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was skipped for want of data."""
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "development data missing" in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.write_line(
            f"NOT TESTED: {len(skipped)} tests need the development data sets; "
            "set LEXSUB_DATA to run them",
            red=True,
            bold=True,
        )
    reasons = {
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    }
    for reason in sorted(reason for reason in reasons if reason.startswith("NOT TESTED: ")):
        terminalreporter.write_line(reason, red=True, bold=True)
