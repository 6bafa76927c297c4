"""Whether a candidate takes what stands beside the target: by counts, and by vectors of slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional import parsed
from lexsub.candidates.distributional.model import ThesaurusModel
from lexsub.candidates.features.rows import Entries, Rows
from lexsub.candidates.vectors.slots import Slots, open_slots
from lexsub.datasets import Item
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.limits import NotNegative
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache

GROUPS: Mapping[str, tuple[str, ...]] = {
    "objects": ("dobj",),
    "subjects": ("subj", "pred"),
    "modifiers": ("amod", "advmod", "nn"),
    "conjuncts": ("conj",),
    "prepositions": ("prep-", "pobj-"),
}
"""Relations by the beginning of their names, either way round."""


Relations = list[tuple[str, str]]
"""(Relation, other word)."""


@dataclass(frozen=True)
class SelectionFeatures(FeatureFamily):
    """Association of the candidate with the target's syntactic neighbours.

    The sentence is parsed as the text was from which the thesaurus was counted; every
    relation of the target is a context, and a candidate's ln P(f | w) / P(f) says how much
    it is drawn to it (selectional preference of the slot for the candidate; Resnik, 1996;
    Erk and Padó, 2008, use such contexts for words in context).

    Attributes:
        thesaurus: name of a model in ``[models]``, or the folder of a thesaurus.
        parser: spaCy model that parses the sentences.
        smoothing: added to counts, in tokens; a context the candidate was never seen with
            counts against it the more, the more often the candidate was seen.
    """

    thesaurus: str
    parser: str = "en_core_web_sm"
    smoothing: NotNegative = 1.0

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        grouped = [Feature(name, f"mean smoothed PMI with the target's {name}") for name in GROUPS]
        return [
            Feature("sum", "sum of the smoothed PMI with all neighbours of the target"),
            Feature("mean", "their mean"),
            Feature("gain", "the sum, less that of the target"),
            Feature("seen", "share of the neighbours that the candidate was seen with"),
            Feature("tokens", "ln (1 + times seen with any of them)"),
            Feature("best", "greatest PMI with one of them"),
            *grouped,
            Feature("neighbours", "number of neighbours of the target", False),
        ]

    def check_extras(self) -> None:
        """Look for spaCy and its model."""
        parsed.look_for_parser(self.parser)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the thesaurus, and what tells the parser's version."""
        parsed.check_parser(self.parser, resources)
        return [resources.model(self.thesaurus, "thesaurus"), *parsed.parser_files(self.parser)]

    def open(self, resources: Resources) -> SelectionExtractor:
        """Open thesaurus and parser.

        Raises:
            LexsubError: there is no thesaurus, no spaCy, or no such model of it.
        """
        model = ThesaurusModel(resources.model(self.thesaurus, "thesaurus"))
        parsed.check_parser(self.parser, resources)
        parser = parsed.load_parser(self.parser)
        return SelectionExtractor(parser, model=model, smoothing=self.smoothing)


@dataclass
class Parsing:
    """A working family that looks at what stands beside the target."""

    parser: Any
    _relations: dict[Item, Relations] = field(default_factory=dict)

    def prepare(self, items: Sequence[Item]) -> None:
        """Parse sentences together: each as by itself, in half the time."""
        documents = self.parser.pipe([item.text for item in items], batch_size=len(items))
        self._relations = {
            item: relations_in(document, item)
            for item, document in zip(items, documents, strict=True)
        }

    def relations(self, item: Item) -> Relations:
        """Return the relations of an item's target."""
        found = self._relations.get(item)
        return relations_in(self.parser(item.text), item) if found is None else found


