"""Lines of WordNet's database files (wndb(5WN), cntlist(5WN), senseidx(5WN)).

Each function reads one line and raises ValueError where it is of another shape; the index
builder adds file and line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsub.wordnet.model import FIRST_KEY, Pointer, Synset, Word, synset_key

SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

# Compiled into Princeton's own library, so that copies without a lexnames file (Debian's)
# are complete; lexnames(5WN).
_LEXNAMES = {
    "adj": "all pert",
    "adv": "all",
    "noun": "Tops act animal artifact attribute body cognition communication event feeling food "
    "group location motive object person phenomenon plant possession process quantity relation "
    "shape state substance time",
    "verb": "body change cognition communication competition consumption contact creation emotion "
    "motion perception possession social stative weather",
}
LEXNAMES = (
    *(f"{kind}.{name}" for kind, names in _LEXNAMES.items() for name in names.split()),
    "adj.ppl",
)

_VERSION = re.compile(r"Word[Nn]et (\d+(?:\.\d+)*\+?) Copyright")


def find_version(text: str) -> str:
    """Return the version in a data file's licence header, or ``unknown``."""
    match = _VERSION.search(text[:4096])
    return match[1] if match else "unknown"


def parse_synset(line: str, counts: Sequence[int] = ()) -> Synset:
    """Read a line of a data file.

    Args:
        line: ``offset lexfile kind n word lex_id … p pointer … [frames] | gloss``.
        counts: the tag counts of its words, none for all zero.

    Raises:
        ValueError: the line is of another shape.
    """
    head, bar, _ = line.partition("|")
    fields = head.split()
    if not bar or len(fields) < 6:
        raise ValueError("expected 'offset lexfile kind words pointers | gloss'")
    offset, lexfile, kind = int(fields[0]), int(fields[1]), fields[2]
    size = int(fields[3], 16)
    at = 4 + 2 * size
    pointers_end = at + 1 + 4 * int(fields[at])
    pointers = tuple(
        [
            Pointer(
                fields[i],
                FIRST_KEY[fields[i + 2]] + int(fields[i + 1]),
                *divmod(int(fields[i + 3], 16), 256),
            )
            for i in range(at + 1, pointers_end, 4)
        ]
    )
    frames = _frames(fields[pointers_end:], size)
    words = []
    for number in range(size):
        lemma, marker = split_marker(fields[4 + 2 * number])
        count = counts[number] if counts else 0
        words.append(Word(lemma, marker, int(fields[5 + 2 * number], 16), count, frames[number]))
    key = synset_key(kind, offset)
    return Synset(key, offset, kind, lexfile, tuple(words), pointers)


def _frames(fields: list[str], size: int) -> list[tuple[int, ...]]:
    """Read ``n + frame word …`` into the frames of each word (word 00: all of them)."""
    if not fields:
        return [()] * size
    frames: list[list[int]] = [[] for _ in range(size)]
    for i in range(1, 1 + 3 * int(fields[0]), 3):
        word = int(fields[i + 2], 16)
        for number in range(size) if word == 0 else (word - 1,):
            frames[number].append(int(fields[i + 1]))
    return [tuple(numbers) for numbers in frames]


def split_marker(text: str) -> tuple[str, str]:
    """Split ``galore(ip)`` into the word and its adjective marker ("" for none)."""
    if not text.endswith(")"):
        return text, ""
    lemma, _, marker = text.rpartition("(")
    return lemma, marker[:-1]


def parse_index_line(line: str) -> tuple[str, str, list[int]]:
    """Read a line of an index file: the word, its part of speech, its synsets' offsets.

    Raises:
        ValueError: the line is of another shape.
    """
    fields = line.split()
    if len(fields) < 7:
        raise ValueError("expected 'lemma pos n p pointers n tagged offsets'")
    synsets, pointers = int(fields[2]), int(fields[3])
    offsets = [int(field) for field in fields[6 + pointers :]]
    if len(offsets) != synsets:
        raise ValueError(f"{len(offsets)} offsets; expected {synsets}, the number of senses")
    return fields[0], fields[1], offsets


def sense_key(word: Word, synset: Synset, head: Word | None) -> str:
    """Return a word's sense key, the name by which the count files know it.

    Args:
        word: one of the synset's words.
        synset: the synset.
        head: for an adjective satellite the first word of its head synset.
    """
    kind = "nvars".index(synset.kind) + 1
    first, number = "", ""
    if head is not None:
        first, number = head.lemma, f"{head.lex_id:02d}"
    key = f"{word.lemma}%{kind}:{synset.lexfile:02d}:{word.lex_id:02d}:{first}:{number}"
    return key.lower()
