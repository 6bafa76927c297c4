"""A corpus cut into pieces, which worker processes read where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lexsub.corpus.reader import Corpus, CorpusReport, file_lines
from lexsub.storage.compression import plain_size

PIECE = 16 << 20
"""Bytes of a plain file that one job reads."""


class Piece(Protocol):
    """A part of a corpus.  It travels to a worker, its text does not."""

    def lines(self, report: CorpusReport) -> Iterator[str]:
        """Yield the lines, blank ones left out."""
        ...


@dataclass(frozen=True)
class FilePiece:
    """The lines of a file that begin in a range of its bytes.

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
            found.append(FilePiece(path))
            continue
        found += [
            FilePiece(path, (start, min(start + size, length))) for start in range(0, length, size)
        ]
    return found
