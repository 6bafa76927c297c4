"""A file of one's own as a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.compression import unpack
from lexsub.datasets import Dataset
from lexsub.errors import FormatError
from lexsub.files import decode, read_bytes, sha256
from lexsub.formats.own_data import SUFFIXES, parse_own_data
from lexsub.formats.semeval_lines import parse_gold
from lexsub.golds import Gold, GoldItem
from lexsub.items import Item, Lexelt
from lexsub.languages import language_of
from lexsub.resources import Resources


def is_own_file(name: str) -> bool:
    """Say whether a name in place of a data set's means a file of one's own."""
    return name.endswith(SUFFIXES)


def read_own_file(path: Path, folders: Sequence[Path], language: str = "en") -> Dataset:
    """Read a file of one's own; its columns are those of :mod:`lexsub.formats.own_data`.

    Args:
        path: the file; its name is the data set's.
        folders: where WordNet's files may be, which gives lemmas that are not in the file.
        language: ISO 639-1 code of its sentences; its lemmatiser gives those lemmas.

    Raises:
        LexsubError: the file cannot be read, or a row is not as expected; names the line.
    """
    data = read_bytes(path)
    rows = parse_own_data(decode(data, path), path)
    spoken = language_of(language)
    # Opened only where a row names no lemma.
    missing = any(not row.lemma for row in rows)
    lemmatiser = spoken.lemmatiser(Resources(data=tuple(folders))) if missing else None
    items, gold = [], {}
    for row in rows:
        marked = spoken.word(row.marked, None if row.lemma else lemmatiser)
        lexelt = Lexelt(row.lemma, marked.pos, marked.pos)
        if not row.lemma and lemmatiser is not None:
            lexelt = spoken.lexelts(marked, lemmatiser)[0]
        try:
            Lexelt.parse(str(lexelt))
        except ValueError as error:
            raise FormatError(path, row.line, str(error)) from error
        items.append(Item(row.id, lexelt, marked.text, marked.start, marked.end))
        if row.weights:
            gold[row.id] = GoldItem(row.id, str(lexelt), row.weights, line=row.line)
    digest = sha256(data)
    files = {path: digest}
    return Dataset(path.name, tuple(items), Gold(path.name, gold, digest), files, language)


def read_gold_alone(path: Path, language: str) -> Dataset:
    """Read a gold's file as a data set: of each item the target's lemma stands for the sentence.

    Raises:
        LexsubError: the file cannot be read, or a line is not as expected; names it.
    """
    data = read_bytes(path)
    gold = parse_gold(decode(unpack(data, path), path), path)
    items = []
    for one in gold.values():
        try:
            lexelt = Lexelt.parse(one.lexelt)
        except ValueError as error:
            raise FormatError(path, one.line, str(error)) from error
        items.append(Item(one.id, lexelt, lexelt.lemma, 0, len(lexelt.lemma)))
    digest = sha256(data)
    files = {path: digest}
    return Dataset(path.name, tuple(items), Gold(path.name, gold, digest), files, language)
