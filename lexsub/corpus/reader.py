"""The corpus as a stream of lines."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import IO

from lexsub.corpus.paths import TEXT_SUFFIXES, corpus_files
from lexsub.errors import FormatError
from lexsub.printable import printable
from lexsub.progress import measured
from lexsub.storage.addresses import exists, size
from lexsub.storage.compression import open_measured
from lexsub.storage.files import CARRIAGE_RETURNS, file_sha256

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
        cut_lines: pieces cut off lines that were too long to be held.
    """

    files: int = 0
    lines: int = 0
    blank: int = 0
    bad_bytes: dict[Path, int] = field(default_factory=dict)
    cut_lines: int = 0


@dataclass(frozen=True)
class Corpus:
    """Text files, globs and folders, read as one stream.

    Attributes:
        sources: see :func:`lexsub.corpus.paths.corpus_files`.
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

    def blocks(self, size: int = BLOCK, report: CorpusReport | None = None) -> Iterator[list[str]]:
        """Yield lists of lines of about ``size`` characters together.

        The cuts depend on the corpus and on ``size`` alone, so that blocks can be handed
        to any number of workers and counted in any order.
        """
        return blocks_of(self.lines(report), size)


def blocks_of(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield lists of lines of about ``size`` characters together."""
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
    for raw in _raw_lines(path, report, advance, span):
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
        "(if the file is Latin-1: iconv -f ISO-8859-1 -t UTF-8)", printable(str(path)), bad, where,
    )  # fmt: skip


def _megabytes(files: Sequence[Path]) -> float:
    return sum(size(path) for path in files if exists(path)) / 1e6


def _raw_lines(
    path: Path,
    report: CorpusReport,
    advance: Callable[[float], None],
    span: tuple[int, int] | None = None,
) -> Iterator[bytes]:
    with open_measured(path) as (stream, position):
        told = 0
        first = not (span and span[0])
        given = _span(stream, *span) if span else iter(partial(stream.read, BLOCK), b"")
        rest = next(given, b"")
        if first and rest.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FormatError(
                path,
                1,
                "starts with a UTF-16 byte order mark; expected UTF-8 text: "
                "convert it (iconv -f UTF-16 -t UTF-8)",
            )
        rest = rest.removeprefix(BOM) if first else rest
        ended, returned = not first, False
        while True:
            *lines, rest = rest.split(b"\n")
            yield from lines
            ended = ended or bool(lines)
            returned = returned or (not ended and b"\r" in rest.rstrip(b"\r"))
            while len(rest) > LONGEST_LINE:
                cut = _cut(rest)
                report.cut_lines += 1
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
