"""Synonyms and their relatives from WordNet, and its multiwords (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge

from lexsub import wordnet as wn
from lexsub.candidates.opened import ByTarget
from lexsub.datasets import PARTS_OF_SPEECH, Item
from lexsub.errors import ConfigError, UnknownNameError
from lexsub.frequency import FREQUENCIES, Frequencies
from lexsub.parts.base import CandidateSource, MultiwordSource, Part
from lexsub.parts.limits import Natural
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.wordnet.model import Synset, Word, relation_symbols

CRITERIA = {
    1: "synonyms of the first sense",
    2: "relatives of the first sense",
    3: "synonyms of all senses",
    4: "relatives of all senses",
}


class _OfWordNet(Part):
    """What is found in WordNet, by a frequency list."""

    frequency: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files and the frequency list's."""
        files = [*wn.inputs(resources), *FREQUENCIES[self.frequency].inputs(resources)]
        return list(dict.fromkeys(files))

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which WordNet it is, for the manifest."""
        return {"wordnet": wn.describe(resources).as_dict()}


@dataclass(frozen=True)
class WordNetSource(_OfWordNet, CandidateSource):
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

    blind: ClassVar[bool] = True
    criteria: tuple[int, ...] = (1, 2, 3, 4)
    frequency: str = "semcor"
    noun_relations: tuple[str, ...] = ("hypernyms",)
    verb_relations: tuple[str, ...] = ("hypernyms",)
    adjective_relations: tuple[str, ...] = ("similar-to",)
    adverb_relations: tuple[str, ...] = ()
    keep_markers: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
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
            raise ConfigError(*problems)

    def relations(self, pos: str) -> tuple[str, ...]:
        """Return the names of the relations that are followed for a part of speech."""
        found: tuple[str, ...] = getattr(self, f"{PARTS_OF_SPEECH[pos]}_relations")
        return found

    def open(self, resources: Resources) -> ByTarget:
        """Open WordNet (its index is built on first use) and read the frequency list."""
        frequencies = FREQUENCIES[self.frequency].open(resources)
        return ByTarget(partial(self._candidates, wn.open_wordnet(resources), frequencies))

    def _candidates(
        self, wordnet: wn.WordNet, frequencies: Frequencies, lemma: str, pos: str
    ) -> Iterator[Candidate]:
        """Yield the candidates of a target, those of the first criterion first."""
        # As WordNet's index has it, or its base form where it has only that.
        base = (wordnet.readings(lemma, pos) or [wn.index_form(lemma)])[0]
        synsets = wordnet.synsets(base, pos)
        target = {wn.index_form(lemma), base}
        seen: set[str] = set()
        for criterion in self.criteria:
            senses = synsets[:1] if criterion in (1, 2) else synsets
            words = self._relatives(wordnet, senses, base)
            if criterion in (1, 3):
                words = ((word, sense.pos) for sense in senses for word in sense.words)
            group: dict[str, float] = {}
            for word, word_pos in words:
                text = (word.marked if self.keep_markers else word.lemma).replace("_", " ")
                if text not in seen and text not in group and wn.index_form(text) not in target:
                    known = word.text if self.keep_markers else text
                    group[text] = frequencies.frequency(known, word_pos)
            for text in sorted(group, key=group.__getitem__, reverse=True):
                origin = Origin("wordnet", len(seen), CRITERIA[criterion], group[text])
                seen.add(text)
                yield Candidate(text, (origin,))

    def _relatives(
        self, wordnet: wn.WordNet, senses: Sequence[Synset], base: str
    ) -> Iterator[tuple[Word, str]]:
        for sense in senses:
            for name in self.relations(sense.pos):
                symbols = relation_symbols(name)
                for synset, word in wn.related_words(wordnet, sense, symbols, base):
                    yield word, synset.pos


@dataclass(frozen=True)
class WordNetMultiwords(_OfWordNet, MultiwordSource):
    """The longest WordNet multiword that covers the target.

    Every run of 2 to ``longest`` tokens that covers the target inside the window is looked
    up, each token in the forms that ``lemmatise`` gives it.  Of several multiwords the longest
    is the answer, of equally long ones the more frequent, then the leftmost, then the one
    whose tokens needed least change.

    Source: McCarthy and Navigli (2007), section 4.1, who say only that a multiword with the
    target in a span of two words before to two after is looked for.  The rest is assumption.

    Attributes:
        before: how many tokens before the target the window has.
        after: how many tokens after it.
        longest: how many tokens a multiword may have.
        lemmatise: which tokens may stand in their base forms too (by morphy): ``all``, or
            only the ``target``, which then stands in its lemma alone.
        pos: whether a multiword of ``any`` part of speech counts, or only of the ``target``'s.
        frequency: name of a frequency list for the choice between equally long ones.
    """

    before: Natural = 2
    after: Natural = 2
    longest: Annotated[int, Ge(2)] = 5
    lemmatise: Literal["all", "target"] = "all"
    pos: Literal["any", "target"] = "any"
    frequency: str = "semcor"

    def __post_init__(self) -> None:
        super().__post_init__()
        FREQUENCIES[self.frequency]

    def open(self, resources: Resources) -> MultiwordDetector:
        """Open WordNet and read all its multiwords."""
        wordnet = wn.open_wordnet(resources)
        frequencies = FREQUENCIES[self.frequency].open(resources)
        return MultiwordDetector(self, wordnet, wordnet.multiwords(), frequencies)


@dataclass
class MultiwordDetector:
    """The working detector."""

    options: WordNetMultiwords
    wordnet: wn.WordNet
    multiwords: Mapping[str, str]
    frequencies: Frequencies

    def multiword(self, item: Item) -> str | None:
        """Return the multiword that covers the target, with blanks, or None."""
        found: list[str] = []
        for run in self._runs(item):
            # Runs come longest first: shorter ones are not looked at once a length has an answer.
            if found and len(run) < found[0].count("_") + 1:
                break
            found.extend(self._known(run, item.pos))
        if not found:
            return None
        # max keeps the first of equals: the leftmost, and there the least changed.
        return max(found, key=self._frequency).replace("_", " ")

    def _runs(self, item: Item) -> Iterator[list[tuple[str, ...]]]:
        """Yield runs of tokens over the target as tuples of forms, longest and leftmost first."""
        before = item.left[-self.options.before :] if self.options.before else []
        after = item.right[: self.options.after]
        sides = [list(map(self._token_forms, side)) for side in (before, after)]
        tokens = [*sides[0], self._target_forms(item), *sides[1]]
        at = len(before)
        for length in range(min(self.options.longest, len(tokens)), 1, -1):
            for start in range(max(0, at - length + 1), min(at, len(tokens) - length) + 1):
                yield tokens[start : start + length]

    def _known(self, run: Sequence[tuple[str, ...]], pos: str) -> Iterator[str]:
        for tokens in product(*run):
            word = "_".join(tokens)
            allowed = self.multiwords.get(word, "")
            if allowed and (self.options.pos == "any" or pos in allowed):
                yield word

    def _frequency(self, word: str) -> float:
        text = word.replace("_", " ")
        return max(self.frequencies.frequency(text, pos) for pos in self.multiwords[word])

    def _target_forms(self, item: Item) -> tuple[str, ...]:
        lemma = item.lemma.lower().replace(" ", "_")
        if self.options.lemmatise == "target":
            return (lemma,)
        return tuple(dict.fromkeys([lemma, *self._token_forms(item.target.replace(" ", "_"))]))

    def _token_forms(self, token: str) -> tuple[str, ...]:
        """Return a token in lower case, then its base forms of every part of speech."""
        forms = [token.lower()]
        if self.options.lemmatise == "all":
            for pos in PARTS_OF_SPEECH:
                forms += self.wordnet.base_forms(token, pos)
        return tuple(dict.fromkeys(forms))
