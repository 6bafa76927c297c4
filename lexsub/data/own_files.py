"""A file of the user's as a data set."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from lexsub.datasets import Dataset, Gold, GoldItem, Item, Lexelt
from lexsub.errors import FormatError, MissingExtraError
from lexsub.formats.own_data import SUFFIXES, OwnRow, Refuse, at_once, parse_own_data
from lexsub.formats.semeval_lines import parse_gold
from lexsub.formats.simplification import HEADING, has_ranks, is_simplification, targets_of
from lexsub.languages import Language, language_of
from lexsub.languages.word_lists import WORD
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources
from lexsub.storage.compression import unpack
from lexsub.storage.files import decode, read_bytes, sha256

_log = logging.getLogger("lexsub")


def is_own_file(name: str) -> bool:
    """Return True if a name in place of a data set's means a file of the user's."""
    return name.endswith(SUFFIXES)


def read_own_file(
    path: Path, folders: Sequence[Path], language: str = "en", refuse: Refuse = at_once
) -> Dataset:
    """Read a file of the user's; its columns are those of :mod:`lexsub.formats.own_data`.

    Args:
        path: the file; its name is the data set's.
        folders: where WordNet's files may be, which gives lemmas that are not in the file.
        language: ISO 639-1 code of its sentences; its lemmatiser gives those lemmas.
        refuse: is given what is wrong with a row; where it returns, the row is left out.

    Raises:
        LexsubError: the file cannot be read, or a row is not as expected; names the line.
    """
    data = read_bytes(path)
    text = decode(data, path)
    if path.suffix == ".tsv" and is_simplification(text):
        return read_simplification(data, path, folders, language)
    rows = parse_own_data(text, path, refuse)
    spoken = language_of(language)
    # Opened only where a row names no lemma.
    resources = Resources(data=tuple(folders))
    missing = any(not row.lemma for row in rows)
    lemmatiser = spoken.lemmatiser(resources) if missing else None
    elsewhere = _check_lemmas(rows, path, spoken, resources, refuse)
    items, gold = [], {}
    for row in rows:
        if row.line in elsewhere:
            continue
        marked = row.marked
        if row.lemma.lower() != marked.target.lower():
            marked = spoken.word(marked, None if row.lemma else lemmatiser)
        lexelt = Lexelt(row.lemma, marked.pos, marked.pos)
        if not row.lemma and lemmatiser is not None:
            lexelt = spoken.lexelts(marked, lemmatiser)[0]
        try:
            Lexelt.parse(str(lexelt))
        except ValueError as error:
            refuse(FormatError(path, row.line, str(error)))
            continue
        items.append(Item(row.id, lexelt, marked.text, marked.start, marked.end))
        if row.weights:
            gold[row.id] = GoldItem(row.id, str(lexelt), row.weights, line=row.line)
    digest = sha256(data)
    files = {path: digest}
    return Dataset(path.name, tuple(items), Gold(path.name, gold, digest), files, language)


def _check_lemmas(
    rows: Sequence[OwnRow], path: Path, language: Language, resources: Resources, refuse: Refuse
) -> set[int]:
    """Return the lines where a form of the lemma stands elsewhere in the sentence: refused.

    Where the target is no known form of its lemma, and no other word is either, a remark says so.
    """
    elsewhere: set[int] = set()
    doubtful = [row for row in rows if row.lemma and not _alike(row.marked.target, row.lemma)]
    if not doubtful:
        return elsewhere
    try:
        lemmatiser = language.lemmatiser(resources)
    except MissingExtraError:
        return elsewhere
    doubtful = [
        row for row in doubtful if not language.is_form(row.marked.target, row.lemma, lemmatiser)
    ]
    for row in doubtful:
        text, start, end = row.marked.text, row.marked.start, row.marked.end
        for other in WORD.findall(f"{text[:start]} {text[end:]}"):
            if row.line not in elsewhere and language.is_form(other, row.lemma, lemmatiser):
                elsewhere.add(row.line)
                problem = (
                    f"the target is {row.marked.target!r}, but the lemma {row.lemma!r}, of which "
                    f"{other!r} in this sentence is a form; expected the place of that word"
                )
                refuse(FormatError(path, row.line, problem))
    if doubtful:
        first = doubtful[0]
        _log.warning(
            f"lexsub: {path}: of {len(doubtful)} rows the target is no known form of the lemma "
            f"(first: line {first.line}, {first.marked.target!r} of {first.lemma!r})"
        )
    return elsewhere


def _alike(target: str, lemma: str) -> bool:
    """Return True if a form may do without being looked up: it begins as its lemma does."""
    return target.lower()[:3] == lemma.lower()[:3]


def text_of_simplification(content: bytes, path: Path) -> str | None:
    """Return the text of a file of lexical simplification; None where it is something else.

    LexMTurk as it goes round is Latin-1, a few letters damaged; other files are UTF-8.

    Raises:
        FormatError: the file is of a kind that holds no text.
    """
    text = content.decode(errors="replace")
    if not is_simplification(text):
        return None
    latin = text.startswith(HEADING) and "\ufffd" in text
    return decode(content, path, "latin-1" if latin else "utf-8")


def read_simplification(
    data: bytes, path: Path, folders: Sequence[Path], language: str = "en", name: str = ""
) -> Dataset:
    """Read a file of lexical simplification; see :mod:`lexsub.formats.simplification`.

    Lemma and part of speech, which none of the formats gives, are the likeliest by the language's
    rules, as ``lexsub suggest`` takes them.  Answers are compared by the rules of TSAR-2022's
    script (``tsar``); in LexMTurk and where there are ranks, as LEXenstein does (``exact``).

    Args:
        data: the file's bytes.
        path: the file.
        folders: where WordNet's files may be.
        language: ISO 639-1 code.
        name: of the data set; the file's where there is none.

    Raises:
        LexsubError: a line is not as expected; names it.
    """
    content = unpack(data, path)
    text = text_of_simplification(content, path) or decode(content, path)
    spoken = language_of(language)
    lemmatiser = spoken.lemmatiser(Resources(data=tuple(folders)))
    items, gold = [], {}
    for one, start, end in targets_of(text, path):
        lexelt = spoken.lexelts(Marked(one.text, start, end), lemmatiser)[0]
        items.append(Item(one.id, lexelt, one.text, start, end))
        if one.answers:
            lines = GoldItem(one.id, str(lexelt), one.weights, line=one.line, target=one.word)
            gold[one.id] = lines
    name, digest = name or path.name, sha256(data)
    policy = "exact" if has_ranks(text) or text.startswith(HEADING) else "tsar"
    read = Gold(name, gold, digest, normalisation=policy)
    return Dataset(name, tuple(items), read, {path: digest}, language)


def read_gold_alone(path: Path, language: str, folders: Sequence[Path] = ()) -> Dataset:
    """Read a gold's file as a data set: of each item the target's lemma stands for the sentence.

    One of lexical simplification has the sentences (:func:`read_simplification`).

    Raises:
        LexsubError: the file cannot be read, or a line is not as expected; names it.
    """
    data = read_bytes(path)
    content = unpack(data, path)
    if text_of_simplification(content, path) is not None:
        return read_simplification(data, path, folders, language)
    gold = parse_gold(decode(content, path), path)
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
