"""Files by address: a real server of S3's kind, a web server, and fsspec's own memory."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from lexsub.corpus.reader import Corpus, CorpusReport, corpus_files
from lexsub.errors import FileProblemError, FormatError, LexsubError
from lexsub.printable import is_address, spelled
from lexsub.storage import addresses, user_folders
from lexsub.storage.compression import open_stream
from lexsub.storage.digests import known_sha256, seal
from lexsub.storage.files import atomic_write, open_file, read_text, write_folder, write_text
from lexsub.storage.user_folders import fetched
from tests.remote.servers import BUCKET, s3, web

pytestmark = pytest.mark.filterwarnings("ignore")  # boto's own
TEXT = "".join(f"line {number} of a text about nothing in particular\n" for number in range(9000))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with s3(monkeypatch) as found:
        yield found


def at(name: str = "") -> Path:
    return Path(f"s3://{BUCKET}") / name


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("s3://bucket/a/b.txt", "s3://bucket/a/b.txt"),
        ("s3:/bucket/a", "s3://bucket/a"),
        ("https://host:80/x?y=1", "https://host:80/x?y=1"),
        ("file:///a/b", "file:///a/b"),
        ("memory://x", "memory://x"),
    ],
)
def test_an_address_survives_being_a_path(text: str, spelt: str) -> None:
    assert is_address(text)
    assert is_address(Path(text))
    assert spelled(Path(text)) == spelt
    assert spelled(Path(text) / "below") == f"{spelt}/below"


@pytest.mark.parametrize("path", ["a/b", "/a:/b", "C:/a", "x:y", "name.py:function", "s3:", "-"])
def test_other_paths_are_none(path: str) -> None:
    assert not is_address(path)
    assert spelled(Path(path)) == str(Path(path))


def test_plain_paths_do_not_pay(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    script = (
        "import sys; from lexsub.corpus.reader import Corpus;"
        "from lexsub.storage.digests import known_sha256;"
        f"from pathlib import Path; list(Corpus(({str(file)!r},)).lines());"
        f"known_sha256(Path({str(file)!r}));"
        "sys.exit(any(name.split('.')[0] in ('fsspec', 's3fs', 'aiohttp') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_file_is_read_in_blocks_where_it_lies(store: Any) -> None:
    text = os.urandom(1 << 16) * 160  # more than two blocks
    store.pipe_file(f"{BUCKET}/big", text)
    with open_file(at("big")) as file:
        file.seek(len(text) - 100)
        assert file.read() == text[-100:]
        file.seek(5)
        assert file.read(7) == text[5:12]
        assert file.tell() == 12
    assert addresses.size(at("big")) == len(text)
    assert known_sha256(at("big")) == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_compressed_or_not_the_text_is_the_same(store: Any, pack: Any) -> None:
    store.pipe_file(f"{BUCKET}/text", pack(TEXT.encode()))
    with open_stream(at("text")) as stream:
        assert stream.read() == TEXT.encode()


def test_folders_globs_and_files_stand_for_the_same_as_here(tmp_path: Path, store: Any) -> None:
    names = ["b/two.txt", "b/one.txt.gz", "a.txt", "b.txt", "a/x.tsv", ".hidden/c.txt", "b/c/d.txt"]
    for name in names:
        data = gzip.compress(TEXT.encode()) if name.endswith("gz") else TEXT.encode()
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
        store.pipe_file(f"{BUCKET}/all/{name}", data)
    for source in ("", "b", "b.txt", "b/*.txt", "**/*.gz"):
        here = [file.relative_to(tmp_path) for file in corpus_files([tmp_path / source])]
        there = [file.relative_to(at("all")) for file in corpus_files([f"{at('all')}/{source}"])]
        assert there == here, source
        assert here
    mine, theirs = CorpusReport(), CorpusReport()
    lines = list(Corpus((tmp_path,)).lines(mine))
    assert list(Corpus((f"s3://{BUCKET}/all",)).lines(theirs)) == lines
    assert str(mine) == str(theirs)
    assert Corpus((tmp_path,)).sha256() == Corpus((at("all"),)).sha256()


def test_a_digest_is_taken_again_when_the_object_changes(store: Any, tmp_path: Path) -> None:
    store.pipe_file(f"{BUCKET}/x", b"old")
    assert known_sha256(at("x"), tmp_path) == hashlib.sha256(b"old").hexdigest()
    store.pipe_file(f"{BUCKET}/x", b"new")
    assert known_sha256(at("x"), tmp_path) == hashlib.sha256(b"new").hexdigest()


def test_what_is_written_is_whole_or_not_there(store: Any) -> None:
    write_text(at("deep/down.txt"), TEXT)
    assert read_text(at("deep/down.txt")) == TEXT

    def half_a_file() -> None:
        with atomic_write(at("deep/other.txt")) as file:
            file.write(b"half")
            raise KeyError

    def half_a_folder() -> None:
        with write_folder(at("model")) as draft:
            (draft / "half").write_text("half")
            raise KeyError

    for write in (half_a_file, half_a_folder):
        with pytest.raises(KeyError):
            write()
    assert store.find(BUCKET) == [f"{BUCKET}/deep/down.txt"]


@pytest.mark.parametrize(("step", "left"), [("put_file", "old"), ("rm_file", "old"), ("mv", "new")])
def test_a_store_that_fails_leaves_a_whole_file(
    monkeypatch: pytest.MonkeyPatch, step: str, left: str
) -> None:
    """The old one, or the new one under a name that is told."""
    system = fsspec.filesystem("memory")
    write_text(Path("memory://kept/x"), "old")
    real = getattr(MemoryFileSystem, step)

    def refused(self: Any, path: str, *rest: Any, **options: Any) -> None:
        if step == "rm_file" and path.endswith(".part"):
            real(self, path)
            return
        raise PermissionError("not here")

    monkeypatch.setattr(MemoryFileSystem, step, refused)
    with pytest.raises(FileProblemError, match="not here") as failed:
        write_text(Path("memory://kept/x"), "new")
    (name,) = system.find("/kept")
    assert system.cat_file(name).decode() == left
    assert name == "/kept/x" or f"the whole file is {name} there" in str(failed.value)
    system.store.pop(name)


def test_the_digests_of_a_folder_are_put_last(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    put = addresses.put

    def noted(file: Path, address: Path) -> None:
        order.append(address.name)
        put(file, address)

    monkeypatch.setattr(addresses, "put", noted)
    with write_folder(at("model")) as draft:
        for name in ("a", "z", "e"):
            (draft / name).write_text(name)
        seal(draft)
    assert order == ["a", "e", "z", "digests.json"]
    with pytest.raises(FileProblemError, match=r"s3://texts/model: is there already"):
        write_folder(at("model")).__enter__()


def test_a_model_is_fetched_once_for_each_version(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch() -> Path:
        user_folders._fetch.cache_clear()  # as another process
        return fetched(at("model"), tmp_path)

    with write_folder(at("model")) as draft:
        (draft / "sub").mkdir()
        (draft / "sub" / "data").write_text("one")
        seal(draft)
    first = fetch()
    assert (first / "sub" / "data").read_text() == "one"
    assert first.name == "model"
    with monkeypatch.context() as patch:
        patch.setattr(user_folders, "open_address", None)  # nothing is read any more
        assert fetch() == first
    store.pipe_file(f"{BUCKET}/model/sub/data", b"two")
    second = fetch()
    assert (second / "sub" / "data").read_text() == "two"
    assert (first / "sub" / "data").read_text() == "one"
    assert fetched(tmp_path, tmp_path) == tmp_path


def test_what_is_not_there_is_one_line(store: Any) -> None:
    for missing in (at("none"), Path("s3://no-such-bucket/x")):
        for ask in (open_file, known_sha256, addresses.size, addresses.listing):
            with pytest.raises(FileProblemError) as found:
                ask(missing)
            assert str(found.value).startswith(f"{spelled(missing)}: "), ask
            assert "\n" not in str(found.value)
        assert not addresses.exists(missing)
    with pytest.raises(FileProblemError, match="s3://texts/no: no such file, folder or bucket"):
        corpus_files([at("no")])
    with pytest.raises(FileProblemError, match="the pattern matches no file"):
        corpus_files([at("no*.txt")])
    with pytest.raises(
        FileProblemError, match=r"s3://no-such-bucket/x: no such file, folder or bucket"
    ):
        write_text(Path("s3://no-such-bucket/x"), "text")


def test_damaged_data_name_the_address(store: Any) -> None:
    store.pipe_file(f"{BUCKET}/x.gz", gzip.compress(TEXT.encode())[:-20])
    with pytest.raises(FormatError, match=r"s3://texts/x\.gz: the gzip data are damaged"):
        list(Corpus((at("x.gz"),)).lines())


def test_no_server_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with s3(monkeypatch):
        pass  # it is gone now
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    import s3fs

    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    with pytest.raises(FileProblemError, match=r"s3://texts/x: cannot be read: .*onnect"):
        open_file(at("x"))
    s3fs.S3FileSystem.clear_instance_cache()


def test_a_scheme_without_its_package_names_the_command() -> None:
    with pytest.raises(LexsubError, match=r"gs://b/x: addresses gs:// need .*: pip install gcsfs"):
        open_file(Path("gs://b/x"))
    if find_spec("hdfs_native") is None and find_spec("pyarrow") is None:
        with pytest.raises(LexsubError, match=r"addresses hdfs:// .*: pip install hdfs-native$"):
            open_file(Path("hdfs://host/x"))
    with pytest.raises(FileProblemError, match=r"nosuch://b/x: unknown kind of address nosuch://"):
        open_file(Path("nosuch://b/x"))


def test_a_file_in_a_folder_is_there_when_it_is_whole(tmp_path: Path) -> None:
    class Halting(LocalFileSystem):
        protocol = "halting"

        def put_file(self, lpath: str, rpath: str, **options: Any) -> None:
            Path(rpath).write_bytes(Path(lpath).read_bytes()[:5])
            raise OSError("the disk is full")

    fsspec.register_implementation("halting", Halting, clobber=True)
    place = tmp_path / "there" / "x.txt"
    write_text(Path(f"file://{place}"), "old")
    with pytest.raises(FileProblemError, match=r"x\.txt: cannot be written: the disk is full"):
        write_text(Path(f"halting://{place}"), TEXT)
    assert place.read_text() == "old"
    write_text(Path(f"file://{place}"), TEXT)
    assert place.read_text() == TEXT
    assert list(place.parent.iterdir()) == [place]


class _Bare(io.RawIOBase):
    """A file as hdfs-native gives it: seeking says nothing, and there is nothing behind the end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> None:  # type: ignore[override]
        self._place = offset + (0, self._place, len(self._data))[whence]
        assert self._place <= len(self._data)

    def tell(self) -> int:
        return self._place

    def read(self, size: int = -1) -> bytes:
        self._place += size
        return self._data[self._place - size : self._place]


