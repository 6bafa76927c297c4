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
        ConfigError(["seed: found x", "name: missing"]),
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
