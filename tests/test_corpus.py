from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.corpus import reader as reader_module
from lexsub.corpus.reader import Corpus, CorpusReport, blocks_of, corpus_files, pieces
from lexsub.errors import FileProblemError, FormatError, MissingExtraError
from lexsub.storage.compression import _zstd

TEXT = "The kettle sang.\n\nNobody had asked it to.\nÉté, says the label\n"
LINES = ["The kettle sang.", "Nobody had asked it to.", "Été, says the label"]

COMPRESS = {
    "txt": bytes,
    "txt.gz": gzip.compress,
    "txt.bz2": bz2.compress,
    "txt.xz": lzma.compress,
    "txt.zst": _zstd().compress,
}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_every_compression_gives_the_same_lines(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"tea.{suffix}"
    path.write_bytes(COMPRESS[suffix](TEXT.encode()))
    report = CorpusReport()
    assert list(Corpus((path,)).lines(report)) == LINES
    assert (report.files, report.lines, report.blank, report.bad_bytes) == (1, 3, 1, {})


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compression_is_seen_from_the_bytes_not_from_the_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "renamed"
    path.write_bytes(COMPRESS[suffix](TEXT.encode()))
    assert list(Corpus((path,)).lines()) == LINES


@pytest.mark.parametrize("suffix", COMPRESS)
def test_concatenated_streams_are_read_to_the_end(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"two.{suffix}"
    path.write_bytes(COMPRESS[suffix](b"one\n") + COMPRESS[suffix](b"two\n"))
    assert list(Corpus((path,)).lines()) == ["one", "two"]


@pytest.mark.parametrize("suffix", [s for s in COMPRESS if s != "txt"])
def test_a_file_that_ends_early_is_an_error_and_says_so(tmp_path: Path, suffix: str) -> None:
    data = COMPRESS[suffix]("\n".join(f"line {n * n * 7919}" for n in range(4000)).encode())
    path = tmp_path / f"half.{suffix}"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError, match=r"half.*damaged or end early"):
        list(Corpus((path,)).lines())


def test_damage_in_the_middle_is_an_error(tmp_path: Path) -> None:
    for suffix, compress in COMPRESS.items():
        if suffix == "txt":
            continue
        data = bytearray(compress("\n".join(f"l {n * n * 31}" for n in range(4000)).encode()))
        data[len(data) // 2 : len(data) // 2 + 40] = b"\0" * 40
        path = tmp_path / f"hurt.{suffix}"
        path.write_bytes(data)
        with pytest.raises(FormatError, match="damaged"):
            list(Corpus((path,)).lines())


def test_folders_globs_and_files_each_once_and_sorted(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt.gz", "deep/c.txt", "notes.md", ".hidden.txt", "deep/.git/d.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    names = [str(p.relative_to(tmp_path)) for p in corpus_files([tmp_path])]
    assert names == ["a.txt.gz", "b.txt", "deep/c.txt"]
    pattern = f"{tmp_path}/**/*.txt"
    mixed = corpus_files([tmp_path / "notes.md", pattern, tmp_path / "b.txt"])
    assert [p.name for p in mixed] == ["notes.md", "b.txt", "c.txt"]


def test_sources_that_stand_for_nothing_are_errors(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for source, words in {
        tmp_path / "no.txt": "no such file",
        tmp_path / "empty": r"holds no corpus file; expected \*\.txt",
        f"{tmp_path}/*.xz": "matches no file",
    }.items():
        with pytest.raises(FileProblemError, match=words):
            corpus_files([source])


def test_bad_bytes_are_replaced_counted_by_file_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("a real \ufffd is no bad byte\n")
    bad.write_bytes(b"caf\xe9 and \xff\xfe twice\nnul \0 here\nfine\n")
    report = CorpusReport()
    lines = list(Corpus((good, bad)).lines(report))
    assert lines[1:] == ["caf\ufffd and \ufffd\ufffd twice", "nul \ufffd here", "fine"]
    assert report.bad_bytes == {bad: 4}
    assert f"{bad}: 4 bytes are no UTF-8 text" in caplog.text
    assert list(Corpus((good, bad)).lines()) == lines
    assert (len(caplog.records), str(good) in caplog.text) == (1, False)


def test_byte_order_marks(tmp_path: Path) -> None:
    path = tmp_path / "bom.txt"
    path.write_bytes("\ufeffone\r\ntwo\r\n".encode())
    assert list(Corpus((path,)).lines()) == ["one", "two"]
    path.write_bytes("one\n".encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-16"):
        list(Corpus((path,)).lines())


def test_lines_end_at_lf_only(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes("a\u2028b\x0bc\x85d\n".encode())
    assert len(list(Corpus((path,)).lines())) == 1


def test_a_file_without_line_ends_is_cut_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "BLOCK", 16)
    monkeypatch.setattr(reader_module, "LONGEST_LINE", 64)
    path = tmp_path / "long.txt"
    text = "word " * 50 + "ééé" * 60
    path.write_text(text)
    report = CorpusReport()
    lines = list(Corpus((path,)).lines(report))
    assert "".join(lines) == text
    assert max(len(line.encode()) for line in lines) <= 64 + 16
    assert report.lines == len(lines)
    assert not report.bad_bytes


@settings(deadline=None)
@given(st.binary(max_size=400), st.integers(1, 40))
def test_blocks_hold_the_lines_and_blocksize_of_reading_does_not_matter(
    data: bytes, size: int
) -> None:
    data = b"x" + data  # no byte order mark
    if b"\n" not in data:
        data = data.replace(b"\r", b"")  # refused: lines that end with CR alone
    expected = [
        line.decode(errors="surrogateescape").removesuffix("\r") for line in data.split(b"\n")
    ]
    bad = sum("\udc80" <= c <= "\udcff" or c == "\0" for line in expected for c in line)
    kept = [line for line in expected if line.strip()]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "t.txt")
        path.write_bytes(data)
        for block in (1, 7, 1 << 20):
            patch.setattr(reader_module, "BLOCK", block)
            report = CorpusReport()
            blocks = list(blocks_of(Corpus((path,)).lines(report), size))
            lines = [line for block in blocks for line in block]
            assert [len(line) for line in lines] == [len(line) for line in kept]
            assert sum(report.bad_bytes.values()) == bad
            assert report.lines == len(lines)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab é\r\ufeff", max_size=9)), st.integers(1, 40), st.booleans())
def test_pieces_together_are_the_corpus(lines: list[str], size: int, ended: bool) -> None:
    data = ("\n".join(lines) + "\n" * ended).encode()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        corpus = Corpus((Path(folder),))
        Path(folder, "a.txt").write_bytes(data)
        Path(folder, "b.txt.gz").write_bytes(gzip.compress(b"one\ntwo"))
        if b"\r" in data.rstrip(b"\r") and b"\n" not in data:
            return  # no lines, an error
        whole, cut = CorpusReport(), CorpusReport()
        expected = list(corpus.lines(whole))
        for block in (3, 7, 1 << 20):  # 3: a byte order mark
            patch.setattr(reader_module, "BLOCK", block)
            found = [list(piece.lines(cut)) for piece in pieces(corpus, size)]
            assert [line for some in found for line in some] == expected
            assert len(found) == -(-len(data) // size) + 1
        assert (cut.lines, cut.blank) == (3 * whole.lines, 3 * whole.blank)


def test_zstd_without_its_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(COMPRESS["txt.zst"](b"x\n"))
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[zstd\]"):
        list(Corpus((path,)).lines())


def test_the_digest_follows_content_and_order_not_names(tmp_path: Path) -> None:
    one, two, copy = tmp_path / "1.txt", tmp_path / "2.txt", tmp_path / "3.txt"
    one.write_text("one\n")
    two.write_text("two\n")
    copy.write_text("one\n")
    assert Corpus((one, two)).sha256() == Corpus((copy, two)).sha256()
    assert Corpus((one, two)).sha256() != Corpus((two, one)).sha256()


def test_reading_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    steps: list[float] = []
    bars: list[tuple[str, float]] = []

    @contextmanager
    def task(label: str, total: float) -> Iterator[Callable[[float], None]]:
        bars.append((label, total))
        yield steps.append

    monkeypatch.setattr("lexsub.progress.is_shown", lambda: True)
    monkeypatch.setattr("lexsub.progress._task", task)
    text = b"".join(b"line number %d of the text\n" % number for number in range(90_000))
    (tmp_path / "a.txt").write_bytes(text)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text))
    assert sum(1 for _ in Corpus((tmp_path,)).lines()) == 180_000
    stored = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert bars == [("reading text, MB", stored / 1e6)]
    assert sum(steps) == pytest.approx(stored / 1e6)
    assert len(steps) > 4, "not only when a file ends"
