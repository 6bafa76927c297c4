"""What a model file says of its size, against its size: before KenLM believes it.

KenLM takes the numbers at the beginning of a file at their word: it asks for memory by them, and
looks in a binary file where they say.  Layouts: ``lm/binary_format.cc``, ``lm/vocab.cc`` and
``lm/read_arpa.cc`` of KenLM (format version 5).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

from lexsub.errors import FileProblemError, FormatError, os_problem
from lexsub.storage.compression import open_stream

AGAIN = "the file is damaged or no ARPA or KenLM binary file: train or import again"

MAGIC = b"mmap lm http://kheafield.com/code"
FIXED = struct.Struct("<BxxxfI?xxxI")
"""Order, probing multiplier, type, whether words are kept, version; behind 88 bytes of magic."""
BEGIN = 88
PROBING = (0, 1)
DENSEST = 100.0
"""Greatest probing multiplier; 1.5 is usual, and each asks for as much more of the file."""

HEAD = 1 << 16
BLOCK = 1 << 20


def check_model_file(path: Path) -> None:
    """Make sure that a model file is as large as its beginning says.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: it is not; says what does not fit.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    if head.startswith(MAGIC):
        problem = _binary_problem(head, path.stat().st_size)
    else:
        with open_stream(path) as stream:
            problem = _arpa_problem(stream)
    if problem:
        raise FormatError(path, None, f"{problem}; {AGAIN}")


def _binary_problem(head: bytes, size: int) -> str | None:
    if len(head) < BEGIN + FIXED.size:
        return f"{size} bytes; expected a longer file"
    order, multiplier, kind, _, _ = FIXED.unpack_from(head, BEGIN)
    start = BEGIN + FIXED.size + 8 * order
    start += -start % 8
    if order < 2 or len(head) < start + 8:
        return f"order {order} in {size} bytes; expected at least 2, and a longer file"
    if not 1 <= multiplier <= DENSEST:
        return f"a probing multiplier of {multiplier}; expected one from 1 to {DENSEST:g}"
    counts = struct.unpack_from(f"<{order}Q", head, BEGIN + FIXED.size)
    # An n-gram takes at least a bit. Within these bounds the sum that KenLM compares with the
    # size of the file cannot overflow.
    for n, count in enumerate(counts, start=1):
        if count > 8 * size:
            return f"{count} {n}-grams in {size} bytes"
    if kind not in PROBING:
        (words,) = struct.unpack_from("<Q", head, start)
        if words > counts[0]:
            return f"{words} words beside {counts[0]} 1-grams"
    return None


def _arpa_problem(stream: IO[bytes]) -> str | None:
    """Compare the numbers of n-grams with the bytes that so many take at least."""
    least = 0
    at_counts = False
    for _ in range(1000):
        line = stream.readline(HEAD).strip()
        if at_counts and not line.startswith(b"ngram "):
            break
        at_counts = at_counts or line == b"\\data\\"
        if line.startswith(b"ngram ") and at_counts:
            left, _, right = line.removeprefix(b"ngram ").partition(b"=")
            if not (right.strip().isdigit() and left.strip().isdigit() and len(right) < 20):
                return f"{line[:80].decode(errors='replace')!r}; expected ngram ORDER=NUMBER"
            # A digit, tab, words of one letter with a blank or line end behind each.
            least += int(right) * (2 + 2 * min(int(left), 99))
    if not at_counts:
        return None  # KenLM says what it is instead.
    held = 0
    while held < least:
        block = stream.read(BLOCK)
        if not block:
            return f"n-grams that would take {least} bytes or more, in {held}"
        held += len(block)
    return None
