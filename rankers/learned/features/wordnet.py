"""What WordNet says of target and candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.parts.features import FEATURES, Feature
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache
from lexsub.wordnet import Synset, WordNet, index_form, inputs, open_wordnet
from lexsub.wordnet.model import content_words

RELATIONS = (
    "hypernyms", "hyponyms", "co-hyponyms", "similar-to", "co-satellites", "see-also",
    "verb-group", "antonyms", "derivations", "entailments", "attributes",
)  # fmt: skip
FARTHEST = 6
"""Steps up and down the hierarchy that are followed; farther is as far as unrelated."""

BETWEEN_WORDS = {"antonyms": "!", "derivations": "+"}
"""Relations of a word to a word, with their signs; the others are between synsets."""

_COLUMNS = ("synonyms", *RELATIONS)


@FEATURES.register("wordnet")
@dataclass(frozen=True)
class WordNetFeatures:
    """Relations, distances, senses and glosses.

    Where a relation holds between several senses, the target's most usual one counts.
    """

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        related = [
            Feature(name, f"1 / sense number of the target's first sense with {name} to it", False)
            for name in RELATIONS
        ]
        return [
            Feature("synonyms", "1 / number of the first sense shared, 0 for none", False),
            *related,
            Feature("shared", "number of synsets shared", False),
            Feature("share-of-target", "tagged uses of the target in related senses", False),
            Feature("share-of-candidate", "share of the candidate's tagged uses in them", False),
            Feature("sense-of-candidate", "1 / number of its first sense that is related", False),
            Feature("tagged", "ln (1 + tagged uses) of the candidate in that sense"),
            Feature("distance", "1 / (1 + steps between the nearest senses)"),
            Feature("distance-first", "the same from the target's first sense", False),
            Feature("depth", "minus its steps up to where the nearest senses meet", False),
            Feature("lexfile", "share of the candidate's senses in the target's first file", False),
            Feature("senses", "ln (1 + senses) of the candidate", False),
            Feature("target-senses", "ln (1 + senses) of the target", False),
            Feature("known", "whether WordNet has it: 2 as this part of speech, 1 as another",
                    False),
            Feature("in-gloss", "whether it stands in a gloss of the target", False),
            Feature("gloss-has-target", "whether the target stands in one of its glosses", False),
            Feature("lesk", "words of the sentence in the glosses of the related senses"),
            Feature("lesk-candidate", "words of the sentence in any gloss of the candidate"),
        ]  # fmt: skip

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files."""
        return inputs(resources)

    def open(self, resources: Resources) -> WordNetExtractor:
        """Open WordNet."""
        return WordNetExtractor(open_wordnet(resources))


@dataclass
class Pair:
    """What is known of a pair of words, whatever the sentence."""

    numbers: list[float]
    glosses: frozenset[int]
    own: frozenset[int]


