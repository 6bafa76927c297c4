"""LemmInflect without what takes it long.

That is spaCy, which it loads to lend it its functions, and its own lists of words, which it
parses whole when it is first asked, for almost a second; a sentence needs a few hundred of them.

What is not public in LemmInflect is touched here
alone; tests/test_adapters.py checks that it is as we know it, and names the version it was seen
with.
"""

from __future__ import annotations

import gzip
import sys
from bisect import bisect_left
from collections.abc import Callable
from copy import copy
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

from lexsub.errors import MissingExtraError


class _WithoutSpacy(MetaPathFinder):
    """Says that spaCy is not installed, to the thread that made it."""

    def __init__(self) -> None:
        self._thread = get_ident()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        if fullname == "spacy" and get_ident() == self._thread:
            raise ModuleNotFoundError(fullname)


@lru_cache(maxsize=1)
def lemminflect() -> Any:
    """Import LemmInflect.

    Raises:
        MissingExtraError: it is not installed.
    """
    # It loads spaCy, where there is one, to lend it its functions, which takes a second that
    # nobody here has any use for.
    finder = _WithoutSpacy()
    sys.meta_path.insert(0, finder)
    try:
        return import_module("lemminflect")
    except ImportError:
        raise MissingExtraError("lemminflect", "inflect", "inflecting candidates") from None
    finally:
        sys.meta_path.remove(finder)


@lru_cache(maxsize=1)
def is_installed() -> bool:
    """Return True if LemmInflect is there."""
    return find_spec("lemminflect") is not None


T = TypeVar("T")

Entry = dict[str, tuple[str, ...]]
"""Forms by tag, or lemmas by part of speech."""


class LazyTable:
    """A list of lines ``word,category,…``; of a dict LemmInflect only uses :meth:`get`."""

    def __init__(self, path: Path, parse: Callable[[str], Entry], fixed: dict[str, Entry]) -> None:
        self._parse, self._fixed = parse, fixed
        # The list comes almost sorted, which makes sorting it the quickest way to an index.
        self._lines = sorted(gzip.decompress(path.read_bytes()).decode().splitlines())
        if not self._lines or "," not in self._lines[0]:
            raise ValueError(f"{path} is no list of lines 'word,category,…'")

    def __iter__(self) -> Any:
        words = (line[: line.index(",")] for line in self._lines)
        return iter(dict.fromkeys([*words, *self._fixed]))

    def get(self, word: str, default: T) -> Entry | T:
        """Return what the list says of a word."""
        if word in self._fixed:
            return self._fixed[word]
        start = f"{word},"
        place = bisect_left(self._lines, start)
        if not self._has(place, start):
            return default
        entry: Entry = {}
        while self._has(place, start):
            entry |= self._parse(self._lines[place])
            place += 1
        return entry

    def _has(self, place: int, start: str) -> bool:
        return place < len(self._lines) and self._lines[place].startswith(start)


@cache
def make_lazy() -> None:
    """Have LemmInflect look words up in such tables, where it is as we know it; once for all.

    Another version of it may keep its tables otherwise: then it reads them as it does.

    Raises:
        MissingExtraError: it is not installed.
    """
    module = lemminflect()
    try:
        config = import_module("lemminflect.config")
        forms_of = import_module("lemminflect.codecs.InflectionLUCodec").InflectionLUCodec
        lemmas_of = import_module("lemminflect.codecs.LemmaLUCodec").LemmaLUCodec
        to_upos = import_module("lemminflect.core.LexicalUtils").categoryToUPos
        inflecting: Any = import_module("lemminflect.core.Inflections")
        inflections = module.Inflections()
        lemmatizer = module.Lemmatizer()

        def forms(line: str) -> Entry:
            found: Entry = forms_of.fromString(line)[2]
            return found

        def lemmas(line: str) -> Entry:
            _, category, found = lemmas_of.fromString(line)
            return {to_upos(category): found}

        fixed = forms_of.updateForAuxMod({})
        tables = (
            LazyTable(Path(config.inflection_lu_fn), forms, fixed),
            LazyTable(Path(config.lemma_lu_fn), lemmas, {}),
        )
    except (ImportError, AttributeError, ValueError, OSError):
        return
    inflections.infl_dict, lemmatizer.lemma_dict = tables
    # An entry is a dictionary of tuples, of which a plain copy is as good as a deep one.
    inflecting.deepcopy = copy
    # One form is found by way of all, anew for each tag, and all of a word are asked for in a row.
    # They are tuples, so that whoever asks may do as he likes with a copy.
    found = lru_cache(maxsize=1)(partial(type(inflections).getAllInflections, inflections))
    inflections.getAllInflections = lambda lemma, upos=None: dict(found(lemma, upos))
    guessed = lru_cache(maxsize=1)(partial(type(inflections).getAllInflectionsOOV, inflections))
    inflections.getAllInflectionsOOV = lambda lemma, upos: dict(guessed(lemma, upos))
