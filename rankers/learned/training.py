"""Training: the model kind ``learned``."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Le, Lt, MinLen
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.parallel import run
from lexsub.parts.base import FeatureFamily, GoldLearner
from lexsub.parts.build import Labelled, describe_part
from lexsub.parts.limits import AboveZero, Natural, Positive
from lexsub.rankers.learned.examples import ItemExamples, assign, item_examples, joined, target_of
from lexsub.rankers.learned.learners import Examples, Learner, Learnt
from lexsub.rankers.learned.learners.histogram import Histogram
from lexsub.rankers.learned.matrix import Columns
from lexsub.rankers.learned.model import WHOLE, LearnedHeader, write_model
from lexsub.resources import Resources


@dataclass(frozen=True)
class LearnedBuilder(GoldLearner):
    """Learns to rank from the gold of some data set splits.

    With folds, one part of the model is trained without the targets of each fold, and ranks
    the items of just these; items of targets that are not in the training data are ranked by
    a part that was trained on all.  So no item is ever ranked by a part that has seen its
    target.

    Attributes:
        data: splits to learn from, as ``semeval2007/trial``.
        system: name of the system whose candidates are learned from; by default the first
            system that ranks with this model.
        features: feature families, each a name or a table with ``name``, options and, where
            two would be called the same, a ``label``.
        learner: the learner, a name or a table.
        folds: parts into which whole targets fall; 0 for none, and then items of training
            targets cannot be ranked.
        negatives: candidates that are no gold are thinned out to so many an item; 0 keeps all.
        targets: learn from no more than so many targets, drawn by seed (for learning
            curves); 0 for all.
        weights: how much an item of a split weighs, as ``{"coinco/dev" = 0.2}``; 1 where none is
            given.
        items: learn from no more than so many items of a split, drawn by seed, as
            ``{"coinco/dev" = 700}``; all where none is given.
        without: splits whose targets are left out of all others, whatever their part of speech.
    """

    data: Annotated[tuple[str, ...], MinLen(1)]
    features: Annotated[Labelled[FeatureFamily], MinLen(1)]
    system: str = ""
    learner: Learner = field(default_factory=Histogram)
    folds: Annotated[Natural, Le(10_000)] = 10
    negatives: Natural = 0
    targets: Natural = 0
    weights: dict[str, Annotated[AboveZero, Lt(float("inf"))]] = field(default_factory=dict)
    items: dict[str, Positive] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.folds == 1:
            raise ValueError("folds is 1; expected 0 or at least 2")
        for name, given in (("weights", self.weights), ("items", self.items)):
            if unknown := sorted(set(given) - set(self.data)):
                raise ValueError(f"{name}: {unknown[0]} is none of data: {', '.join(self.data)}")

    def families(self) -> dict[str, FeatureFamily]:
        """Return the feature families by label."""
        return self.features

    def chosen(self, data: Dataset, left_out: Sequence[Dataset], seed: int) -> Dataset:
        """Return a split with the items that are learned from; see ``items`` and ``without``."""
        others = (one for one in left_out if one.name != data.name)
        targets = {target_of(item) for one in others for item in one.items}
        kept = [item for item in data.items if target_of(item) not in targets]
        most = self.items.get(data.name, len(kept))
        if most < len(kept):
            drawn = np.random.default_rng(seed).choice(len(kept), most, replace=False)
            kept = [kept[place] for place in sorted(drawn.tolist())]
        return (
            data if len(kept) == len(data.items) else dataclasses.replace(data, items=tuple(kept))
        )

    def build(self, resources: Resources, folder: Path) -> None:
        """Train all parts.

        Raises:
            LexsubError: there is nothing to learn from.
        """
        columns = Columns.of(self.features)
        seed = resources.seed
        found = list(item_examples(columns, resources, self.negatives, seed))
        targets = sorted({one.target for one in found})
        if len(targets) < max(self.folds, 1):
            raise LexsubError(
                f"{', '.join(self.data)}: {len(targets)} targets have gold among their candidates; "
                f"expected at least {max(self.folds, 1)}, one a fold"
            )
        folds = assign(targets, self.folds, seed) if self.folds else {}
        parts = {
            f"fold-{fold}": [n for n, one in enumerate(found) if folds[one.target] != fold]
            for fold in range(self.folds)
        } | {WHOLE: list(range(len(found)))}
        drawn = {name: self._drawn(found, items, seed) for name, items in parts.items()}
        models = fit_all(self.learner, joined(found, columns.names, self.weights), drawn, resources)
        told = describe_part(self)
        header = LearnedHeader(
            families=told["features"],
            columns=tuple(columns.names),
            learner=told["learner"],
            training={p.data.name: p.data.gold.sha256 for p in resources.training},
            folds=folds,
            targets=tuple(targets),
        )
        write_model(folder, header, models)

    def _drawn(self, found: Sequence[ItemExamples], items: list[int], seed: int) -> list[int]:
        names = sorted({found[item].target for item in items})
        if not self.targets or len(names) <= self.targets:
            return items
        drawn = np.random.default_rng(seed).permutation(len(names))[: self.targets]
        kept = {names[index] for index in drawn.tolist()}
        return [item for item in items if found[item].target in kept]


def fit_all(
    learner: Learner, examples: Examples, parts: Mapping[str, Sequence[int]], resources: Resources
) -> dict[str, Learnt]:
    """Train the models of all parts side by side, each on one thread.

    A part is the numbers of the items that it may see, by its name.
    """
    training = uuid.uuid4().hex
    jobs = [
        partial(_fit, learner, examples, training, numbers, resources.seed + number)
        for numbers in (np.array(items, np.int64) for items in parts.values())
        for number in range(learner.models)
    ]
    models = list(run(jobs, resources.workers, resources.backend, "training", len(jobs)))
    _READY.clear()
    number = learner.models
    return {
        name: learner.join(models[place * number : (place + 1) * number])
        for place, name in enumerate(parts)
    }


_READY: dict[str, Any] = {}
"""What the models of one training share in this process, by the training's name."""


def _fit(
    learner: Learner, examples: Examples, training: str, items: NDArray[np.int64], seed: int
) -> Learnt:
    if training not in _READY:
        _READY.clear()
        _READY[training] = learner.prepare(examples)
    return learner.fit(_READY[training], items, seed)
