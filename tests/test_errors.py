"""The errors a user can cause."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from lexsub.errors import (
    ConfigError,
    DownloadError,
    FileProblemError,
    FormatError,
    LexsubError,
    MissingExtraError,
    MissingResourceError,
    UnknownNameError,
)


@pytest.mark.parametrize(
    "error",
    [
        ConfigError("seed: found x", "name: missing"),
        DownloadError("http://x/y", "refused"),
        FileProblemError(Path("x"), "no such file"),
        FormatError(Path("x"), 3, "too short"),
        MissingExtraError("kenlm", "lm", "training"),
        MissingResourceError("nowhere"),
        UnknownNameError("ranker", "ordr", ["order"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_home_from_worker_processes(error: LexsubError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("40 requested and 12 written"), "40 requested and 12 written"),
        (OSError(), "OSError"),
        (OSError(28, "No space left on device"), "no space left on device"),
        (OSError("x" * 500_000), "…"),
    ],
)
def test_no_failure_is_called_success(error: OSError, said: str) -> None:
    """Libraries raise errors of the system's kind that have no number."""
    from lexsub.errors import os_problem

    problem = os_problem(error)
    assert said in problem
    assert "success" not in problem.lower()
    assert len(problem) < 1000


def test_long_names_make_no_long_messages(capsys: pytest.CaptureFixture[str]) -> None:
    from lexsub.cli import main

    for call in (
        ["score", "x" * 500_000, "y"],
        ["run", "x" * 500_000],
        ["score", f"--{'x' * 10_000}"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(call)
        assert stopped.value.code == 2
        assert max(map(len, capsys.readouterr().err.splitlines())) < 2500


@pytest.mark.parametrize(
    ("library", "told"),
    [("kenlm", "kenlm, which is not"), ("fastapi and uvicorn", "uvicorn, which are not")],
)
def test_one_library_is_and_two_are_not_installed(library: str, told: str) -> None:
    assert f"{told} installed: pip install" in str(MissingExtraError(library, "x", "this"))
