"""KenLM: its module, which is asked; its files, before they are believed; its programs.

KenLM trusts the numbers at the beginning of a file: it allocates memory by them, and takes them for
places in a binary file.  So they are compared with the size of the file first.
Layouts: ``lm/binary_format.cc``, ``lm/vocab.cc``, ``lm/read_arpa.cc`` of KenLM (format version 5).
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FileProblemError, FormatError, LexsubError, needing
from lexsub.parts.limits import whole_number
from lexsub.rankers.lm.header import LmHeader, Window
from lexsub.storage.compression import open_stream


class KenlmModel:
    """An ARPA or KenLM binary file.

    One joined string for each window is the fastest way into KenLM from Python.
    """

    def __init__(self, folder: Path, header: LmHeader) -> None:
        self.header = header
        self.path = folder / header.file
        self._model = load_kenlm(self.path)
        header.check_order(self._model.order, self.path)
        self._score = self._model.score

    def log10(self, windows: Sequence[Window]) -> NDArray[np.float64]:
        """Return the log10 probability of each window."""
        return np.array([self._score(*window) for window in windows], np.float64)

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike."""
        scores = map(self._score, texts, repeat(bos), repeat(eos))
        return np.fromiter(scores, np.float64, len(texts))

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        return token in self._model


def load_kenlm(path: Path) -> Any:
    """Open ARPA text or a KenLM binary.

    Raises:
        MissingExtraError: kenlm is not installed.
        FormatError: the file is damaged, or not a model.
    """
    with needing(*NEEDS):
        kenlm = import_module("kenlm")
    if not path.is_file() or not os.access(path, os.R_OK):
        raise FormatError(path, None, "no such model file, or not readable; train the model again")
    check_model_file(path)
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        model = kenlm.Model(str(path), config)
    except (OSError, RuntimeError, ValueError) as error:
        raise FormatError(path, None, f"KenLM cannot read it: {_reason(error)}") from error
    return model


def _reason(error: Exception) -> str:
    # KenLM's messages are "Cannot read model 'x' (file.cc:12 in void f() threw T because `c'. …)".
    text = str(error)
    _, _, inner = text.partition("' (")
    text = inner.removesuffix(")") or text
    for mark in ("'. ", "because ", " threw "):
        _, found, rest = text.partition(mark)
        if found:
            text = rest
            break
    text = " ".join(text.split()).rstrip(" .")
    return f"{text}; {AGAIN}"


NEEDS = ("kenlm", "lm", "asking a language model")
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
    with open_stream(path) as stream:
        head = stream.read(HEAD)
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
    for _ in range(1000):
        if stream.readline(HEAD).strip() == b"\\data\\":
            break
    else:
        return None  # KenLM says what it is instead.
    least = held = 0
    while (line := stream.readline(HEAD).strip()).startswith(b"ngram "):
        left, _, right = line.removeprefix(b"ngram ").partition(b"=")
        order, size = whole_number(left.strip()), whole_number(right.strip())
        if order is None or size is None:
            return f"{line[:80].decode(errors='replace')!r}; expected ngram ORDER=NUMBER"
        # A digit, tab, words of one letter with a blank or line end behind each.
        least += size * (2 + 2 * min(order, 99))
    while held < least and (block := stream.read(BLOCK)):
        held += len(block)
    return f"n-grams that would take {least} bytes or more, in {held}" if held < least else None


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the programs are; None for one that is not there."""

    lmplz: Path | None
    build_binary: Path | None


def find_tools(given: Path | None = None) -> Tools:
    """Look for the programs: in the folder, or beside the lmplz, that is given, or else on PATH.

    Raises:
        FileProblemError: a place was given and lmplz is not there.
    """
    if given is not None:
        folder = given if given.is_dir() else given.parent
        if not _runs(folder / "lmplz"):
            raise FileProblemError(folder / "lmplz", "no such program; expected KenLM's lmplz")
    elif found := shutil.which("lmplz"):
        folder = Path(found).parent
    else:
        return Tools(None, None)
    binary = folder / "build_binary"
    return Tools(folder / "lmplz", binary if _runs(binary) else None)


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _last_line(text: str) -> str:
    """Return the last line of a program's messages that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" *-0123456789")]
    return lines[-1] if lines else "it printed nothing"


def run_lmplz(tool: Path, text: Path, arpa: Path, options: Sequence[str]) -> None:
    """Estimate a model with lmplz, given its options beside those that name files.

    The text is tokenised, one sentence a line, without blank lines (lmplz counts each as a
    sentence) and with a final newline.

    Raises:
        LexsubError: it fails; the text ends with what it printed last.
    """
    command = [str(tool), "--text", str(text), "--arpa", str(arpa)]
    command += ["--temp_prefix", f"{arpa.parent}/", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = _last_line(done.stderr)
        if "Could not calculate Kneser-Ney discounts" in done.stderr:
            reason = (
                "the text is too small or too regular for Kneser-Ney discounts: give more text, "
                "a lower order, or turn the discount fallback on"
            )
        raise LexsubError(f"lmplz failed ({done.returncode}): {reason}")


def run_build_binary(tool: Path, arpa: Path, binary: Path) -> None:
    """Turn an ARPA file into a KenLM binary (a trie: a third of the size, opened at once).

    Raises:
        LexsubError: it fails; the text ends with what it printed last.
    """
    command = [str(tool), "-T", f"{binary.parent}/", "trie", str(arpa), str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LexsubError(f"{tool} failed ({done.returncode}): {_last_line(done.stderr)}")
