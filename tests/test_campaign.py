"""A part of the campaign of damaged input: ``python -m tests.campaign`` is the whole."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from lexsub.errors import FormatError
from tests.campaign.engine import KINDS, OUTCOMES, Subject, damage, read_apart, try_subject

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits its processes")


@pytest.mark.parametrize(("room", "inputs"), [("models", 220), ("readers", 150)])
def test_no_damaged_input_is_answered_badly(room: str, inputs: int) -> None:
    # In a process of its own: this one may have threads.
    done = subprocess.run(
        [sys.executable, "-m", "tests.campaign", "--room", room, "--inputs", str(inputs)],
        cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{inputs} inputs, 0 faults" in done.stderr


def _answer(folder: Path) -> object:
    text = (folder / "x").read_bytes()
    if text == b"whole":
        return "right"
    raise FormatError("x", None, "is damaged")


def _fault(kind: str) -> Subject:
    """A reader that answers damage badly."""

    def ask(folder: Path) -> object:
        import os

        try:
            return _answer(folder)
        except (FormatError, OSError):
            if kind == "trace":
                raise KeyError("x") from None
            if kind == "crash":
                os.kill(os.getpid(), 9)
            if kind == "hang":
                while True:
                    pass
            if kind == "memory":
                return len(bytearray(1 << 31))
            if kind == "left files":
                (folder / "more").write_text("x")
                raise FormatError("x", None, "is damaged") from None
            return "wrong"

    return Subject(kind, lambda folder: (folder / "x").write_text("whole"), ask)


@pytest.mark.parametrize("kind", OUTCOMES[2:])
def test_every_bad_answer_is_noticed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.campaign.engine.SECONDS", 1)
    result = try_subject(_fault(kind), 3, 1, tmp_path)
    # Damage may come to nothing: what is exchanged with itself.
    assert result.counts.keys() <= {kind, "same answer"}
    assert result.counts[kind] == len(result.faults) > 0


def test_the_same_seed_damages_the_same(tmp_path: Path) -> None:
    whole = {"a": b"x" * 50, "b": b'{"words": 12}', "c": b""}
    seen = set()
    for number in range(200):
        results = []
        for _ in range(2):
            for name, data in whole.items():
                (tmp_path / name).write_bytes(data)
            name, kind = damage(tmp_path, whole, random.Random(number))
            path = tmp_path / name
            results.append((name, kind, path.read_bytes() if path.exists() else None))
        assert results[0] == results[1]
        seen.add((name, kind))
    assert len(seen) > 15
    assert {kind for _, kind in seen} == {*(kind.__name__ for kind in KINDS), "remove"}


def test_an_honest_reader_has_no_faults(tmp_path: Path) -> None:
    def ask(folder: Path) -> object:
        try:
            return _answer(folder)
        except OSError:
            raise FormatError("x", None, "is missing") from None

    assert read_apart(ask, tmp_path)[0] == "error"
    honest = Subject("honest", lambda folder: (folder / "x").write_text("whole"), ask)
    assert try_subject(honest, 5, 1, tmp_path).faults == []
