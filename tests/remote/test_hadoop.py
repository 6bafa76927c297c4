"""Hadoop's files by both its doors, and what is said when one of its servers ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import fsspec.config
import pytest

from lexsub.cli import main
from lexsub.corpus.reader import corpus_files
from lexsub.errors import FileProblemError
from lexsub.printable import spelled
from lexsub.storage import addresses
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import file_sha256, open_file, read_text, write_text
from tests.remote.hadoop import Hadoop, hadoop

DOORS = ("hdfs", "webhdfs")
TEXT = "a cup stands on the table .\n"


def door(server: Hadoop, kind: str) -> Path:
    if kind == "hdfs":
        pytest.importorskip("hdfs_native")
    return Path(getattr(server, kind))


@pytest.fixture(params=DOORS)
def place(request: Any, served: Hadoop, tmp_path: Path) -> Path:
    return door(served, request.param) / tmp_path.name


def test_a_file_of_several_blocks_is_read_where_it_lies(place: Path, tmp_path: Path) -> None:
    data = os.urandom(20_000_000)
    (tmp_path / "big").write_bytes(data)
    addresses.put(tmp_path / "big", place / "big")
    with open_file(place / "big") as file:
        for start in (8_388_600, 19_999_990, 5):
            file.seek(start)
            assert file.read(20) == data[start : start + 20]
        assert file.seek(0, os.SEEK_END) == len(data) == addresses.size(place / "big")
        assert file.read(1) == b""
    assert file_sha256(place / "big") == file_sha256(tmp_path / "big")
    assert addresses.is_file(place / "big")
    assert not addresses.is_file(place)


def test_folders_and_globs_stand_for_the_same_as_here(place: Path, tmp_path: Path) -> None:
    names = ["b/two.txt", "b/one.txt", "a.txt", "a b.txt", "a/x.tsv", ".hidden/c.txt", "b/c/d.txt"]
    for name in names:
        for folder in (tmp_path, place):
            write_text(folder / name, TEXT)
    write_text(place / "empty", "")
    assert read_text(place / "empty") == ""
    for source in ("", "b", "a b.txt", "b/*.txt", "**/d.txt"):
        here = [file.relative_to(tmp_path) for file in corpus_files([tmp_path / source])]
        assert [file.relative_to(place) for file in corpus_files([place / source])] == here, source


def test_a_file_that_is_written_again_is_another(place: Path, tmp_path: Path) -> None:
    for text in ("old", "new"):
        write_text(place / "x", text)
        (tmp_path / "x").write_text(text)
        assert known_sha256(place / "x", tmp_path / "notes") == file_sha256(tmp_path / "x")
        assert list(addresses.listing(place)) == ["x"]
    assert addresses.identity(place / "x")
    addresses.remove(place / "x")
    addresses.remove(place / "x")
    assert not addresses.exists(place / "x")
    with pytest.raises(FileProblemError, match="x: no such file, folder or bucket"):
        open_file(place / "x")


def test_a_place_below_a_file_is_refused_in_one_line(place: Path) -> None:
    write_text(place / "x", TEXT)
    with pytest.raises(FileProblemError, match=r"cannot be written: .*x") as found:
        write_text(place / "x" / "y", TEXT)
    assert "org.apache" not in str(found.value)


@pytest.mark.parametrize("kind", DOORS)
def test_a_datanode_that_ends(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    with hadoop(tmp_path) as server:
        place = door(server, kind)
        text = spelled(place / "text.txt")
        write_text(place / "text.txt", TEXT * 500_000)  # 14 MB: two blocks, four readings
        write_text(place / "old", "old")
        read = addresses._Remote.readinto

        def ending(self: Any, buffer: memoryview) -> int:
            if self.tell():
                server.kill("datanode")
            return read(self, buffer)

        with monkeypatch.context() as patch:
            patch.setattr(addresses._Remote, "readinto", ending)
            with pytest.raises(SystemExit) as ended:
                main(["lm", "train", text, "-o", str(tmp_path / "lm"),
                      "--order", "2", "--engine", "embedded"])  # fmt: skip
        assert ended.value.code == 2
        said = capsys.readouterr().err.splitlines()
        assert [one for one in said if one.startswith("lexsub: ")] == said[-1:]
        assert f"{text}: cannot be read: " in said[-1]
        assert not (tmp_path / "lm").exists()
        with pytest.raises(FileProblemError, match=r"old: cannot be written: "):
            write_text(place / "old", TEXT)
        assert addresses.size(place / "old") == 3
        assert sorted(addresses.listing(place)) == ["old", "text.txt"]


@pytest.mark.parametrize("kind", DOORS)
def test_a_namenode_that_ends(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The client asks again for three minutes, else.
    settings = {"dfs.client.failover.max.attempts": "2"} if kind == "hdfs" else {}
    monkeypatch.setitem(fsspec.config.conf, kind, settings)
    with hadoop(tmp_path) as server:
        place = door(server, kind)
        write_text(place / "text.txt", TEXT)
        server.kill("namenode")
        for ask in (open_file, addresses.exists, lambda path: write_text(path, TEXT)):
            with pytest.raises(FileProblemError, match=r"cannot be (read|written): .*onnect") as it:
                ask(place / "text.txt")
            assert "\n" not in str(it.value)
