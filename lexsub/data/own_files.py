"""A file of one's own as a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.datasets import Dataset
from lexsub.errors import FormatError
from lexsub.files import decode, read_bytes, sha256
from lexsub.formats.own_data import SUFFIXES, OwnRow, parse_own_data
from lexsub.golds import Gold, GoldItem
from lexsub.items import Item, Lexelt
from lexsub.resources import Resources


def is_own_file(name: str) -> bool:
    """Say whether a name in place of a data set's means a file of one's own."""
    return name.endswith(SUFFIXES)


def read_own_file(path: Path, folders: Sequence[Path]) -> Dataset:
    """Read a file of one's own; its columns are those of :mod:`lexsub.formats.own_data`.

    Args:
        path: the file; its name is the data set's.
        folders: where WordNet's files may be, which gives lemmas that are not in the file.

    Raises:
        LexsubError: the file cannot be read, or a row is not as expected; names the line.
    """
    data = read_bytes(path)
    rows = parse_own_data(decode(data, path), path)
    lemmas = _base_forms(rows, folders)
    items, gold = [], {}
    for row in rows:
        marked = row.marked
        lemma = row.lemma or lemmas[marked.target, marked.pos]
        lexelt = Lexelt(lemma, marked.pos, marked.pos)
        try:
            Lexelt.parse(str(lexelt))
        except ValueError as error:
            raise FormatError(path, row.line, str(error)) from error
        items.append(Item(row.id, lexelt, marked.text, marked.start, marked.end))
        if row.weights:
            gold[row.id] = GoldItem(row.id, str(lexelt), row.weights, line=row.line)
    digest = sha256(data)
    return Dataset(path.name, tuple(items), Gold(path.name, gold, digest), {path: digest})


def _base_forms(rows: Sequence[OwnRow], folders: Sequence[Path]) -> dict[tuple[str, str], str]:
    """Return the lemma of every target whose row names none: its most frequent base form."""
    wanted = {(row.marked.target, row.marked.pos) for row in rows if not row.lemma}
    if not wanted:
        return {}
    # A file with lemmas does without WordNet.
    from lexsub.wordnet import open_wordnet

    wordnet = open_wordnet(Resources(data=tuple(folders)))
    found = {}
    for target, pos in sorted(wanted):
        form = target.lower()
        bases = wordnet.base_forms(form.replace(" ", "_"), pos)
        best = max(bases, key=lambda base: wordnet.count(base, pos), default=form)
        found[target, pos] = best.replace("_", " ")
    return found
