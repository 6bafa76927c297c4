"""Formats of hand-made thesauri, each read into entries, in one pass and within bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from lexsub.errors import FormatError
from lexsub.storage.compression import open_stream, read_lines

LARGEST = 1 << 27
"""Bytes of an unpacked thesaurus; the largest known ones are a fifth of that."""

Relation = Literal["synonym", "similar", "related", "generic", "specific", "antonym"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


class Entry(NamedTuple):
    """Some substitutes of one or several target words.

    Attributes:
        targets: the target words.
        substitutes: in the order of the file; a target may be among its own.
        pos: n, v, a or r, or nothing where the thesaurus does not say.
        group: what they have in common, as the thesaurus names it.
        relation: what they are to the targets.
        scores: a value for each, or nothing.
    """

    targets: tuple[str, ...]
    substitutes: tuple[str, ...]
    pos: str = ""
    group: str = ""
    relation: Relation = "synonym"
    scores: tuple[float, ...] = ()


_POS = {
    name: pos
    for pos, names in {
        "n": "n noun nom subst sb substantiv",
        "v": "v verb verbe vb",
        "a": "a adj adjective adjectif s",
        "r": "r adv adverb adverbe",
    }.items()
    for name in names.split()
}

# As the English thesaurus of LibreOffice and those made by OpenThesaurus write them.
_NOTED: dict[Relation, str] = {
    "similar": "similar term",
    "related": "related term, assoziation",
    "generic": "generic term, hypernym, hyperonyme, oberbegriff",
    "specific": "specific term, hyponym, hyponyme, unterbegriff",
    "antonym": "antonym, antonyme, antonim, antónimo, antônimo, contraire, gegenteil, opposite",
}
_NOTES = {note: relation for relation, notes in _NOTED.items() for note in notes.split(", ")}
_REMARK = re.compile(r"\(([^()]*)\)")


def read_mythes(path: Path) -> Iterator[Entry]:
    """MyThes 2 (LibreOffice): an encoding, then ``word|n`` and n lines ``(pos)|syn|syn``.

    Behind a synonym may stand remarks in parentheses, which are no part of it: notes such as
    ``(antonym)`` or ``(generic term)`` name a relation, others (``(ugs.)``) a register or a
    field.  Blank lines say nothing.

    Source: the description of the data (``data_layout.txt``) that comes with MyThes 1.2.
    """
    encoding = _encoding(path)
    lines = ((n, line) for n, line in read_lines(path, encoding, LARGEST) if line.strip())
    try:
        next(lines, None)
    except LookupError:
        raise FormatError(
            path, 1, f"encoding {encoding[:40]!r}; expected one such as UTF-8 or ISO8859-1"
        ) from None
    for number, line in lines:
        word, bar, count = line.partition("|")
        if not bar or not count.strip().isdecimal() or len(count) > 9:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'word|number of senses'")
        target = (_joined(word),)
        for _ in range(int(count)):
            place, sense = next(lines, (0, ""))
            if not place:
                raise FormatError(
                    path, number, f"the file ends before the {int(count)} senses of {word[:60]!r}"
                )
            mark, *words = sense.split("|")
            if not words:
                raise FormatError(path, place, f"{sense[:60]!r}; expected '(pos)|synonym|…'")
            yield from _sense(target, mark, words)


def _encoding(path: Path) -> str:
    with open_stream(path) as stream:
        first, *_ = stream.read(200).removeprefix(b"\xef\xbb\xbf").splitlines() or [b""]
    return first.strip().decode("ascii", "replace").removeprefix("microsoft-")


def _sense(target: tuple[str, ...], mark: str, words: list[str]) -> Iterator[Entry]:
    name = mark.strip("()- ").lower().rstrip(".")
    found = [_without_remarks(word, _NOTES.get(name, "synonym")) for word in words]
    # Runs of a relation, so that the order of the file can be told.
    for relation, run in groupby((pair for pair in found if pair[0]), key=lambda pair: pair[1]):
        substitutes = tuple(word for word, _ in run)
        yield Entry(target, substitutes, _POS.get(name, ""), mark.strip(), relation)


def _without_remarks(text: str, relation: Relation) -> tuple[str, Relation]:
    # Nested remarks are removed from the inside out, at most three levels.
    for _ in range(3):
        if "(" not in text:
            break
        for remark in _REMARK.findall(text):
            for note in re.split("[,;]", remark):
                relation = _NOTES.get(note.strip(" .").lower(), relation)
        text = _REMARK.sub("", text)
    return _joined(text), relation


def _joined(text: str) -> str:
    return " ".join(text.split())


def read_moby(path: Path) -> Iterator[Entry]:
    """Moby: ``root,synonym,synonym…`` on a line, no parts of speech."""
    for number, line in read_lines(path, largest=LARGEST):
        root, *synonyms = (word.strip() for word in line.split(","))
        if root and not synonyms:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'root,synonym,…'")
        if root:
            yield Entry((root,), tuple(filter(None, synonyms)))


def read_roget(path: Path) -> Iterator[Entry]:
    """Roget's manner: a category a line, ``[pos.] word, word; word, word``.

    Semicolons part groups of near synonyms; a word's own groups come before the rest of
    their category.  Lines that start with ``#`` name the categories that follow.
    """
    head = ""
    for number, line in read_lines(path, largest=LARGEST):
        if not line.strip():
            continue
        if line.startswith("#"):
            head = line.lstrip("#").strip()
            continue
        match = re.match(r"\s*(?:(\w+)\.\s+)?(.*)", line)
        pos = _POS.get((match[1] or "").lower(), "") if match else ""
        text = match[2] if match and (pos or not match[1]) else line
        groups = [
            tuple(filter(None, (word.strip(" .") for word in group.split(","))))
            for group in text.split(";")
        ]
        words = tuple(word for group in groups for word in group)
        if len(words) < 2:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'word, word; word, …'")
        for group in filter(None, groups):
            yield Entry(group, group, pos, head or "group")
        # One list for all its words: a list for each would grow with the square of their number.
        yield Entry(tuple(dict.fromkeys(words)), words, pos, f"{head} (category)".strip())


def read_tsv(path: Path) -> Iterator[Entry]:
    """Tab-separated: target (``bright.a`` or ``bright``), substitute and, if any, a score."""
    for number, line in read_lines(path, largest=LARGEST):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) not in (2, 3) or not all(cell.strip() for cell in cells):
            raise FormatError(
                path, number, f"{line[:60]!r}; expected 'target<TAB>substitute[<TAB>score]'"
            )
        try:
            scores = (float(cells[2]),) if len(cells) == 3 else ()
        except ValueError:
            scores = (math.nan,)
        if not all(map(math.isfinite, scores)):
            raise FormatError(path, number, f"score {cells[2][:60]!r}; expected a number")
        word, dot, pos = cells[0].strip().rpartition(".")
        if not dot or pos not in ("n", "v", "a", "r"):
            word, pos = cells[0].strip(), ""
        yield Entry((word,), (cells[1].strip(),), pos, scores=scores)


FORMATS = {"mythes": read_mythes, "moby": read_moby, "roget": read_roget, "tsv": read_tsv}
