"""How close a candidate is to the target in a distributional thesaurus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import ThesaurusModel
from lexsub.candidates.features.rows import Comparison, Rows
from lexsub.parts.base import Feature, FeatureFamily
from lexsub.parts.checked import ByTarget
from lexsub.resources import Resources

MEASURES = ("lin", "cosine(weights=ppmi)", "cosine", "jaccard", "l1", "alpha-skew")


@dataclass(frozen=True)
class SimilarityFeatures(FeatureFamily):
    """The measures of distributional similarity between target and candidate.

    Attributes:
        thesaurus: name of a model in ``[models]``, or the folder of a thesaurus.
        measures: similarities and distances; a distance counts as its negative.
    """

    thesaurus: str
    measures: tuple[str, ...] = MEASURES

    def __post_init__(self) -> None:
        super().__post_init__()
        for measure in self.measures:
            parse_measure(measure, "measures")

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [
            Feature(measure, f"{measure} of target and candidate, higher is closer")
            for measure in self.measures
        ]
        return [
            *named,
            Feature("tokens", "ln (1 + context tokens) of the candidate"),
            Feature("tokens-ratio", "the same, less the target's", False),
            Feature("attested", "share of the target's contexts (by tokens) it is seen in"),
            Feature("inclusion", "share of its contexts (by tokens) the target is seen in"),
        ]

    reads_models: ClassVar[dict[str, str]] = {"thesaurus": "thesaurus"}

    def open(self, resources: Resources) -> ByTarget:
        """Open the thesaurus."""
        model = ThesaurusModel(resources.model(self.thesaurus, "thesaurus"))
        return ByTarget(SimilarityValues(model, self.measures))


class SimilarityValues:
    """Computes the family's values for a target."""

    def __init__(self, model: ThesaurusModel, measures: Sequence[str]) -> None:
        self._model = model
        self._measures = [parse_measure(measure) for measure in measures]
        self._rows: dict[str, Rows] = {}

    def __call__(self, lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
        """Return the features, shape (substitutes, features)."""
        result = np.full((len(substitutes), len(self._measures) + 4), np.nan, dtype=np.float32)
        if pos not in self._rows:
            self._rows[pos] = Rows(self._model.space(pos))
        rows = self._rows[pos]
        found = rows.find((*substitutes, lemma))
        known = np.flatnonzero(found[:-1] >= 0)
        if found[-1] < 0 or not len(known):
            return result
        beside = Comparison.of(rows, int(found[-1]), found[known])
        for column, measure in enumerate(self._measures):
            value = beside.values(measure.formula())
            result[known, column] = value if measure.higher_is_closer else -value
        theirs, mine = beside.totals[:-1], beside.totals[-1]
        tokens = np.log1p(theirs)
        columns = [tokens, tokens - np.log1p(mine), beside.tokens(beside.mine) / mine]
        columns.append(beside.tokens(beside.theirs) / np.maximum(theirs, 1.0))
        result[known, -4:] = np.stack(columns, axis=1)
        return result