@dataclass(kw_only=True)
class SelectionExtractor(Parsing, Extractor):
    """The working family; it keeps the columns of each target's candidates."""

    model: ThesaurusModel
    smoothing: float
    _rows: dict[str, Rows] = field(default_factory=dict)
    _kept: BoundedCache[tuple[str, tuple[str, ...]], tuple[Entries, NDArray[np.float64]]] = field(
        default_factory=lambda: BoundedCache(1)
    )

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`SelectionFeatures`."""
        width = 7 + len(GROUPS)
        result = np.full((len(candidates), width), np.nan, np.float32)
        relations = self.relations(item)
        result[:, -1] = len(relations)
        pos = item.pos
        if pos not in self._rows:
            self._rows[pos] = Rows(self.model.space(pos))
        rows = self._rows[pos]
        names = [f"{relation}\t{other}" for relation, other in relations]
        ids = rows.space.contexts.find_all(names)
        known = [(i, name) for i, name in zip(ids, names, strict=True) if i >= 0]
        if not known:
            return result
        words = (*(candidate.substitute for candidate in candidates), item.lemma)
        # Kept for the target's next sentence.
        entries, totals = self._kept.once((pos, words), lambda: rows.entries(rows.find(words)))
        seen = rows.seen(entries, len(words), [i for i, _ in known])
        prior = rows.priors(np.array([i for i, _ in known]))
        chance = (seen + self.smoothing * prior) / (totals + self.smoothing)[:, None]
        # A word without any context has no value.
        pmi = np.where(totals[:, None] > 0, np.log(chance / prior), np.nan)
        total = pmi.sum(axis=1)
        columns = [total, pmi.mean(axis=1), total - total[-1], (seen > 0).mean(axis=1)]
        columns += [np.log1p(seen.sum(axis=1)), pmi.max(axis=1)]
        for prefixes in GROUPS.values():
            chosen = [k for k, (_, name) in enumerate(known) if name.startswith(prefixes)]
            empty = np.full(len(words), np.nan)
            columns.append(pmi[:, chosen].mean(axis=1) if chosen else empty)
        result[:, :-1] = np.stack(columns, axis=1)[:-1]
        return result


def relations_in(document: Any, item: Item) -> Relations:
    """Return the target's relations with other words of the parsed sentence, each once."""
    target = min(document, key=lambda token: (abs(token.idx - item.start), token.i), default=None)
    if target is None:
        return []
    upos = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}[item.pos]
    # The data say what the target is, whatever the parser takes it for; the mark makes its
    # relations findable.
    mark = "\0"
    sentence = parsed.tokens_of(document)
    sentence[target.i] = sentence[target.i]._replace(lemma=mark, upos=upos)
    found = parsed.grammatical_relations(sentence)
    return list(
        dict.fromkeys((relation, other) for _, lemma, relation, other in found if lemma == mark)
    )


@dataclass(frozen=True)
class SlotFeatures(FeatureFamily):
    """Products and cosines of a candidate's vector and those of the target's slots.

    Attributes:
        model: model of kind ``slots``, by its name in ``[models]`` or its folder.
        parser: spaCy model that parses the sentences.
    """

    model: str = "slots"
    parser: str = "en_core_web_sm"

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("sum", "sum of the products with the target's slots"),
            Feature("mean", "their mean"),
            Feature("best", "the greatest"),
            Feature("gain", "the sum, less that of the target"),
            Feature("cosine", "mean cosine with the target's slots"),
            Feature("target", "cosine with the target"),
            Feature("both", "sum of these two"),
        ]

    def check_extras(self) -> None:
        """Look for spaCy and its model."""
        parsed.look_for_parser(self.parser)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model."""
        parsed.check_parser(self.parser, resources)
        return [resources.model(self.model, "slots")]

    def open(self, resources: Resources) -> SlotExtractor:
        """Open model and parser."""
        model = open_slots(*self.inputs(resources))
        return SlotExtractor(parsed.load_parser(self.parser), model=model)


@dataclass(kw_only=True)
class SlotExtractor(Parsing, Extractor):
    """The working family."""

    model: Slots

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`SlotFeatures`."""
        relations = self.relations(item)
        texts = [*(candidate.substitute for candidate in candidates), item.lemma]
        words, slots = self.model.words_of(texts, item.pos), self.model.slots_of(relations)
        units = _unit(words)
        result = np.full((len(texts), 7), np.nan, np.float32)
        result[:, 5] = result[:, 6] = units @ units[-1]
        if len(slots):
            products, cosine = words @ slots.T, (units @ _unit(slots).T).mean(axis=1)
            total = products.sum(axis=1)
            means = products.mean(axis=1), products.max(axis=1)
            columns = [total, *means, total - total[-1], cosine]
            result[:, :5] = np.stack(columns, axis=1)
            result[:, 6] += cosine
        return result[:-1]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = vectors / np.maximum(lengths, 1e-9)
    return scaled
