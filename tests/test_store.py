"""The store of finished stages: reuse, force, kills, races, a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lexsub.errors import FileProblemError, LexsubError
from lexsub.experiments.pipeline.store import Store
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import write_text
from tests.conftest import ROOT


def writer(text: str, calls: list[str]):
    def make(folder: Path) -> None:
        calls.append(text)
        write_text(folder / "out.txt", text)

    return make


def test_finished_stage_is_reused_and_key_covers_ingredients(tmp_path: Path) -> None:
    calls: list[str] = []
    first = Store(tmp_path).stage("s", {"n": 1}, writer("a", calls))
    again = Store(tmp_path).stage("s", {"n": 1}, writer("a", calls))
    other = Store(tmp_path).stage("s", {"n": 2}, writer("b", calls))
    assert calls == ["a", "b"]
    assert (first.reused, again.reused, other.reused) == (False, True, False)
    assert first.folder == again.folder != other.folder
    assert (again.folder / "out.txt").read_text() == "a"


def test_force_recomputes_each_stage_once(tmp_path: Path) -> None:
    calls: list[str] = []
    Store(tmp_path).stage("s", {}, writer("old", calls))
    store = Store(tmp_path, force=True)
    store.stage("s", {}, writer("new", calls))
    stage = store.stage("s", {}, writer("never", calls))
    assert calls == ["old", "new"]
    assert (stage.folder / "out.txt").read_text() == "new"


def test_failed_stage_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        write_text(folder / "half", "…")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        Store(tmp_path).stage("s", {}, fail)
    assert list((tmp_path / "stages" / "s").iterdir()) == []


def test_killed_stage_is_swept_and_redone(tmp_path: Path) -> None:
    code = textwrap.dedent(
        """
        import os, signal, sys
        from pathlib import Path
        from lexsub.experiments.pipeline.store import Store
        def make(folder):
            (folder / "half").write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
        Store(Path(sys.argv[1])).stage("s", {}, make)
        """
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    folder = tmp_path / "stages" / "s"
    assert [path.suffix for path in folder.iterdir()] == [".part"]
    calls: list[str] = []
    stage = Store(tmp_path).stage("s", {}, writer("whole", calls))
    assert [path.name for path in folder.iterdir()] == [stage.key]
    assert calls == ["whole"]


def test_a_live_process_keeps_its_draft(tmp_path: Path) -> None:
    calls: list[str] = []

    def make(folder: Path) -> None:
        # Another process (here: the same one) sweeps while this stage is under way.
        Store(tmp_path).stage("s", {"other": True}, writer("other", calls))
        write_text(folder / "out.txt", "mine")

    stage = Store(tmp_path).stage("s", {}, make)
    assert (stage.folder / "out.txt").read_text() == "mine"


def test_two_processes_may_finish_the_same_stage(tmp_path: Path) -> None:
    def make(folder: Path) -> None:
        write_text(folder / "out.txt", "same")
        Store(tmp_path).stage("s", {}, writer("same", []))

    stage = Store(tmp_path).stage("s", {}, make)
    assert (stage.folder / "out.txt").read_text() == "same"
    assert len(list(stage.folder.parent.iterdir())) == 1


def test_digest_follows_content(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    big = tmp_path / "big"
    big.write_bytes(b"x" * (2 << 20))
    first = store.digest(big)
    assert store.digest(big) == first
    big.write_bytes(b"y" * (2 << 20))
    os.utime(big, ns=(1, 1))
    assert store.digest(big) != first
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_text("1")
    before = store.digest(folder)
    (folder / "b").write_text("2")
    assert store.digest(folder) != before
    with pytest.raises(FileProblemError, match="no such file"):
        store.digest(tmp_path / "absent")


def test_unwritable_cache_is_one_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(FileProblemError, match="cannot be written: not a directory"):
        Store(blocked).stage("s", {}, writer("a", []))


@pytest.mark.parametrize(
    ("file", "content"),
    [("out.txt", "who"), ("out.txt", None), ("stage.json", '{"stage'), ("stage.json", "3"),
     ("extra.txt", "x")],
)  # fmt: skip
def test_damaged_stage_is_made_again(tmp_path: Path, file: str, content: str | None) -> None:
    calls: list[str] = []
    stage = Store(tmp_path).stage("s", {}, writer("whole", calls))
    if content is None:
        (stage.folder / file).unlink()
    else:
        (stage.folder / file).write_text(content)
    again = Store(tmp_path).stage("s", {}, writer("whole", calls))
    assert calls == ["whole", "whole"]
    assert not again.reused
    assert sorted(path.name for path in again.folder.iterdir()) == ["out.txt", "stage.json"]
    assert (again.folder / "out.txt").read_text() == "whole"


def test_a_note_that_says_the_same_otherwise_is_damaged(tmp_path: Path) -> None:
    calls: list[str] = []
    stage = Store(tmp_path).stage("s", {}, writer("figure 29.33\n", calls))
    note = stage.folder / "stage.json"
    text = note.read_text()
    note.write_text(text.replace('"stage": "s"', '"stage":  "s"'))
    assert json.loads(note.read_text()) == json.loads(text)
    assert not Store(tmp_path).stage("s", {}, writer("figure 29.33\n", calls)).reused


def test_every_byte_of_a_kept_stage_is_guarded(tmp_path: Path) -> None:
    """Whichever byte is flipped, sizes and times kept, the stage is made again and told of."""
    calls: list[str] = []
    stage = Store(tmp_path).stage("s", {"n": [1, 2.5]}, writer("figure 29.33\n", calls))
    for name in ("out.txt", "stage.json"):
        path = stage.folder / name
        whole = path.read_bytes()
        # What is made again may be shorter: the notes say how long it took.
        for place in range(len(whole) - 1):
            if place >= len(whole) - 1:
                break
            status = path.stat()
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            made = len(calls)
            again = Store(tmp_path).stage("s", {"n": [1, 2.5]}, writer("figure 29.33\n", calls))
            assert (len(calls), again.reused) == (made + 1, False), (name, place)
            assert (stage.folder / "out.txt").read_text() == "figure 29.33\n"
            whole = path.read_bytes()


def test_a_large_file_of_the_same_size_and_time_is_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def make(folder: Path) -> None:
        (folder / "model").write_bytes(b"x" * (3 << 20))

    stage = Store(tmp_path).stage("s", {}, make)
    path = stage.folder / "model"
    os.utime(path, ns=(1, 1))
    assert Store(tmp_path).stage("s", {}, make).reused
    with path.open("r+b") as file:
        file.seek(2 << 20)
        file.write(b"y")
    os.utime(path, ns=(1, 1))
    assert not Store(tmp_path).stage("s", {}, make).reused
    (record,) = caplog.records
    assert "model is not as it was written: the stage is made again" in record.getMessage()
    assert path.read_bytes() == b"x" * (3 << 20)


def test_an_input_that_changes_while_it_is_read_keeps_nothing(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("old")
    store = Store(tmp_path / "cache")
    inputs = {words: store.digest(words)}

    def make(folder: Path) -> None:
        write_text(folder / "out.txt", words.read_text())
        words.write_text("new")

    with pytest.raises(LexsubError, match="words: was changed while it was read"):
        store.stage("s", {"inputs": list(inputs.values())}, make, inputs)
    assert list((tmp_path / "cache" / "stages" / "s").iterdir()) == []
    assert store.digest(words) != inputs[words]


def test_a_stage_is_checked_once_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path).stage("s", {}, writer("a", []))
    read: list[Path] = []

    def counted(path: Path, notes: Path | None = None) -> str:
        read.append(path)
        return known_sha256(path, notes)

    monkeypatch.setattr("lexsub.experiments.pipeline.store.known_sha256", counted)
    store = Store(tmp_path)
    for _ in range(3):
        assert store.stage("s", {}, writer("b", [])).reused
        assert store.has("s", {})
    assert [path.name for path in read] == ["out.txt"]
