"""Synonyms and their relatives from WordNet: the baseline of McCarthy and Navigli (2007)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import ConfigError, UnknownNameError
from lexsub.frequency import FREQUENCIES, Frequencies
from lexsub.items import PARTS_OF_SPEECH, Item, Lexelt
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache
from lexsub.wordnet import (
    Synset,
    Word,
    WordNet,
    describe,
    index_form,
    inputs,
    open_wordnet,
    related_words,
    relation_symbols,
)

CRITERIA = {
    1: "synonyms of the first sense",
    2: "relatives of the first sense",
    3: "synonyms of all senses",
    4: "relatives of all senses",
}


@dataclass(frozen=True)
class WordNetSource(CandidateSource):
    """Substitutes by four criteria, strictly one after the other, the frequent ones first.

    The target's senses are those of its corrected part of speech (of its base form, where
    WordNet has no such lemma); context plays no role, so all sentences of a target get the
    same list.  Multiwords stay.  Inside a criterion the
    higher frequency comes first, and equal ones (all that a list does not know) keep
    WordNet's order: senses as ranked, relatives as pointed to, words as listed.  A word that
    an earlier criterion brought in is not repeated.  The origin of a candidate has the
    criterion as its group and the frequency as its score.

    Source: McCarthy and Navigli (2007), section 4.1; the relations are those found in the
    released trial baseline.

    Attributes:
        criteria: which of the paper's criteria, in which order: 1 synonyms of the first
            sense, 2 relatives of the first sense, 3 and 4 the same of all senses.
        frequency: name of a frequency list; ``none`` leaves WordNet's order.
        noun_relations: relations that make relatives of nouns.
        verb_relations: the same for verbs.
        adjective_relations: the same for adjectives.
        adverb_relations: the same for adverbs; none in the paper's baseline.
        keep_markers: write adjective markers, as the trial baseline did (``open-air(a)``),
            so that even the target can be a candidate (``outdoor(a)``).
    """

    criteria: tuple[int, ...] = (1, 2, 3, 4)
    frequency: str = "semcor"
    noun_relations: tuple[str, ...] = ("hypernyms",)
    verb_relations: tuple[str, ...] = ("hypernyms",)
    adjective_relations: tuple[str, ...] = ("similar-to",)
    adverb_relations: tuple[str, ...] = ()
    keep_markers: bool = False

    def __post_init__(self) -> None:
        problems = []
        unknown = [number for number in self.criteria if number not in CRITERIA]
        if unknown or not self.criteria or len(set(self.criteria)) < len(self.criteria):
            problems.append(
                f"criteria is {list(self.criteria)}; expected some of 1, 2, 3, 4, each once"
            )
        named: list[tuple[Callable[[str], object], str]] = [
            (FREQUENCIES.__getitem__, self.frequency)
        ]
        named += [
            (relation_symbols, name) for pos in PARTS_OF_SPEECH for name in self.relations(pos)
        ]
        for look_up, name in named:
            try:
                look_up(name)
            except UnknownNameError as error:
                problems.append(str(error))
        if problems:
            raise ConfigError(problems)

    def relations(self, pos: str) -> tuple[str, ...]:
        """Return the names of the relations that are followed for a part of speech."""
        by_pos = {
            "n": self.noun_relations,
            "v": self.verb_relations,
            "a": self.adjective_relations,
            "r": self.adverb_relations,
        }
        return by_pos[pos]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files and the frequency list's."""
        files = [*inputs(resources), *FREQUENCIES[self.frequency].inputs(resources)]
        return list(dict.fromkeys(files))

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which WordNet it is, for the manifest."""
        return {"wordnet": describe(resources).as_dict()}

    def open(self, resources: Resources) -> WordNetCandidates:
        """Open WordNet (its index is built on first use) and read the frequency list."""
        frequencies = FREQUENCIES[self.frequency].open(resources)
        return WordNetCandidates(self, open_wordnet(resources), frequencies)


@dataclass
class WordNetCandidates:
    """The working source; it keeps the list of each target."""

    options: WordNetSource
    wordnet: WordNet
    frequencies: Frequencies
    _lists: BoundedCache[tuple[str, str], tuple[Candidate, ...]] = field(
        default_factory=lambda: BoundedCache(128)
    )

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the target's candidates, those of the first criterion first."""
        return self.candidates_of(item.lexelt)

    def candidates_of(self, lexelt: Lexelt) -> tuple[Candidate, ...]:
        """Return the candidates of a target word type."""
        key = (lexelt.lemma, lexelt.pos)
        return self._lists.once(key, lambda: tuple(self._collect(*key)))

    def _collect(self, lemma: str, pos: str) -> Iterator[Candidate]:
        base = self._base(lemma, pos)
        synsets = self.wordnet.synsets(base, pos)
        target = {index_form(lemma), base}
        seen: set[str] = set()
        for criterion in self.options.criteria:
            senses = synsets[:1] if criterion in (1, 2) else synsets
            words = self._synonyms(senses) if criterion in (1, 3) else self._relatives(senses, base)
            group: dict[str, float] = {}
            for word, word_pos in words:
                text = self._text(word)
                if text not in seen and text not in group and index_form(text) not in target:
                    group[text] = self.frequencies.frequency(word.text, word_pos)
            for text in sorted(group, key=group.__getitem__, reverse=True):
                origin = Origin("wordnet", len(seen), CRITERIA[criterion], group[text])
                seen.add(text)
                yield Candidate(text, (origin,))

    def _base(self, lemma: str, pos: str) -> str:
        """Return the lemma as WordNet's index has it, or its base form where it has only that."""
        bases = self.wordnet.readings(lemma, pos)
        return bases[0] if bases else index_form(lemma)

    def _synonyms(self, senses: Sequence[Synset]) -> Iterator[tuple[Word, str]]:
        return ((word, sense.pos) for sense in senses for word in sense.words)

    def _relatives(self, senses: Sequence[Synset], base: str) -> Iterator[tuple[Word, str]]:
        for sense in senses:
            for name in self.options.relations(sense.pos):
                for synset, word in related_words(
                    self.wordnet, sense, relation_symbols(name), base
                ):
                    yield word, synset.pos

    def _text(self, word: Word) -> str:
        lemma = word.marked if self.options.keep_markers else word.lemma
        return lemma.replace("_", " ")