def test_a_client_of_hdfs_is_told_nothing_it_does_not_take() -> None:
    class Strict(MemoryFileSystem):
        protocol = "viewfs"

        def __init__(self, **options: str) -> None:
            assert not options
            super().__init__()

        def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
            file = super()._open(path, mode, **options)
            return _Bare(file.getvalue()) if mode == "rb" else file

    fsspec.register_implementation("viewfs", Strict, clobber=True)
    for text in (TEXT, ""):
        write_text(Path("viewfs://x.txt"), text)
        assert read_text(Path("viewfs://x.txt")) == text
    with open_file(Path("viewfs://x.txt")) as file:
        assert file.seek(0) == 0
    for name in ("a#1.txt", "a?.txt"):
        with pytest.raises(FileProblemError, match="clients of hdfs read no names that hold # or"):
            write_text(Path(f"viewfs://{name}"), TEXT)


def test_of_a_servers_word_its_own_functions_are_left_out() -> None:
    said = "No lease on /x\n\tat org.apache.hadoop.Namesystem.check(Namesystem.java:3)\n"
    for word in (said, repr(said)):
        with pytest.raises(FileProblemError, match=r"x: cannot be read: \W?No lease on /x$"):
            addresses._refused(Path("x"), RuntimeError(word), "read")


