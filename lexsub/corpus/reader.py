"""A corpus: which files it is made of, its lines as a stream, and pieces for worker processes."""

from __future__ import annotations

import glob
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import IO

from lexsub.errors import FileProblemError, FormatError
from lexsub.printable import is_address, printable
from lexsub.progress import measured
from lexsub.storage.addresses import exists, listing, matching, size
from lexsub.storage.compression import open_measured, plain_size
from lexsub.storage.files import CARRIAGE_RETURNS, file_sha256

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
TEXT_SUFFIXES = (".txt",)


def corpus_files(
    sources: Iterable[Path | str], suffixes: tuple[str, ...] = TEXT_SUFFIXES
) -> tuple[Path, ...]:
    """Return the files that ``sources`` stand for, each once.

    A source is a file, whatever its name; a glob (``texts/**/*.xz``); or a folder, which
    stands for every file below it that ends in one of ``suffixes``, compressed or not,
    hidden ones left out.  Each of these may be an address (``s3://bucket/texts``).  What a
    glob or folder stands for is sorted by path, so that a
    corpus is the same sequence of lines on every machine.

    Raises:
        FileProblemError: a source stands for no file.
    """
    found: dict[Path, None] = {}
    for source in sources:
        for path in _files(source, suffixes):
            found.setdefault(path)
    return tuple(found)


def _files(source: Path | str, suffixes: tuple[str, ...]) -> list[Path]:
    path = Path(source)
    distant = is_address(path)
    there = listing(path) if distant and not glob.has_magic(str(source)) else {}
    if (there and "" not in there) or path.is_dir():
        every = [path / name for name in there] or path.rglob("*")
        files = sorted(file for file in every if _belongs(file, path, suffixes))
        if not files:
            wanted = ", ".join(f"*{suffix}" for suffix in suffixes)
            raise FileProblemError(
                path,
                f"the folder holds no corpus file; expected {wanted} (also with "
                f"{' '.join(COMPRESSIONS)} behind it): name the files, or a glob",
            )
        return files
    if exists(path):
        return [path]
    if not glob.has_magic(str(source)):
        raise FileProblemError(path, "no such file")
    if distant:
        files = matching(path)
    else:
        # Not Path.glob: the pattern may be absolute, which that refuses.
        files = sorted(Path(name) for name in glob.glob(str(source), recursive=True))  # noqa: PTH207
        files = [file for file in files if file.is_file()]
    if not files:
        raise FileProblemError(source, "the pattern matches no file")
    return files


def _belongs(file: Path, folder: Path, suffixes: tuple[str, ...]) -> bool:
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        return False
    name = file.name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(suffixes) and (is_address(file) or file.is_file())


_log = logging.getLogger("lexsub")

BLOCK = 1 << 20
# A "line" beyond this is no sentence or paragraph but a file without line ends; it is cut
# at a blank so that memory stays bounded.
LONGEST_LINE = 1 << 22

BOM = b"\xef\xbb\xbf"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Under "surrogateescape" every undecodable byte becomes one of these.
_ESCAPED = dict.fromkeys(range(56448, 56576), REPLACEMENT) | {0: REPLACEMENT}


