"""The downloader against a server that does everything wrong."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from lexsub.data.download import Patience, download, part_file
from lexsub.data.sources import RemoteFile
from lexsub.errors import DownloadError, FileProblemError
from tests.conftest import PATIENCE
from tests.webserver import Server, serving

BODY = bytes(range(256)) * 2000
SHA = hashlib.sha256(BODY).hexdigest()
STEADY = Patience(connect=PATIENCE, stall=PATIENCE, attempts=3, pause=0.01, longest_pause=0.02)
QUICK = replace(STEADY, stall=1)
"""For servers that stall: the others may be as slow as a busy machine makes them."""
STALLING = ("stall", "stall-always", "silent", "drip")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with serving(BODY) as running:
        yield running


def fetch(server: Server, how: str, folder: Path, **changes: object) -> list[str]:
    file = RemoteFile(f"{server.url}/{how}/a.bin", SHA, len(BODY))
    notes: list[str] = []
    patience = QUICK if how in STALLING else STEADY
    download(file, folder / "a.bin", patience=patience, note=notes.append)
    return notes


@pytest.mark.parametrize(
    ("how", "notes", "ranges"),
    [
        ("good", 0, [None]),
        ("norange", 0, [None]),
        ("packed", 0, [None]),
        ("busy", 1, [None, None]),
        ("broken", 1, [None, f"bytes={len(BODY) // 2}-"]),
        ("broken-norange", 1, [None, f"bytes={len(BODY) // 2}-"]),
        ("stall", 1, [None, f"bytes={len(BODY) // 2}-"]),
        ("wrongrange", 2, [None, f"bytes={len(BODY) // 2}-", None]),
        ("norangeheader", 2, [None, f"bytes={len(BODY) // 2}-", None]),
        ("redirect", 0, [None, None]),
    ],
)
def test_gets_the_file_in_the_end(
    server: Server, tmp_path: Path, how: str, notes: int, ranges: list[str | None]
) -> None:
    assert len(fetch(server, how, tmp_path)) == notes
    assert [given for _, given in server.requests] == ranges
    assert (tmp_path / "a.bin").read_bytes() == BODY
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"], "no part file is left"


@pytest.mark.parametrize(
    ("how", "problem", "requests"),
    [
        ("missing", "the server answers 404", 1),
        ("forbidden", "the server answers 403", 1),
        ("nowhere", "404 Not Found for ", 2),
        ("circle", "cannot be fetched: Exceeded 30 redirects", 31),
        ("tofile", "cannot be fetched: ", 1),
        ("corrupt", f"expected {SHA}; it was removed", 1),
        ("toolong", f"offers a file of {2 * len(BODY)} bytes, expected one of {len(BODY)}", 1),
        ("short", f"offers a file of {len(BODY) // 2} bytes, expected one of {len(BODY)}", 1),
        ("endless", f"sends more than {len(BODY)} bytes (gave up after 3 attempts)", 3),
        ("unmeasured", f"the connection ended after {len(BODY) // 2} of {len(BODY)} bytes", 3),
        ("half", f"the connection broke after {len(BODY) // 2} bytes (gave up after 3", 3),
        ("stall-always", f"stalled after {len(BODY) // 2} bytes (gave up after 3 attempts)", 3),
        ("silent", "no answer within 1 s (gave up after 3 attempts)", 3),
        ("drip", "stalled after ", 3),
    ],
)
def test_gives_up_in_one_line(
    server: Server, tmp_path: Path, how: str, problem: str, requests: int
) -> None:
    with pytest.raises(DownloadError) as caught:
        fetch(server, how, tmp_path)
    assert problem in str(caught.value)
    assert f"{server.url}/{how}/a.bin" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == requests
    assert not (tmp_path / "a.bin").exists()


@pytest.mark.parametrize("how", ["wrongrange", "norangeheader"])
def test_a_wrong_range_is_noticed_at_once(server: Server, tmp_path: Path, how: str) -> None:
    notes = fetch(server, how, tmp_path)
    assert f"where bytes {len(BODY) // 2}- were asked for" in notes[1]


def test_goes_on_in_the_next_run(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = RemoteFile(f"{server.url}/good/a.bin", SHA, len(BODY))
    part_file(tmp_path / "a.bin", file).write_bytes(BODY[:1000])
    seen: list[float] = []

    @contextmanager
    def measured(label: str, total: Callable[[], float]) -> Iterator[Callable[[float], None]]:
        assert total() == len(BODY) / 1e6
        yield seen.append

    monkeypatch.setattr("lexsub.data.download.measured", measured)
    download(file, tmp_path / "a.bin", patience=STEADY)
    assert server.requests == [("/good/a.bin", "bytes=1000-")]
    assert seen[0] == 1000 / 1e6
    assert sum(seen) == pytest.approx(len(BODY) / 1e6)


@pytest.mark.parametrize("size", [len(BODY), None])
@pytest.mark.parametrize("old", [BODY, BODY + b"x", b"?" * 1000, b"?" * len(BODY)])
def test_a_bad_or_complete_beginning(
    server: Server, tmp_path: Path, old: bytes, size: int | None
) -> None:
    file = RemoteFile(f"{server.url}/good/a.bin", SHA, size)
    part_file(tmp_path / "a.bin", file).write_bytes(old)
    download(file, tmp_path / "a.bin", patience=STEADY)
    assert (tmp_path / "a.bin").read_bytes() == BODY


def test_a_broken_download_is_kept(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=rf"{len(BODY) // 2} bytes are kept"):
        fetch(server, "half", tmp_path)
    fetch_file = RemoteFile(f"{server.url}/good/a.bin", SHA, len(BODY))
    assert part_file(tmp_path / "a.bin", fetch_file).stat().st_size == len(BODY) // 2


def test_unknown_size_is_bounded(server: Server, tmp_path: Path) -> None:
    file = RemoteFile(f"{server.url}/good/a.bin", SHA)
    with pytest.raises(DownloadError, match="sends more than 1000 bytes"):
        download(file, tmp_path / "a", patience=Patience(attempts=1, largest=1000))


def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = RemoteFile(f"http://127.0.0.1:{port}/a.bin", SHA)
    with pytest.raises(DownloadError, match=r"cannot be reached \(connection refused\)"):
        download(file, tmp_path / "a.bin", patience=STEADY)


def test_unknown_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_names(*args: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    monkeypatch.setenv("NO_PROXY", "*")
    file = RemoteFile("http://data.invalid/a.bin", SHA)
    with pytest.raises(DownloadError, match="its name is not known here; is the network up"):
        download(file, tmp_path / "a.bin", patience=STEADY)


def test_proxy_is_respected(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    download(RemoteFile("http://data.invalid/a.bin", SHA), tmp_path / "a", patience=STEADY)
    assert server.seen("proxied") == 1


def test_dead_proxy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="the proxy does not answer or refuses"):
        download(RemoteFile("http://data.invalid/a", SHA), tmp_path / "a", patience=STEADY)


def test_disk_refuses(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = RemoteFile(f"{server.url}/good/a.bin", SHA)
    with pytest.raises(FileProblemError, match="cannot be written"):
        download(file, tmp_path / "file" / "a.bin", patience=STEADY)


def test_no_address_of_a_kind_we_fetch(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="cannot be fetched"):
        download(RemoteFile("ftp://data.invalid/a", SHA), tmp_path / "a", patience=STEADY)
