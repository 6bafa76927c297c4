"""Sealed folders: what was changed is noticed, and nothing is read twice."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from lexsub.errors import FileProblemError, FormatError
from lexsub.storage import digests
from lexsub.storage.digests import FILE, check_sealed, known_sha256, seal
from lexsub.storage.files import draft_prefix


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(digests, "_KNOWN", {})
    model = tmp_path / "model"
    (model / "n").mkdir(parents=True)
    (model / "header.json").write_text("{}")
    (model / "n" / "counts.npy").write_bytes(b"\1\2\3")
    (model / "empty").touch()
    seal(model)
    return model


def test_the_manifest_holds_the_digest_of_every_file(folder: Path) -> None:
    document = json.loads((folder / FILE).read_text())
    assert document["files"] == {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("empty", "header.json", "n/counts.npy")
    }
    check_sealed(folder, "again")


def test_what_a_killed_worker_has_left_half_written_goes(folder: Path) -> None:
    before = (folder / FILE).read_bytes()
    drafts = [draft_prefix(folder / name) for name in ("header.json", "n/counts.npy")]
    (folder / f"{drafts[0]}x1.part").write_text("{")
    (folder / "n" / f"{drafts[1]}x2.part").write_bytes(b"\1")
    seal(folder)
    assert (folder / FILE).read_bytes() == before
    assert not list(folder.rglob("*.part"))


def test_a_folder_of_an_earlier_version_is_taken_as_it_is(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / "header.json").write_text("x")
    check_sealed(folder, "again")


@pytest.mark.parametrize(
    ("name", "content"), [("n/counts.npy", b"\1\2\4"), ("header.json", b"{"), ("empty", b"x")]
)
def test_changes_are_noticed(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(FormatError, match=rf"{name}: is damaged .*: train it again$"):
        check_sealed(folder, "train it again")
    (folder / name).unlink()
    with pytest.raises(FormatError, match=rf"{name}: is missing"):
        check_sealed(folder, "train it again")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"format": "x", "version": 1, "files": {"a": ""}}', "[" * 10**5,
             '{"format": "lexsub-digests", "version": 1, "files": {}}',
             '{"format": "lexsub-digests", "version": 1, "files": ["a"]}',
             '{"format": "lexsub-digests", "version": 1, "files": {"empty": 1}}',
             '{"format": "lexsub-digests", "version": 2, "files": {"empty": ""}}'],
)  # fmt: skip
def test_a_damaged_manifest_is_one_clear_error(folder: Path, text: str) -> None:
    (folder / FILE).write_text(text)
    with pytest.raises(FormatError, match=rf"{FILE}: is no list of digests .*: train it again"):
        check_sealed(folder, "train it again")


def test_files_added_are_no_part_of_it_and_sealed_subfolders_stand_alone(folder: Path) -> None:
    table = folder / "tables" / "lin"
    table.mkdir(parents=True)
    (table / "ids.npy").write_bytes(b"1")
    check_sealed(folder, "again")
    seal(table)
    seal(folder)
    assert "tables/lin/ids.npy" not in json.loads((folder / FILE).read_text())["files"]
    (table / "ids.npy").write_bytes(b"2")
    check_sealed(folder, "again")
    with pytest.raises(FormatError, match="is damaged"):
        check_sealed(table, "again")


# --- what is read twice ----------------------------------------------------------------------


def settled(path: Path, byte: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a large file and let time pass."""
    path.write_bytes(byte * digests.LARGE)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 10)


def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    found: list[Path] = []

    def counted(path: Path) -> str:
        found.append(path)
        return hashlib.sha256(path.read_bytes()).hexdigest()

    monkeypatch.setattr(digests, "file_sha256", counted)
    return found


def test_a_large_file_is_read_once_also_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, found = tmp_path / "large", reads(monkeypatch)
    settled(path, b"a", monkeypatch)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for _ in range(2):
        assert known_sha256(path, tmp_path / "notes") == digest
        monkeypatch.setattr(digests, "_KNOWN", {})
    assert found == [path]
    # Where it lies plays no role.
    path.parent.joinpath("sub").mkdir()
    moved = path.rename(tmp_path / "sub" / "large")
    assert known_sha256(moved, tmp_path / "notes") == digest


def test_a_small_file_is_read_once_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, found = tmp_path / "small", reads(monkeypatch)
    path.write_bytes(b"a")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 10)
    for _ in range(2):
        known_sha256(path, tmp_path / "notes")
    assert found == [path]
    assert not (tmp_path / "notes").exists()


def test_a_change_that_keeps_size_and_time_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    settled(path, b"a", monkeypatch)
    before = path.stat()
    known_sha256(path, tmp_path / "notes")
    while path.stat().st_ctime_ns == before.st_ctime_ns:
        with path.open("r+b") as file:
            file.write(b"b")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    expected = hashlib.sha256(path.read_bytes()).hexdigest()
    assert known_sha256(path, tmp_path / "notes") == expected


def test_a_file_just_written_is_not_noted(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"a" * digests.LARGE)
    known_sha256(path, tmp_path / "notes")
    assert not (tmp_path / "notes").exists()


@pytest.mark.parametrize("note", ["", "0" * 64 + "\n", "0" * 64 + " " + "0" * 64 + "\n", "\xff"])
def test_a_damaged_note_is_taken_for_none(
    tmp_path: Path, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    settled(path, b"a", monkeypatch)
    digest = known_sha256(path, tmp_path / "notes")
    (only,) = (tmp_path / "notes").iterdir()
    only.write_text(note, "latin-1")
    monkeypatch.setattr(digests, "_KNOWN", {})
    assert known_sha256(path, tmp_path / "notes") == digest


def test_a_cache_that_cannot_be_written_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    settled(path, b"a", monkeypatch)
    (tmp_path / "notes").write_text("a file")
    assert known_sha256(path, tmp_path / "notes") == known_sha256(path, tmp_path / "other")


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileProblemError, match="no such file"):
        known_sha256(tmp_path / "none")
