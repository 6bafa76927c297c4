"""``lexsub data`` end to end, over a local server and a release of our own making."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexsub.cli import main
from lexsub.data.catalogue import BUNDLED, load
from lexsub.data.install import RECEIPT
from lexsub.data.sources import SOURCES, find_source
from lexsub.errors import UnknownNameError
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.lists import FETCHED
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders, user_data
from tests.conftest import ROOT
from tests.webserver import Server, serving


def release() -> bytes:
    """The tutorial set as if it were the official release, with a top folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        for path in sorted((BUNDLED / "tutorial").rglob("*")):
            if path.is_file():
                name = path.relative_to(BUNDLED / "tutorial").as_posix()
                packed.add(path, "task10data/" + name.replace("tutorial_t", "lexsub_t"))
    # Without a time in it, so that parallel test processes see the same bytes.
    return gzip.compress(buffer.getvalue(), mtime=0)


RELEASE = release()
SHA = hashlib.sha256(RELEASE).hexdigest()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without any data, proxy or mirror."""
    for name in ("LEXSUB_DATA", "LEXSUB_MIRROR", "http_proxy", "HTTP_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(RELEASE) as running:
        yield running


def lexsub(*args: object) -> int:
    with pytest.raises(SystemExit) as stopped:
        main([str(arg) for arg in args])
    return int(stopped.value.code or 0)


def left_over(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_get_and_load(server: Server, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ("data", "get", "semeval2007", "--base-url", f"{server.url}/broken", "--sha256", SHA)
    assert lexsub(*call) == 0
    out, err = capsys.readouterr()
    assert Path(out.strip()) == user_data() / "semeval2007"
    assert "no licence" in err.splitlines()[0], "the licence comes first"
    assert "trying again" in err
    assert "\r" not in err, "no bar where stderr is not a terminal"
    assert len(load("semeval2007/test", data_folders()).items) == 100
    assert left_over(home / "cache") == []
    receipt = json.loads((user_data() / "semeval2007" / RECEIPT).read_text())
    assert receipt["files"][0]["sha256"] == SHA
    assert [path.name for path in user_data().iterdir()] == ["semeval2007"]

    seen = len(server.requests)
    assert lexsub(*call) == 0, "once more: nothing to do"
    assert len(server.requests) == seen
    assert lexsub(*call, "--force") == 0
    assert len(server.requests) > seen

    capsys.readouterr()
    assert lexsub("data", "where", "semeval2007") == 0
    assert capsys.readouterr().out.strip() == str(user_data() / "semeval2007")
    assert lexsub("data", "info", "semeval2007") == 0
    assert "100 items, 99 with gold, 10 with a multiword gold" in capsys.readouterr().out


def test_mirror_from_the_environment(
    server: Server, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXSUB_MIRROR", f"{server.url}/good/")
    assert lexsub("data", "get", "semeval2007", "--sha256", SHA, "--to", home / "here") == 0
    assert server.requests[0][0] == "/good/task10data.tar.gz"
    assert (home / "here/semeval2007/test/lexsub_test.xml").is_file()


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("missing", "the server answers 404"),
        ("half", "the connection broke"),
        ("corrupt", "it was removed"),
        ("good", "expected one of 256046 with sha256 8a2b206a"),  # the real pin
    ],
)
def test_failed_get(
    server: Server, home: Path, capsys: pytest.CaptureFixture[str], how: str, problem: str
) -> None:
    pin = () if how == "good" else ("--sha256", SHA)
    assert lexsub("data", "get", "semeval2007", "--base-url", f"{server.url}/{how}", *pin) == 2
    out, err = capsys.readouterr()
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith(f"lexsub: {server.url}/{how}/task10data.tar.gz: ")
    assert problem in last
    assert last.endswith("'lexsub data get semeval2007 --from task10data.tar.gz'")
    assert left_over(home / "data") == []


def test_offline(capsys: pytest.CaptureFixture[str]) -> None:
    base = "http://127.0.0.1:9/mirror"
    assert lexsub("data", "get", "semeval2007", "--base-url", base, "--attempts", 1) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{base}/task10data.tar.gz: cannot be reached (connection refused)" in last
    assert "--from task10data.tar.gz" in last


def test_from_a_local_file(home: Path) -> None:
    (home / "mine.tgz").write_bytes(RELEASE)
    assert lexsub("data", "get", "semeval2007", "--from", home / "mine.tgz", "--sha256", SHA) == 0
    assert (home / "mine.tgz").exists(), "the user's own file stays"
    assert len(load("semeval2007/trial", data_folders()).items) == 22


@pytest.mark.parametrize(
    ("name", "body", "problem"),
    [
        ("other.tgz", b"something else", "expected " + SHA),
        ("folder", None, "holds none of task10data.tar.gz"),
        ("none.tgz", None, "no such file"),
    ],
)
def test_from_the_wrong_file(
    home: Path, capsys: pytest.CaptureFixture[str], name: str, body: bytes | None, problem: str
) -> None:
    given = home / name
    if body is not None:
        given.write_bytes(body)
    elif name == "folder":
        given.mkdir()
    assert lexsub("data", "get", "semeval2007", "--from", given, "--sha256", SHA) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"lexsub: {given}: ")
    assert problem in last
    assert left_over(home / "data") == []


def test_from_the_unpacked_release(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has the release needs no getting, only the option that names it."""
    (home / "mine/test").mkdir(parents=True)
    (home / "mine/test/lexsub_test.xml").write_text("<corpus/>")
    assert lexsub("data", "get", "semeval2007", "--from", home / "mine") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"--data {home / 'mine'}" in last
    assert "LEXSUB_DATA" in last