@dataclass(slots=True)
class CorpusReport:
    """What was met on the way; counts grow while the corpus is read.

    Attributes:
        files: files read to their end.
        lines: lines given out (blank ones are not).
        blank: blank lines, left out.
        bad_bytes: bytes that are not UTF-8, and NULs, by file; each was replaced by U+FFFD.
    """

    files: int = 0
    lines: int = 0
    blank: int = 0
    bad_bytes: dict[Path, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Corpus:
    """Text files, globs and folders, read as one stream.

    Attributes:
        sources: see :func:`lexsub.corpus.reader.corpus_files`.
        suffixes: which files of a folder belong to the corpus.
        blank: whether blank lines are given out, as empty ones.
    """

    sources: tuple[Path | str, ...]
    suffixes: tuple[str, ...] = TEXT_SUFFIXES
    blank: bool = False

    def files(self) -> tuple[Path, ...]:
        """Return the files in reading order.

        Raises:
            FileProblemError: a source stands for no file.
        """
        return corpus_files(self.sources, self.suffixes)

    def sha256(self) -> str:
        """Return a digest of the files' bytes (as stored, in reading order, names aside)."""
        digest = hashlib.sha256()
        for path in self.files():
            digest.update(bytes.fromhex(file_sha256(path)))
        return digest.hexdigest()

    def lines(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Yield the lines of all files without their line ends, blank lines left out.

        Lines end at LF or CR LF.  A byte order mark at a file's start is dropped; bytes
        that are not UTF-8 become U+FFFD, are counted in ``report`` and said.  A few megabytes
        are held at a time, whatever the size of the corpus.

        Raises:
            FileProblemError: a file cannot be read, or a source stands for none.
            FormatError: damaged compressed data, or UTF-16 text.
            MissingExtraError: zstd without its library.
        """
        report = CorpusReport() if report is None else report
        files = self.files()
        with measured("reading text, MB", partial(_megabytes, files)) as advance:
            for path in files:
                yield from file_lines(path, report, self.blank, advance)
                report.files += 1


def blocks_of(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield lists of lines of about ``size`` characters together.

    The cuts depend on the lines and on ``size`` alone, so that blocks can be handed to any number
    of workers and counted in any order.
    """
    block: list[str] = []
    held = 0
    for line in lines:
        block.append(line)
        held += len(line) + 1
        if held >= size:
            yield block
            block, held = [], 0
    if block:
        yield block


def file_lines(
    path: Path,
    report: CorpusReport,
    blank: bool = False,
    advance: Callable[[float], None] = lambda _: None,
    span: tuple[int, int] | None = None,
) -> Iterator[str]:
    """Yield the lines of a file as :meth:`Corpus.lines` does.

    Args:
        path: the file.
        report: grows on the way.
        blank: whether blank lines are given out.
        advance: told the megabytes read since it was told last.
        span: only lines whose first byte lies in this range; of plain files alone.
    """
    before = report.bad_bytes.get(path, 0)
    for raw in _raw_lines(path, advance, span):
        line = _text(raw, path, report).removesuffix("\r")
        if not line or line.isspace():
            report.blank += 1
            if blank:
                yield ""
            continue
        report.lines += 1
        yield line
    if bad := report.bad_bytes.get(path, 0) - before:
        _tell(path, bad, span)


@cache
def _tell(path: Path, bad: int, span: tuple[int, int] | None) -> None:
    """Say that a file, or a part of it, is not all text; once, however often it is read."""
    where = f" in bytes {span[0]} to {span[1]}" if span and span[0] else ""
    _log.warning(
        "lexsub: %s: %d bytes%s are no UTF-8 text; each is read as a sign that belongs to no word "
        "(if the file is Latin-1: iconv -f ISO-8859-1 -t UTF-8)",
        printable(str(path)),
        bad,
        where,
    )


def _megabytes(files: Sequence[Path]) -> float:
    return sum(size(path) for path in files if exists(path)) / 1e6


def _raw_lines(
    path: Path, advance: Callable[[float], None], span: tuple[int, int] | None
) -> Iterator[bytes]:
    with open_measured(path) as (stream, position):
        told = 0
        first = not (span and span[0])
        given = _span(stream, *span) if span else iter(partial(stream.read, BLOCK), b"")
        rest = next(given, b"")
        if first and rest.startswith((b"\xff\xfe", b"\xfe\xff")):
            way = "convert it (iconv -f UTF-16 -t UTF-8)"
            problem = "starts with a UTF-16 byte order mark; expected UTF-8 text"
            raise FormatError(path, 1, f"{problem}: {way}")
        rest = rest.removeprefix(BOM) if first else rest
        ended, returned = not first, False
        while True:
            *lines, rest = rest.split(b"\n")
            yield from lines
            ended = ended or bool(lines)
            returned = returned or (not ended and b"\r" in rest.rstrip(b"\r"))
            while len(rest) > LONGEST_LINE:
                cut = _cut(rest)
                yield rest[:cut]
                rest = rest[cut:]
            block = next(given, b"")
            here = position()
            advance((here - told) / 1e6)
            told = here
            if not block:
                break
            rest += block
        if returned and not ended:
            raise FormatError(path, 1, CARRIAGE_RETURNS)
        if rest:
            yield rest


def _span(stream: IO[bytes], start: int, stop: int) -> Iterator[bytes]:
    """Yield the lines that begin at a byte from ``start`` to before ``stop``, in blocks."""
    at = max(start - 1, 0)
    stream.seek(at)
    inside = start == 0
    while block := stream.read(BLOCK):
        begin, at = at, at + len(block)
        if not inside:
            # The first line of the range begins behind the first line end from start - 1 on.
            cut = block.find(b"\n") + 1
            if begin + cut >= stop or (not cut and at >= stop):
                return
            if not cut:
                continue
            block, begin, inside = block[cut:], begin + cut, True
        end = block.find(b"\n", max(stop - 1 - begin, 0)) + 1 if at >= stop else 0
        if block:
            yield block[:end] if end else block
        if end:
            return


def _cut(line: bytes) -> int:
    """Return where to cut an overlong line: behind a blank, else before a whole character."""
    cut = line.rfind(b" ", 1, LONGEST_LINE) + 1
    if not cut:
        cut = LONGEST_LINE
        while cut > LONGEST_LINE - 4 and line[cut] & 0xC0 == 0x80:
            cut -= 1
    return cut


def _text(raw: bytes, path: Path, report: CorpusReport) -> str:
    try:
        text = raw.decode()
        if "\0" not in text:
            return text
    except UnicodeDecodeError:
        text = raw.decode(errors="surrogateescape")
    bad = sum("\udc80" <= character <= "\udcff" or character == "\0" for character in text)
    report.bad_bytes[path] = report.bad_bytes.get(path, 0) + bad
    return text.translate(_ESCAPED)


PIECE = 16 << 20
"""Bytes of a plain file that one job reads."""


@dataclass(frozen=True)
class Piece:
    """The lines of a file that begin in a range of its bytes.

    It travels to a worker, its text does not.

    Attributes:
        path: the file.
        span: the first byte, and the one behind the last; None for the whole file.
    """

    path: Path
    span: tuple[int, int] | None = None

    def lines(self, report: CorpusReport) -> Iterator[str]:
        """Yield the lines as :meth:`Corpus.lines` does.

        Raises:
            FileProblemError: the file cannot be read.
            FormatError: damaged compressed data, or UTF-16 text.
        """
        return file_lines(self.path, report, span=self.span)


def pieces(corpus: Corpus, size: int = PIECE) -> list[Piece]:
    """Return the pieces of a corpus, in reading order.

    A plain file is cut every ``size`` bytes, at the next line end; a compressed one is one
    piece, since it can be read from its beginning alone.

    Raises:
        FileProblemError: a source stands for no file, or a file cannot be read.
    """
    found: list[Piece] = []
    for path in corpus.files():
        length = plain_size(path)
        if length is None:
            found.append(Piece(path))
            continue
        found += [
            Piece(path, (start, min(start + size, length))) for start in range(0, length, size)
        ]
    return found
