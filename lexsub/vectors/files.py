"""Take in files of vectors: word2vec's text and binary formats, GloVe's, and numpy's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import FormatError, Place
from lexsub.parts.limits import whole_number
from lexsub.storage.arrays import BAD_HEADER
from lexsub.storage.compression import open_stream
from lexsub.storage.files import CARRIAGE_RETURNS, file_sha256, read_bytes, refuse_other_kinds
from lexsub.vectors.folder import Keys, Numbers, VectorsHeader, write_vectors

Kind = Literal["auto", "word2vec-text", "word2vec-binary", "glove", "npy"]

PORTION = 4096
BLOCK = 1 << 20
NPY = b"\x93NUMPY"
LONGEST_WORD = 1000
"""Bytes; more before a blank is no word but a file of another kind."""
LARGEST = 100_000
"""Dimensions; more is no vector but a file of another kind."""

_NUMERIC = b"0123456789+-.eEinfaINFA"
_BOM = b"\xef\xbb\xbf"
_FOREIGN = {
    b"\xba\x16\x4f\x2f": "is a model of fastText; save its vectors as text first "
    "(fasttext print-word-vectors), or take the .vec file beside it",
    b"\x80\x02": "is a pickle",
    b"\x80\x03": "is a pickle",
    b"\x80\x04": "is a pickle",
    b"\x80\x05": "is a pickle",
}
"""First bytes of what is easily given in place of a file of vectors."""
_EXPECTED = (
    "; expected vectors of word2vec or GloVe (a pickle can run code and is never opened: save the "
    "vectors by save_word2vec_format)"
)

Entry = tuple[bytes, "NDArray[np.float32]"]
"""A word as it is written, and its vector."""


def convert(
    source: Path, folder: Path, kind: Kind = "auto", limit: int = 0, numbers: Numbers = "float32"
) -> VectorsHeader:
    """Write the vectors of a file, plain or compressed, into a folder of ours.

    Words that end in ``.n``, ``.v``, ``.a`` or ``.r``, all of them, are lemmas with their part
    of speech; otherwise words are forms.  Marks as ``</s>`` do not count there, and are left out
    where the others are lemmas.  A word that is not UTF-8, or a blank, is left out, as is the
    second of two equal ones.  Blanks inside a word become underscores.

    Args:
        source: the file; beside ``NAME.npy``, an array of one row a word, stands ``NAME.txt``
            with the words, one a line.
        folder: an empty folder.
        kind: its format; ``auto`` looks at how it begins.
        limit: take the first so many words (mostly the frequent ones); 0 takes all.
        numbers: what to write of each vector.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is not of its format, or ends early; names the line, or for a binary
            file the byte.
    """
    known = _sniff(source) if kind == "auto" else kind
    keys, order = _keys(source, known, limit)
    left_out = {"not UTF-8": 0, "marks": 0, "blank words": 0}

    def portions() -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        # Parts of speech may come mixed: each gets its turn.
        for wanted in order:
            words: list[str] = []
            rows: list[NDArray[np.float32]] = []
            for raw, vector in _entries(source, known, limit):
                if not raw.strip():
                    left_out["blank words"] += wanted == order[0]
                    continue
                try:
                    word = raw.decode()
                except UnicodeDecodeError:
                    left_out["not UTF-8"] += wanted == order[0]
                    continue
                if keys == "lexelt" and _is_mark(raw):
                    left_out["marks"] += wanted == order[0]
                if not word.endswith(wanted):
                    continue
                words.append(word.replace(" ", "_"))
                rows.append(vector)
                if len(words) == PORTION:
                    yield words, np.stack(rows)
                    words, rows = [], []
            if words:
                yield words, np.stack(rows)

    return write_vectors(
        folder,
        portions(),
        origin=known,
        keys=keys,
        joint=True,
        parameters={"limit": limit},
        sources=[
            {"kind": known, "file": path.name, "sha256": file_sha256(path)}
            for path in files_of(source)
        ],
        left_out=left_out,
        numbers=numbers,
    )


def files_of(source: Path) -> list[Path]:
    """Return a file of vectors, and that of its words where it has one."""
    return [source, source.with_suffix(".txt")] if source.suffix == ".npy" else [source]


def _keys(source: Path, kind: str, limit: int) -> tuple[Keys, tuple[str, ...]]:
    """Return what the words are, and the endings by which they are taken in turn."""
    met: dict[str, None] = {}
    endings = tuple(f".{pos}" for pos in PARTS_OF_SPEECH)
    for raw, _ in _entries(source, kind, limit):
        if _is_mark(raw) or not raw.strip():
            continue
        end = raw[-2:].decode(errors="replace")
        if end not in endings or len(raw) == 2:
            return "form", ("",)
        met.setdefault(end)
    return ("lexelt", tuple(met)) if met else ("form", ("",))


def _is_mark(raw: bytes) -> bool:
    return raw.startswith(b"<") and raw.endswith(b">")


def _sniff(path: Path) -> str:
    """Return the format of a file by its beginning.

    Raises:
        FormatError: it begins like none of them.
    """
    with open_stream(path) as stream:
        head = stream.read(1 << 16)
    if head.startswith(NPY) and path.suffix == ".npy":
        return "npy"
    refuse_other_kinds(head, path)
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise FormatError(path, None, what + _EXPECTED)
    first, _, rest = head.removeprefix(_BOM).partition(b"\n")
    counts = _counts(first)
    if counts is None:
        if b"\0" in head:
            raise FormatError(path, None, "holds NUL bytes and no head" + _EXPECTED)
        return "glove"
    # In text the second line is a word and numbers in digits; the bytes of float32 are not digits.
    numbers = rest.partition(b"\n")[0].split()[1:][-max(counts[1], 1) :]
    in_digits = numbers and not b"".join(numbers).strip(_NUMERIC)
    return "word2vec-text" if in_digits else "word2vec-binary"


def _entries(path: Path, kind: str, limit: int) -> Iterator[Entry]:
    if kind == "npy":
        yield from islice(_array(path), limit or None)
        return
    with open_stream(path) as stream:
        found = _binary(stream, path) if kind == "word2vec-binary" else _text(stream, path, kind)
        for number, entry in enumerate(found, start=1):
            yield entry
            if number == limit:
                return


def _array(path: Path) -> Iterator[Entry]:
    names = path.with_suffix(".txt")
    words = read_bytes(names).removesuffix(b"\n").split(b"\n")
    try:
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except BAD_HEADER as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(path, None, f"is no whole array of numpy ({reason})") from error
    if rows.ndim != 2 or rows.dtype.kind != "f" or len(rows) != len(words):
        raise Place(path).fault(
            f"an array of {rows.dtype} of shape {rows.shape}; expected one row of "
            f"floating-point numbers for each of the {len(words)} lines of {names.name}"
        )
    for number, (raw, row) in enumerate(zip(words, rows, strict=True), start=1):
        raw = raw.removesuffix(b"\r")
        if not raw:
            raise FormatError(names, number, "an empty line; expected a word")
        vector = _narrowed(row)
        _check(vector, Place(path, number), raw)
        yield raw, vector


def _text(stream: IO[bytes], path: Path, kind: str) -> Iterator[Entry]:
    words = dimensions = 0
    number = given = 0
    for number, line in enumerate(_lines(stream, path), start=1):
        at = Place(path, number)
        if number == 1:
            line = line.removeprefix(_BOM)
        if number == 1 and kind == "word2vec-text":
            words, dimensions = _head(line, path)
            continue
        if not line.strip() and not dimensions:
            break
        if not dimensions:
            dimensions = _width(line, at)
        # A few GloVe words hold blanks: the numbers are what stands last.
        cells = line.split()
        pieces, numbers = cells[:-dimensions], cells[-dimensions:]
        # A word that is a blank (a line begins with it, and all its cells are numbers) is none.
        if not pieces and not (line[:1].isspace() and len(cells) == dimensions):
            expected = f"a word and {dimensions} numbers"
            raise at.fault(f"{max(len(cells) - 1, 0)} numbers; expected {expected}")
        # A head gives the width; without one, a number too many may also be the word's own.
        if kind == "glove" and len(pieces) > 1 and _is_number(pieces[-1]):
            expected = f"a word and {dimensions}, as in the first line"
            raise at.fault(f"more than {dimensions} numbers; expected {expected}")
        try:
            vector = _narrowed(list(map(float, numbers)))
        except ValueError as error:
            raise at.fault(f"{error}; expected {dimensions} numbers") from error
        raw = b" ".join(pieces)
        _check(vector, at, raw)
        given += 1
        yield raw, vector
    if kind == "word2vec-text" and given != words:
        end = Place(path, number)
        raise end.fault(f"ends after {given} words; expected {words}, as line 1 says")
    if not given:
        raise FormatError(path, None, "holds no vectors; expected a word and its numbers a line")


def _narrowed(numbers: Any) -> NDArray[np.float32]:
    """Return numbers in single precision; one that is too large is infinite, and refused later."""
    with np.errstate(over="ignore"):
        return np.asarray(numbers).astype(np.float32)


def _is_number(raw: bytes) -> bool:
    # With a point, as numbers of vectors are written: words may end in a whole number.
    try:
        return b"." in raw and bool(np.isfinite(float(raw)))
    except ValueError:
        return False


def _lines(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    rest = b""
    number = 0
    while block := stream.read(BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        number += len(lines)
        yield from lines
        if len(rest) > 64 * BLOCK:
            raise FormatError(path, number + 1, "is too long a line for a word and its vector")
    if not number and b"\r" in rest.rstrip(b"\r"):
        raise FormatError(path, 1, CARRIAGE_RETURNS)
    if rest:
        yield rest


def _binary(stream: IO[bytes], path: Path) -> Iterator[Entry]:
    """Read ``words dimensions LF``, then for each word its bytes, a blank and its float32."""
    whole, first = Place(path), stream.readline(100)
    words, dimensions = _head(first.removesuffix(b"\n"), path)
    size, held, offset = 4 * dimensions, b"", len(first)
    for index in range(words):
        # word2vec itself writes a line end behind each vector; others do not.
        while (blank := held.find(b" ")) < 0 or len(held) - blank - 1 < size:
            if blank > LONGEST_WORD or (blank < 0 and len(held) > LONGEST_WORD):
                raise whole.fault(
                    f"at byte {offset}: no blank behind a word; expected word "
                    f"{index + 1} of {words}, a blank and {dimensions} float32"
                )
            block = stream.read(max(BLOCK, size))
            if not block:
                raise whole.fault(
                    f"ends at byte {offset + len(held)} inside word {index + 1}, which "
                    f"begins at byte {offset}; expected {words} words, as its first line says: "
                    "copy or download it again"
                )
            held += block
        raw = held[:blank].lstrip(b"\n")
        vector = np.frombuffer(held, "<f4", dimensions, blank + 1)
        if not raw:
            raise whole.fault(f"at byte {offset}: an empty word; expected a word")
        _check(vector, whole, raw, f"at byte {offset}: ")
        yield raw, vector
        used = blank + 1 + size
        held, offset = held[used:], offset + used
    rest = held + stream.read(BLOCK)
    if rest.strip(b"\n"):
        raise whole.fault(
            f"goes on at byte {offset} behind its {words} words of {dimensions} "
            "numbers; expected its end: the first line does not fit the rest"
        )


def _check(vector: NDArray[np.float32], at: Place, raw: bytes, place: str = "") -> None:
    if not np.isfinite(vector).all():
        word, bad = raw.decode(errors="replace"), vector[~np.isfinite(vector)][0]
        raise at.fault(f"{place}the vector of {word!r} holds {bad}; expected finite numbers")


def _counts(line: bytes) -> tuple[int, int] | None:
    cells = line.split()
    if len(cells) != 2:
        return None
    words, width = map(whole_number, cells)
    return None if words is None or width is None else (words, width)


def _head(line: bytes, path: Path) -> tuple[int, int]:
    counts = _counts(line)
    if counts is None or not (0 < counts[0] < 1 << 40 and 0 < counts[1] <= LARGEST):
        shown = line[:60].decode(errors="replace")
        expected = "the number of words and of dimensions, as '400000 300'"
        raise FormatError(path, 1, f"{shown!r}; expected {expected}")
    return counts


def _width(line: bytes, at: Place) -> int:
    """Return how many numbers end a line: what its vectors' dimensions are."""
    cells = line.split()
    width = 0
    for cell in reversed(cells[1:]):
        try:
            float(cell)
        except ValueError:
            break
        width += 1
    if not 0 < width <= LARGEST:
        shown = line[:60].decode(errors="replace")
        raise at.fault(f"{shown!r}; expected a word and its numbers")
    return width