def test_a_client_of_hdfs_without_java_names_one_that_needs_none() -> None:
    with pytest.raises(FileProblemError, match=r"libjvm \(pip install hdfs-native: a client"):
        addresses._refused(Path("x"), OSError("Unable to load libjvm"), "read")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(LexsubError, match=r"s3://b/x needs fsspec.*lexsub-toolkit\[remote\]"):
        open_file(Path("s3://b/x"))


def test_fsspecs_memory() -> None:
    write_text(Path("memory://there/x.txt"), TEXT)
    assert list(Corpus(("memory://there",)).lines()) == TEXT.splitlines()
    assert corpus_files(["memory://there/*.txt"]) == (Path("memory://there/x.txt"),)


def test_the_web(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "a.txt").write_text(TEXT)
    seal(tmp_path / "model")
    with web(tmp_path) as (address, asked):
        text = Path(f"{address}/model/a.txt")
        with open_file(text) as file:
            file.seek(1000)
            assert file.read(10) == TEXT.encode()[1000:1010]
        assert any(one is not None for one in asked)
        assert list(Corpus((str(text),)).lines()) == TEXT.splitlines()
        model = fetched(Path(f"{address}/model"), tmp_path / "cache")
        assert sorted(file.name for file in model.iterdir()) == ["a.txt", "digests.json"]
        with pytest.raises(FileProblemError, match=f"{address}/none.txt: no such file"):
            open_file(Path(f"{address}/none.txt"))


def test_a_web_server_without_parts_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with (
        web(tmp_path, ranges=False) as (address, _),
        pytest.raises(FileProblemError, match="gives no parts of files"),
    ):
        open_file(Path(f"{address}/a.txt"))


def test_the_cache_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is locked and mapped, and what locks would lie in a folder named ``s3:``."""
    monkeypatch.setenv("LEXSUB_CACHE", "s3://bucket/cache")
    with pytest.raises(FileProblemError, match="s3://bucket/cache: expected a folder of this mach"):
        user_folders.user_cache()