@dataclass
class WordNetExtractor:
    """The working family; it keeps what it found of each pair."""

    wordnet: WordNet
    _pairs: BoundedCache[tuple[str, str, str], Pair] = field(
        default_factory=lambda: BoundedCache(5_000)
    )
    _targets: BoundedCache[tuple[str, str], Target] = field(
        default_factory=lambda: BoundedCache(64)
    )
    _words: BoundedCache[tuple[str, str], Word] = field(default_factory=lambda: BoundedCache(8_000))

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`WordNetFeatures`."""
        text = f"{item.text[: item.start]} {item.text[item.end :]}"
        words = frozenset(map(self.wordnet.gloss_number, content_words(text)))
        pairs = [self._pair(item.lemma, candidate.substitute, item.pos) for candidate in candidates]
        rows = [[*pair.numbers, len(words & pair.glosses), len(words & pair.own)] for pair in pairs]
        width = len(WordNetFeatures().features())
        return np.array(rows, dtype=np.float32).reshape(len(rows), width)

    def _pair(self, lemma: str, text: str, pos: str) -> Pair:
        return self._pairs.once((lemma, text, pos), lambda: self._compare(lemma, text, pos))

    def _compare(self, lemma: str, text: str, pos: str) -> Pair:
        target = self._targets.once((lemma, pos), lambda: Target.of(self.wordnet, lemma, pos))
        word = self._words.once((text, pos), lambda: Word.of(self.wordnet, text, pos))
        keys = word.numbers
        flags = [0.0] * len(_COLUMNS)
        for column, words in target.words.items():
            if word.form in words:
                flags[column] = 1 / words[word.form]
        # Sorted, so that the sum below is always added up in the same order.
        met = sorted(
            (column, keys[key], key, number)
            for key in target.related.keys() & keys
            for column, number in target.related[key]
        )
        related: dict[int, int] = {}  # key of a candidate's sense → number of the target's
        for column, _, key, number in met:
            flags[column] = max(flags[column], 1 / number)
            related[key] = min(number, related.get(key, number))
        of_related = [word.tagged[keys[key] - 1] for key in related]
        distance, first, depth = target.distance(word.above)
        numbers = [
            *flags,
            float(sum(column == 0 for column, *_ in met)),
            sum(target.shares[number - 1] for number in {*related.values()}),
            (sum(of_related) + 0.1 * bool(related)) / word.weight,
            1 / min(keys[key] for key in related) if related else 0.0,
            float(np.log1p(max(of_related, default=0))),
            1 / (1 + distance), 1 / (1 + first), depth,
            word.lexfiles.count(target.lexfile) / max(len(word.lexfiles), 1),
            word.senses, target.log_senses, word.known,
            float(self.wordnet.gloss_number(text.lower()) in target.gloss),
            float(target.number in word.gloss),
        ]  # fmt: skip
        return Pair(numbers, self.wordnet.gloss_numbers(related), word.gloss)


@dataclass(frozen=True)
class Word:
    """A candidate's senses, whatever the target.

    Attributes:
        form: as WordNet's index writes it.
        numbers: of its senses, from 1, by key.
        tagged: its tagged uses in each sense.
        weight: of them all.
        lexfiles: of each sense.
        senses: ln (1 + senses).
        known: 2 as this part of speech, 1 as another, else 0.
        gloss: numbers of the words of its first glosses (:meth:`WordNet.gloss_numbers`).
        above: synsets above any sense, with the fewest steps up to each
            (:meth:`WordNet.ancestors`).
    """

    form: str
    numbers: dict[int, int]
    tagged: Sequence[int]
    weight: float
    lexfiles: Sequence[int]
    senses: float
    known: float
    gloss: frozenset[int]
    above: dict[int, int]

    @classmethod
    def of(cls, wordnet: WordNet, text: str, pos: str) -> Word:
        """Look a candidate up."""
        form = index_form(text)
        keys, tagged, lexfiles = wordnet.senses(form, pos)
        return cls(
            form,
            {key: number for number, key in enumerate(keys, start=1)},
            tagged,
            sum(tagged) + 0.1 * len(keys) + 0.1,
            lexfiles,
            float(np.log1p(len(keys))),
            2.0 if keys else float(wordnet.knows(form)),
            wordnet.gloss_numbers(keys[:5]),
            wordnet.ancestors(keys, FARTHEST),
        )


@dataclass(frozen=True)
class Target:
    """A target's senses and what they lead to.

    Attributes:
        number: of its lemma among the words of glosses.
        related: by key of a synset the relations to it: their column, and the number of the
            first sense that has it.
        words: by column of a relation between words, and by word, the same number.
        shares: of each sense in its tagged uses.
        lexfile: of its first sense.
        gloss: numbers of the words of its glosses (:meth:`WordNet.gloss_numbers`).
        log_senses: ln (1 + senses).
        above: synsets above any sense, with the fewest steps up to each.
        above_first: the same of its first sense.
    """

    number: int | None
    related: dict[int, list[tuple[int, int]]]
    words: dict[int, dict[str, int]]
    shares: Sequence[float]
    lexfile: int
    gloss: frozenset[int]
    log_senses: float
    above: dict[int, int]
    above_first: dict[int, int]

    @classmethod
    def of(cls, wordnet: WordNet, lemma: str, pos: str) -> Target:
        """Look a target up."""
        bases = wordnet.readings(lemma, pos)
        base = bases[0] if bases else index_form(lemma)
        keys, counts, lexfiles = wordnet.senses(base, pos)
        tagged = np.array([count + 0.5 for count in counts])
        return cls(
            wordnet.gloss_number(lemma.lower()),
            _related(wordnet, keys),
            {_COLUMNS.index(name): _words(wordnet, keys, symbol, base)
             for name, symbol in BETWEEN_WORDS.items()},
            list(tagged / max(tagged.sum(), 1.0)),
            lexfiles[0] if lexfiles else -1,
            wordnet.gloss_numbers(keys),
            float(np.log1p(len(keys))),
            wordnet.ancestors(keys, FARTHEST),
            wordnet.ancestors(keys[:1], FARTHEST),
        )  # fmt: skip

    def distance(self, above: dict[int, int]) -> tuple[float, float, float]:
        """Return steps to a word from any sense and from the first, and minus how far up it is.

        ``above`` are the synsets above any sense of the word, with the fewest steps up to each.
        """
        mine, first = self.above, self.above_first
        met = above.keys() & mine.keys()
        if not met:
            return 2.0 * FARTHEST, 2.0 * FARTHEST, 0.0
        # Of equally near common hypernyms the one farthest from the word is taken.
        steps, depth = min([(mine[key] + above[key], -above[key]) for key in met])
        of_first = [first[key] + above[key] for key in met if key in first]
        return float(steps), float(min(of_first, default=2 * FARTHEST)), float(depth)


def _related(wordnet: WordNet, keys: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    found: dict[tuple[int, int], int] = {}  # key and column → number
    for number, key in enumerate(keys, start=1):
        found.setdefault((key, 0), number)
        sense = wordnet.synset(key)
        for column, name in enumerate(_COLUMNS):
            if column and name not in BETWEEN_WORDS:
                for other in wordnet.related_keys(sense, name):
                    found.setdefault((other, column), number)
    related: dict[int, list[tuple[int, int]]] = {}
    for (key, column), number in found.items():
        related.setdefault(key, []).append((column, number))
    return related


def _words(wordnet: WordNet, keys: Sequence[int], symbol: str, base: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, key in enumerate(keys, start=1):
        for word in _pointed(wordnet, wordnet.synset(key), symbol, base):
            found.setdefault(word, number)
    return found


def _pointed(wordnet: WordNet, sense: Synset, symbol: str, base: str) -> Iterator[str]:
    for pointer in sense.pointers:
        if pointer.symbol == symbol and pointer.source_word and pointer.target_word:
            source = sense.words[pointer.source_word - 1]
            if source.lemma.lower() == base:
                target = wordnet.synset(pointer.target)
                yield target.words[pointer.target_word - 1].lemma.lower()
