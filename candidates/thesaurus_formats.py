"""Formats of hand-made thesauri, each read into entries by target word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lexsub.corpus.compression import open_stream
from lexsub.errors import FormatError
from lexsub.files import decode


class Entry(NamedTuple):
    """Some substitutes of a target word.

    Attributes:
        target: the target word.
        pos: n, v, a or r, or nothing where the thesaurus does not say.
        substitutes: in the order of the file.
        group: what they have in common, as the thesaurus names it.
        scores: a value for each, or nothing.
    """

    target: str
    pos: str
    substitutes: tuple[str, ...]
    group: str = ""
    scores: tuple[float, ...] = ()


_POS = {
    "n": "n", "noun": "n", "nom": "n", "subst": "n", "sb": "n", "substantiv": "n",
    "v": "v", "verb": "v", "verbe": "v", "vb": "v",
    "a": "a", "adj": "a", "adjective": "a", "adjectif": "a", "s": "a",
    "r": "r", "adv": "r", "adverb": "r", "adverbe": "r",
}  # fmt: skip


def read_lines(path: Path, encoding: str = "utf-8") -> list[str]:
    """Return the lines of a file, plain or compressed.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: bytes that are not of the encoding.
    """
    with open_stream(path) as stream:
        return decode(stream.read(), path, encoding).splitlines()


def read_mythes(path: Path) -> Iterator[Entry]:
    """MyThes 2 (LibreOffice): an encoding, then ``word|n`` and n lines ``(pos)|syn|syn``."""
    with open_stream(path) as stream:
        data = stream.read()
    encoding = data.partition(b"\n")[0].strip().decode("ascii", "replace")
    try:
        lines = decode(data, path, encoding).splitlines()
    except LookupError:
        raise FormatError(
            path, 1, f"encoding {encoding[:40]!r}; expected one such as UTF-8 or ISO8859-1"
        ) from None
    at = 1
    while at < len(lines):
        word, bar, count = lines[at].partition("|")
        if not bar or not count.strip().isdecimal():
            raise FormatError(path, at + 1, f"{lines[at][:60]!r}; expected 'word|number of senses'")
        senses = lines[at + 1 : at + 1 + int(count)]
        if len(senses) < int(count):
            raise FormatError(path, at + 1, f"the file ends before the {count} senses of {word!r}")
        for place, sense in enumerate(senses, at + 2):
            mark, *words = sense.split("|")
            if not words:
                raise FormatError(path, place, f"{sense[:60]!r}; expected '(pos)|synonym|…'")
            pos = _POS.get(mark.strip("()- ").lower().rstrip("."), "")
            # Remarks such as "(generic term)" stand behind a synonym.
            plain = (re.sub(r"\s*\([^()]*\)\s*$", "", text).strip() for text in words)
            yield Entry(word, pos, tuple(filter(None, plain)), mark.strip())
        at += 1 + int(count)


def read_moby(path: Path) -> Iterator[Entry]:
    """Moby: ``root,synonym,synonym…`` on a line, no parts of speech."""
    for number, line in enumerate(read_lines(path), 1):
        root, *synonyms = (word.strip() for word in line.split(","))
        if root and not synonyms:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'root,synonym,…'")
        if root:
            yield Entry(root, "", tuple(filter(None, synonyms)))


def read_roget(path: Path) -> Iterator[Entry]:
    """Roget's manner: a category a line, ``[pos.] word, word; word, word``.

    Semicolons part groups of near synonyms; a word's own group comes before the rest of
    its category.  Lines that start with ``#`` name the categories that follow.
    """
    head = ""
    for number, line in enumerate(read_lines(path), 1):
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
        if sum(map(len, groups)) < 2:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'word, word; word, …'")
        for group in groups:
            rest = tuple(word for other in groups if other is not group for word in other)
            for word in group:
                yield Entry(word, pos, group, head or "group")
                yield Entry(word, pos, rest, f"{head} (category)".strip())


def read_tsv(path: Path) -> Iterator[Entry]:
    """Tab-separated: target (``bright.a`` or ``bright``), substitute and, if any, a score."""
    for number, line in enumerate(read_lines(path), 1):
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
            raise FormatError(path, number, f"score {cells[2]!r}; expected a number") from None
        word, dot, pos = cells[0].strip().rpartition(".")
        if not dot or pos not in ("n", "v", "a", "r"):
            word, pos = cells[0].strip(), ""
        yield Entry(word, pos, (cells[1].strip(),), "", scores)


FORMATS: dict[str, Callable[[Path], Iterator[Entry]]] = {
    "mythes": read_mythes,
    "moby": read_moby,
    "roget": read_roget,
    "tsv": read_tsv,
}