def test_files_go_to_the_folders_the_lists_are_looked_for_in(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"1 900 bank n\n"
    source = SOURCES["bnc_frequency"]
    digest = hashlib.sha256(body).hexdigest()
    files = tuple(replace(file, sha256=digest) for file in source.files)
    monkeypatch.setitem(SOURCES, "bnc_frequency", replace(source, files=files))
    (home / "lemma.al").write_bytes(body)
    assert lexsub("data", "get", "bnc_frequency", "--from", home / "lemma.al") == 0
    opened = FREQUENCIES["bnc-lemmas"].open(Resources(data=data_folders()))
    assert opened.frequency("bank", "n") == 900


@pytest.mark.parametrize("body", [RELEASE[:-9], b"PK\x03\x04nonsense", b""])
def test_broken_archive_changes_nothing(home: Path, body: bytes) -> None:
    (home / "a.tgz").write_bytes(RELEASE)
    assert lexsub("data", "get", "semeval2007", "--from", home / "a.tgz", "--sha256", SHA) == 0
    before = left_over(home / "data")
    (home / "b.tgz").write_bytes(body)
    sha = hashlib.sha256(body).hexdigest()
    call = ("data", "get", "semeval2007", "--from", home / "b.tgz", "--sha256", sha, "--force")
    assert lexsub(*call) == 2
    assert left_over(home / "data") == before


def test_archive_of_something_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        packed.add(BUNDLED / "tutorial" / "README.md", "README.md")
    (home / "a.tgz").write_bytes(buffer.getvalue())
    sha = hashlib.sha256(buffer.getvalue()).hexdigest()
    assert lexsub("data", "get", "semeval2007", "--from", home / "a.tgz", "--sha256", sha) == 2
    assert "holds no test/lexsub_test.xml" in capsys.readouterr().err
    assert left_over(home / "data") == []


def test_files_taken_as_they_are(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of several files that are not unpacked, from a folder that holds one of them."""
    source = SOURCES["swords"]
    body = b"one of them"
    first, *others = source.files
    pinned = type(first)(first.url, hashlib.sha256(body).hexdigest(), None)
    changed = type(source)(source.name, (pinned, *others), source.licence, source.marker)
    monkeypatch.setitem(SOURCES, "swords", changed)
    (home / "files").mkdir()
    (home / "files" / pinned.name).write_bytes(body)
    assert lexsub("data", "get", "swords", "--from", home / "files") == 0
    assert (user_data() / "swords" / pinned.name).read_bytes() == body


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (("get", "semeval207"), "did you mean semeval2007"),
        (("get", "tutorial"), "comes with lexsub"),
        (("get", "semeval2007", "--sha256", "abc"), "expected 64 hex digits"),
        (("get", "swords", "--sha256", SHA), "expected one"),
        (("where", "semeval2007"), "lexsub data get semeval2007"),
        (("where", "semeval2007-systems"), "lexsub data get semeval2007-systems"),
        (("where", "semval"), "did you mean semeval2007"),
        (("info", "semval"), "did you mean semeval2007"),
    ],
)
def test_mistakes(args: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lexsub("data", *args) == 2
    out, err = capsys.readouterr()
    assert problem in err
    assert out == ""


def test_list_and_info_without_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert lexsub("data", "list") == 0
    table = capsys.readouterr().out
    assert "lexsub data get semeval2007-systems" in table
    assert str(BUNDLED / "tutorial") in table
    assert lexsub("data", "list", "--json") == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["tutorial"]["folder"] == str(BUNDLED / "tutorial")
    assert rows["semeval2007"]["folder"] is None
    assert lexsub("data", "info", "semeval2007") == 0
    text = capsys.readouterr().out
    assert "http://www.dianamccarthy.co.uk/files/task10data.tar.gz" in text
    assert "256046 bytes" in text
    assert lexsub("data", "info", "tutorial", "--json") == 0
    assert json.loads(capsys.readouterr().out)["splits"]["test"]["gold"] == 99


def test_every_source_is_pinned() -> None:
    assert set(FETCHED) <= set(SOURCES)
    for source in SOURCES.values():
        assert source.licence
        for file in source.files:
            assert len(file.sha256) == 64
            assert set(file.sha256) <= set("0123456789abcdef")
            assert file.url.startswith(("http://", "https://"))
    with pytest.raises(UnknownNameError):
        find_source("nothing")


@pytest.mark.data
def test_pins_are_those_of_the_released_files(data_dir: Path) -> None:
    for name, file in [(n, f) for n in ("swords", "bnc_frequency") for f in SOURCES[n].files]:
        path = data_dir / name / file.folder / file.name
        if path.exists():
            assert hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
            assert file.size in (None, path.stat().st_size)


def test_disk_full(home: Path) -> None:
    """A quota on file size stands in for a full disk: nothing is left in the data folder."""
    (home / "a.tgz").write_bytes(RELEASE)
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "from lexsub.cli import main; main(sys.argv[1:])"
    )
    call = ("data", "get", "semeval2007", "--from", str(home / "a.tgz"), "--sha256", SHA)
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, *call],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "cannot be written: file too large" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert left_over(home / "data") == []


def test_a_folder_named_twice_is_searched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXSUB_DATA", str(tmp_path))
    assert data_folders(tmp_path / "x" / "..") == (tmp_path / "x" / "..", user_data())
    assert data_folders(user_data()) == (user_data(), tmp_path)
