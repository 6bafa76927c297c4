"""What WordNet says of target and candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.arrays import changes
from lexsub.storage.memory import BoundedCache
from lexsub.wordnet import WordNet, index_form, inputs, open_wordnet
from lexsub.wordnet.arrays import Above, Longs
from lexsub.wordnet.model import Senses, Synset, content_words, relation_symbols

_RELATIONS = (
    "hypernyms hyponyms co-hyponyms similar-to co-satellites see-also verb-group antonyms "
    "derivations entailments attributes"
)
RELATIONS = tuple(_RELATIONS.split())
FARTHEST = 6
"""Steps up and down the hierarchy that are followed; farther is as far as unrelated."""

BETWEEN_WORDS = {"antonyms": "!", "derivations": "+"}
"""Relations of a word to a word, with their signs; the others are between synsets."""

_COLUMNS = ("synonyms", *RELATIONS)
COMPARED = len(_COLUMNS) + 5
"""Columns that are 0 for a candidate without a sense related to the target's."""
GLOSSES = 5
"""Senses of a candidate whose glosses are looked into."""
NO_SENSES = Senses((), (), ())


@dataclass(frozen=True)
class WordNetFeatures(FeatureFamily):
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
            Feature(
                "known", "whether WordNet has it: 2 as this part of speech, 1 as another", False
            ),
            Feature("in-gloss", "whether it stands in a gloss of the target", False),
            Feature("gloss-has-target", "whether the target stands in one of its glosses", False),
            Feature("lesk", "words of the sentence in the glosses of the related senses"),
            Feature("lesk-candidate", "words of the sentence in any gloss of the candidate"),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files."""
        return inputs(resources)

    def open(self, resources: Resources) -> WordNetExtractor:
        """Open WordNet."""
        return WordNetExtractor(open_wordnet(resources))


@dataclass
class WordNetExtractor(Extractor):
    """The working family; it keeps what it found of each target."""

    wordnet: WordNet
    _targets: BoundedCache[tuple[str, str], Target] = field(
        default_factory=lambda: BoundedCache(64)
    )

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`WordNetFeatures`."""
        wordnet, key = self.wordnet, (item.lemma, item.pos)
        target = self._targets.once(key, lambda: Target.of(wordnet, *key))
        texts = [candidate.substitute for candidate in candidates]
        forms = list(map(index_form, texts))
        known = wordnet.all_senses(forms, item.pos)
        found = [known.get(form, NO_SENSES) for form in forms]
        result = np.zeros((len(texts), COMPARED + 11))
        for column, words in target.words.items():
            result[:, column] = [1 / words[form] if form in words else 0.0 for form in forms]
        related = [target.compare(senses, row) for senses, row in zip(found, result, strict=True)]
        own = wordnet.gloss_numbers(*_joined([senses.keys[:GLOSSES] for senses in found]))
        of_related = wordnet.gloss_numbers(*_joined(related))
        around = f"{item.text[: item.start]} {item.text[item.end :]}"
        beside = set(map(wordnet.gloss_number, content_words(around)))
        # The target's and its first sense's own stand behind those of the candidates.
        keys = [*(senses.keys for senses in found), target.keys, target.keys[:1]]
        above = wordnet.ancestors(*_joined(keys), FARTHEST)
        result[:, COMPARED:] = np.stack(
            [
                *_distances(above, len(texts)),
                [one.lexfiles.count(target.lexfile) / max(len(one.lexfiles), 1) for one in found],
                np.log1p([len(one.keys) for one in found]),
                np.full(len(texts), target.log_senses),
                [
                    2.0 if one.keys else float(form in known)
                    for form, one in zip(forms, found, strict=True)
                ],
                [text.lower() in target.gloss for text in texts],
                _count(own, {target.number}, len(texts)),
                _count(of_related, beside, len(texts)),
                _count(own, beside, len(texts)),
            ],
            axis=1,
        )
        return result.astype(np.float32)


def _joined(keys: Sequence[Iterable[int]]) -> tuple[list[int], list[int]]:
    """Return the keys of all words, word by word, and the number of the word of each."""
    pairs = [(key, word) for word, some in enumerate(keys) for key in some]
    return [key for key, _ in pairs], [word for _, word in pairs]


def _count(
    glosses: tuple[Longs, Longs], words: Iterable[int | None], size: int
) -> NDArray[np.int64]:
    """Return how many of some words, by number, stand in the glosses of each of ``size`` owners."""
    numbers, owners = glosses
    wanted = np.array([word for word in words if word is not None], np.int64)
    here = np.isin(numbers, wanted)
    pairs = np.sort(owners[here] * (1 << 32) + numbers[here])
    return np.bincount(pairs[changes(pairs)] >> 32, minlength=size)


