"""Archives that attack are refused, whatever their kind."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lexsub.data.install import Limits, unpack
from lexsub.errors import FileProblemError, FormatError


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        for info, data in members:
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def entry(name: str, data: bytes = b"x", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def zipped(*members: tuple[str, bytes, int]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, data)
    return buffer.getvalue()


def link(name: str, to: str, kind: bytes) -> tuple[tarfile.TarInfo, bytes]:
    return entry(name, b"", type=kind, linkname=to)


def claiming(size: int) -> bytes:
    """A tar whose only member says it is larger than it is."""
    info = tarfile.TarInfo("big")
    info.size = size
    return info.tobuf() + b"\0" * 1024


def header_bomb() -> bytes:
    """A tar with an extended header of many bytes, which tarfile would read whole."""
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 50_000_000
    return info.tobuf() + b"\0" * info.size + tarfile.TarInfo("a").tobuf() + b"\0" * 1024


def encrypted() -> bytes:
    data = bytearray(zipped(("a", b"secret", 0)))
    data[6] |= 1  # the flag in the member's own header …
    data[data.index(b"PK\x01\x02") + 8] |= 1  # … and in the directory
    return bytes(data)


ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "absolute path": (lambda: tar(entry("/etc/cron.d/x")), "would leave the folder"),
    "parent path": (lambda: tar(entry("a/../../x")), "would leave the folder"),
    "backslashes": (lambda: tar(entry("..\\..\\x")), "would leave the folder"),
    "drive letter": (lambda: tar(entry("C:/x")), "would leave the folder"),
    "control characters": (lambda: tar(entry("a\nb")), "would leave the folder"),
    "symbolic link": (lambda: tar(link("a", "/etc/passwd", tarfile.SYMTYPE)), "is a link"),
    "harmless symbolic link": (lambda: tar(link("a", "b", tarfile.SYMTYPE)), "is a link"),
    "hard link": (lambda: tar(link("a", "/etc/passwd", tarfile.LNKTYPE)), "is a link"),
    "device": (lambda: tar(entry("a", b"", type=tarfile.CHRTYPE)), "is a device"),
    "pipe": (lambda: tar(entry("a", b"", type=tarfile.FIFOTYPE)), "is a device"),
    "bomb": (lambda: gzip.compress(tar(entry("a", b"\0" * 3_000_000))), "unpacks to more than"),
    "bomb in an extended header": (lambda: gzip.compress(header_bomb()), "unpacks to more than"),
    "claim of a huge member": (lambda: claiming(10**10), "unpacks to more than"),
    "many members": (lambda: tar(*(entry(f"a{n}") for n in range(60))), "more than 50 members"),
    "file and folder of one name": (lambda: tar(entry("a"), entry("a/b")), "cannot be written"),
    "cut off": (lambda: gzip.compress(tar(entry("a", b"y" * 5000)))[:-30], "is damaged or no"),
    "cut off tar": (lambda: tar(entry("a", b"y" * 5000))[:2000], "is damaged or no"),
    "bad checksum": (lambda: gzip.compress(tar(entry("a")))[:-8] + b"12345678", "is damaged"),
    "garbage behind gzip's magic": (lambda: b"\x1f\x8bgarbage" * 9, "is damaged or no"),
    "garbage behind xz's magic": (lambda: b"\xfd7zXZ\x00garbage" * 9, "is damaged or no"),
    "garbage": (lambda: b"nothing of the kind" * 99, "is damaged or no"),
    "a web page": (lambda: b"<html><body>Moved!</body></html>", "is damaged or no"),
    "empty file": (lambda: b"", "is damaged or no"),
    "zip: parent path": (lambda: zipped(("../x", b"x", 0)), "would leave the folder"),
    "zip: absolute path": (lambda: zipped(("/x", b"x", 0)), "would leave the folder"),
    "zip: link": (lambda: zipped(("a", b"/etc", stat.S_IFLNK | 0o777)), "is a link"),
    "zip: bomb": (lambda: zipped(("a", b"\0" * 3_000_000, 0)), "unpacks to more than"),
    "zip: many members": (
        lambda: zipped(*((f"a{n}", b"", 0) for n in range(60))),
        "more than 50 members",
    ),
    "zip: encrypted": (encrypted, "encrypted"),
    "zip: cut off": (lambda: zipped(("a", b"x" * 100, 0))[:-5], "is damaged or no"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_refused(tmp_path: Path, name: str) -> None:
    make, problem = ATTACKS[name]
    archive, folder = tmp_path / "archive", tmp_path / "outer" / "folder"
    archive.write_bytes(make())
    folder.mkdir(parents=True)
    with pytest.raises((FormatError, FileProblemError)) as caught:
        unpack(archive, folder, Limits(bytes=1_000_000, members=50))
    message = str(caught.value)
    assert problem in message
    assert "\n" not in message
    assert message.startswith(str(tmp_path))
    outside = {path for path in tmp_path.rglob("*") if folder not in (path, *path.parents)}
    assert outside == {archive, tmp_path / "outer"}, "something was written outside"


def test_zip_that_lies_about_its_size(tmp_path: Path) -> None:
    data = bytearray(zipped(("a", b"\0" * 3_000_000, 0)))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    (tmp_path / "archive").write_bytes(data)
    (tmp_path / "out").mkdir()
    with pytest.raises(FormatError):
        unpack(tmp_path / "archive", tmp_path / "out", Limits(bytes=1_000_000))
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in written) <= 1_000_000


def test_missing_archive(tmp_path: Path) -> None:
    with pytest.raises(FileProblemError, match="no such file"):
        unpack(tmp_path / "none", tmp_path)
    with pytest.raises(FileProblemError, match="is a folder"):
        unpack(tmp_path, tmp_path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_honest_tar(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    folder = entry("top", b"", type=tarfile.DIRTYPE, mode=0o000)
    members = (folder, entry("top/a", b"1" * 200_000, mode=0o4777), entry("top/b/c", b""))
    (tmp_path / "archive").write_bytes(pack(tar(*members)))
    out = tmp_path / "out"
    out.mkdir()
    unpack(tmp_path / "archive", out)
    assert (out / "top/a").read_bytes() == b"1" * 200_000
    assert (out / "top/b/c").read_bytes() == b""
    assert stat.S_IMODE((out / "top/a").stat().st_mode) & 0o7111 == 0, "modes are not taken over"


def test_honest_zip(tmp_path: Path) -> None:
    members = (("top/", b"", 0), ("top/a", b"1" * 200_000, 0o100644), ("top/b/c", b"", 0))
    (tmp_path / "archive").write_bytes(zipped(*members))
    (tmp_path / "out").mkdir()
    unpack(tmp_path / "archive", tmp_path / "out")
    assert (tmp_path / "out/top/a").read_bytes() == b"1" * 200_000
    assert (tmp_path / "out/top/b/c").read_bytes() == b""
