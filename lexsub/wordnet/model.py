"""What WordNet consists of: synsets, their words, the relations between them, and its base forms.

The values are named tuples, because hundreds of thousands are made when the whole database is
walked.  What reads a line of the database files (wndb(5WN), cntlist(5WN), senseidx(5WN)) raises
ValueError where it is of another shape; the index builder adds file and line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lexsub.errors import UnknownNameError

POS = "nvar"
"""Noun, verb, adjective, adverb, in WordNet's order of files; satellites (s) count as a."""

# Offsets have eight digits, so the keys of one part of speech follow one another.
FIRST_KEY = {"n": 0, "v": 100_000_000, "a": 200_000_000, "s": 200_000_000, "r": 300_000_000}


def synset_key(pos: str, offset: int) -> int:
    """Return the number by which a synset is stored: its part of speech and its offset."""
    return FIRST_KEY[pos] + offset


class Word(NamedTuple):
    """A word as a member of a synset (WordNet's "sense", NLTK's "lemma").

    Attributes:
        lemma: the word as written in WordNet, blanks as underscores, case kept.
        marker: where an adjective may stand: ``a`` before the noun, ``p`` predicate, ``ip``
            right behind the noun; "" for anywhere.
        lex_id: number that tells apart equal words in one lexicographer file.
        tagged: how often it was tagged in this sense in SemCor and the other tagged texts.
        frames: numbers of the verb frames it allows.
    """

    lemma: str
    marker: str
    lex_id: int
    tagged: int
    frames: tuple[int, ...]

    @property
    def text(self) -> str:
        """The word as people write it: blanks for underscores."""
        return self.lemma.replace("_", " ")

    @property
    def marked(self) -> str:
        """The word with its adjective marker, as the database files write it: ``galore(ip)``."""
        return f"{self.lemma}({self.marker})" if self.marker else self.lemma


class Pointer(NamedTuple):
    """A relation from a synset, or from one of its words, to another.

    Attributes:
        symbol: WordNet's sign for the relation, as ``@`` for hypernym.
        target: key of the synset pointed to.
        source_word: 1-based number of the word it starts from, 0 for the whole synset.
        target_word: 1-based number of the word it leads to, 0 for the whole synset.
    """

    symbol: str
    target: int
    source_word: int
    target_word: int


class Synset(NamedTuple):
    """A set of synonyms.

    Attributes:
        key: the number under which :meth:`WordNet.synset` finds it.
        offset: its name within a part of speech (the byte offset in Princeton's own file).
        kind: n, v, a, s (adjective satellite) or r.
        lexfile: number of its lexicographer file, 0-44.
        words: its words in WordNet's order.
        pointers: its pointers, and those of its words, in the file's order.
    """

    key: int
    offset: int
    kind: str
    lexfile: int
    words: tuple[Word, ...]
    pointers: tuple[Pointer, ...]

    @property
    def pos(self) -> str:
        """The part of speech: n, v, a or r (satellites are adjectives)."""
        return "a" if self.kind == "s" else self.kind

    def targets(self, symbol: str) -> list[int]:
        """Return the keys of the synsets to which the whole synset points by a relation."""
        return [p.target for p in self.pointers if p.symbol == symbol and p.source_word == 0]


_GLOSS_WORD = re.compile(r"[a-z]{4,}")


def content_words(text: str) -> list[str]:
    """Return the runs of four letters or more of a text, in lower case."""
    return _GLOSS_WORD.findall(text.lower())


def gloss_words(synset: Synset, gloss: str) -> frozenset[str]:
    """Return the words that a synset's gloss is compared by: its content words, and its own."""
    return frozenset((*content_words(gloss), *(word.lemma.lower() for word in synset.words)))


class Senses(NamedTuple):
    """A word's senses as a part of speech, the most usual first.

    Attributes:
        keys: of their synsets.
        tagged: how often it was tagged in each.
        lexfiles: numbers of their lexicographer files.
    """

    keys: tuple[int, ...]
    tagged: tuple[int, ...]
    lexfiles: tuple[int, ...]


# wninput(5WN); the names are the manual's, plural where a synset may have several.
RELATIONS = {
    "antonyms": "!",
    "hypernyms": "@",
    "instance-hypernyms": "@i",
    "hyponyms": "~",
    "instance-hyponyms": "~i",
    "member-holonyms": "#m",
    "substance-holonyms": "#s",
    "part-holonyms": "#p",
    "member-meronyms": "%m",
    "substance-meronyms": "%s",
    "part-meronyms": "%p",
    "attributes": "=",
    "derivations": "+",
    "topic": ";c",
    "topic-members": "-c",
    "region": ";r",
    "region-members": "-r",
    "usage": ";u",
    "usage-members": "-u",
    "entailments": "*",
    "causes": ">",
    "see-also": "^",
    "verb-group": "$",
    "similar-to": "&",
    "participle-of": "<",
    "pertainyms": "\\",
}

# Two steps: up by the first relation, down by the second.
COMPOUND = {"co-hyponyms": ("@", "~"), "co-satellites": ("&", "&")}


def relation_symbols(name: str) -> tuple[str, ...]:
    """Return the pointer signs of a relation, one a step.

    Raises:
        UnknownNameError: no such relation; lists the nearest names.
    """
    if name not in RELATIONS and name not in COMPOUND:
        raise UnknownNameError("WordNet relation", name, [*RELATIONS, *COMPOUND])
    return COMPOUND.get(name) or (RELATIONS[name],)


# (suffix, what replaces it); NLTK's list, in its order, which decides what comes first.
RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
          ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
          ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip

LONGEST = max(len(old) for rules in RULES.values() for old, _ in rules)


def guesses(form: str, pos: str, exceptions: Mapping[str, str]) -> list[str]:
    """Return what may be base forms of a word, the form itself first.

    Args:
        form: a word as WordNet's index writes it (lower case, underscores).
        pos: n, v, a or r.
        exceptions: the bases, apart by blanks, that the exception lists of the part of speech
            give for a form; they take the place of the rules.
    """
    irregular = exceptions.get(form)
    if irregular is not None:
        return list(dict.fromkeys([form, *irregular.split()]))
    stem, ending = form[:-LONGEST], form[-LONGEST:]
    return [stem + other for other in _endings(ending, pos)]


@lru_cache(10_000)
def _endings(ending: str, pos: str) -> tuple[str, ...]:
    """Return an ending of as many letters as the longest suffix, and what may take its place."""
    others = [ending[: -len(old)] + new for old, new in RULES[pos] if ending.endswith(old)]
    return tuple(dict.fromkeys([ending, *others]))


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
    pointers = []
    for i in range(at + 1, pointers_end, 4):
        there = FIRST_KEY[fields[i + 2]] + int(fields[i + 1])
        pointers.append(Pointer(fields[i], there, *divmod(int(fields[i + 3], 16), 256)))
    frames = _frames(fields[pointers_end:], size)
    words = []
    for number in range(size):
        lemma, marker = split_marker(fields[4 + 2 * number])
        count = counts[number] if counts else 0
        words.append(Word(lemma, marker, int(fields[5 + 2 * number], 16), count, frames[number]))
    key = synset_key(kind, offset)
    return Synset(key, offset, kind, lexfile, tuple(words), tuple(pointers))


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