@dataclass(frozen=True)
class Target:
    """A target's senses and what they lead to.

    Attributes:
        number: of its lemma among the words of glosses.
        related: by key of a synset and column of a relation to it, the number of the first sense
            that has it.
        words: by column of a relation between words, and by word, the same number.
        shares: of each sense in its tagged uses.
        lexfile: of its first sense.
        gloss: the words of its glosses.
        log_senses: ln (1 + senses).
        keys: of its senses.
    """

    number: int | None
    related: dict[int, dict[int, int]]
    words: dict[int, dict[str, int]]
    shares: Sequence[float]
    lexfile: int
    gloss: frozenset[str]
    log_senses: float
    keys: Sequence[int]

    @classmethod
    def of(cls, wordnet: WordNet, lemma: str, pos: str) -> Target:
        """Look a target up."""
        bases = wordnet.readings(lemma, pos)
        base = bases[0] if bases else index_form(lemma)
        keys, counts, lexfiles = wordnet.senses(base, pos)
        tagged = np.array([count + 0.5 for count in counts])
        owners = [0] * len(keys)
        numbers, _ = wordnet.gloss_numbers(keys, owners)
        return cls(
            wordnet.gloss_number(lemma.lower()),
            _related(wordnet, keys),
            {
                _COLUMNS.index(name): _words(wordnet, keys, symbol, base)
                for name, symbol in BETWEEN_WORDS.items()
            },
            list(tagged / max(tagged.sum(), 1.0)),
            lexfiles[0] if lexfiles else -1,
            frozenset(map(wordnet.gloss_word, numbers.tolist())),
            float(np.log1p(len(keys))),
            keys,
        )

    def compare(self, senses: Senses, row: NDArray[np.float64]) -> Iterable[int]:
        """Set the columns of relations between senses, and return the keys of those related.

        Args:
            senses: of a candidate.
            row: its features.
        """
        if self.related.keys().isdisjoint(senses.keys):
            return ()
        numbers = {key: number for number, key in enumerate(senses.keys, start=1)}
        # Sorted, so that the sum below is always added up in the same order.
        met = sorted(
            (column, numbers[key], key, number)
            for key in self.related.keys() & numbers.keys()
            for column, number in self.related[key].items()
        )
        related: dict[int, int] = {}  # key of a candidate's sense → number of the target's
        for column, _, key, number in met:
            row[column] = max(row[column], 1 / number)
            related[key] = min(number, related.get(key, number))
        tagged = [senses.tagged[numbers[key] - 1] for key in related]
        weight = sum(senses.tagged) + 0.1 * len(numbers) + 0.1
        row[len(_COLUMNS) : COMPARED] = (
            sum(column == 0 for column, *_ in met),
            sum(self.shares[number - 1] for number in {*related.values()}),
            (sum(tagged) + 0.1) / weight,
            1 / min(numbers[key] for key in related),
            np.log1p(max(tagged)),
        )
        return related


_UP = 16
"""More than the steps up that are followed."""


def _distances(above: Above, size: int) -> NDArray[np.float64]:
    """Return nearness to a target, from any sense and the first, and minus how far up it is.

    Args:
        above: synsets above any sense of ``size`` candidates, of the target, and of its first
            sense.
        size: how many candidates.

    Returns:
        Shape (3, candidates).
    """
    ends = np.searchsorted(above.owner, [size, size + 1])
    words, mine, first = (
        Above(*(column[span] for column in above))
        for span in (slice(ends[0]), slice(*ends), slice(ends[1], None))
    )
    # Of equally near meetings the one farthest up from the word counts, so one number is both.
    near, near_first = _nearest(mine, words, size), _nearest(first, words, size)
    far = 2 * FARTHEST
    steps, from_first = -(-near // _UP), -(-near_first // _UP)
    depth = np.where(steps > far, 0, near - steps * _UP)
    return np.stack(
        [1 / (1 + np.minimum(steps, far)), 1 / (1 + np.minimum(from_first, far)), depth]
    )


def _nearest(mine: Above, words: Above, size: int) -> Longs:
    """Return for each word the least of ``_UP`` × steps - steps up, over where it meets a target.

    Args:
        mine: synsets above the target.
        words: synsets above the words.
        size: how many words.

    Returns:
        Shape (words,); more than any meeting where there is none.
    """
    best = np.full(size, _UP * (2 * FARTHEST + 1), np.int64)
    if len(mine.number):
        place = np.minimum(np.searchsorted(mine.number, words.number), len(mine.number) - 1)
        met = np.flatnonzero(mine.number[place] == words.number)
        up = words.steps[met]
        np.minimum.at(best, words.owner[met], _UP * (mine.steps[place[met]] + up) - up)
    return best


_STEPS = [
    (column, relation_symbols(name))
    for column, name in enumerate(_COLUMNS)
    if column and name not in BETWEEN_WORDS
]
"""The columns of relations between synsets, and the signs of their steps."""


def _related(wordnet: WordNet, keys: Sequence[int]) -> dict[int, dict[int, int]]:
    related: dict[int, dict[int, int]] = {}
    for number, key in enumerate(keys, start=1):
        related.setdefault(key, {}).setdefault(0, number)
        pointed: dict[str, list[int]] = {}
        for pointer in wordnet.synset(key).pointers:
            if not pointer.source_word:
                pointed.setdefault(pointer.symbol, []).append(pointer.target)
        for column, (first, *more) in _STEPS:
            others: Iterable[int] = pointed.get(first, ())
            for symbol in more:
                here = map(wordnet.synset, dict.fromkeys(others))
                others = [other for one in here for other in one.targets(symbol)]
            for other in others:
                if other != key:
                    related.setdefault(other, {}).setdefault(column, number)
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
