"""Learned models on disk: a header, and a file for each fold.

::

    learned.json      format, features, training data, folds
    whole.model       trained on all targets: for items whose target was never seen
    fold-K.model      trained without the targets of fold K: for items of these
    digests.json      of these files, see :mod:`lexsub.storage.digests`
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lexsub import __version__
from lexsub.datasets import Item
from lexsub.errors import FormatError, LexsubError
from lexsub.parts.base import FEATURES
from lexsub.parts.build import build_part, labelled_parts
from lexsub.rankers.learned.examples import target_of
from lexsub.rankers.learned.learners import LEARNERS, Learnt
from lexsub.rankers.learned.learners.forest import Forest, PackedModel, load_packed
from lexsub.rankers.learned.matrix import Columns, column_features
from lexsub.storage.digests import seal
from lexsub.storage.files import write_text
from lexsub.storage.headers import Closed, header_reader
from lexsub.storage.memory import BoundedCache

FILE = "learned.json"
WHOLE = "whole"
AGAIN = "train the model again"


class LearnedHeader(Closed):
    """What a learned model says of itself.

    Attributes:
        format: always ``lexsub-learned``.
        version: format version.
        made_by: version of lexsub.
        families: the feature families, as tables.
        columns: names of the columns it was trained on, in order.
        learner: the learner, as a table.
        training: splits with the digests of their gold, and of the candidates.
        folds: fold of each target; empty where there are none.
        targets: the targets it was trained on.
        whole: whether all items are ranked by the part that was trained on all targets, as in a
            model that is handed on.
    """

    format: str = "lexsub-learned"
    version: int = 1
    made_by: str = __version__
    families: tuple[str | dict[str, Any], ...]
    columns: tuple[str, ...]
    learner: dict[str, Any]
    training: dict[str, str]
    folds: dict[str, int]
    targets: tuple[str, ...]
    whole: bool = False


@dataclass(frozen=True)
class Model:
    """An opened model.

    Attributes:
        header: what it says of itself.
        columns: the families, made again.
        part: gives the trained model of a name, ``whole`` or ``fold-K``, read when it is first
            asked for.
    """

    header: LearnedHeader
    columns: Columns
    part: Callable[[str], Learnt]
    _orders: BoundedCache[str, Sequence[int]] = field(default_factory=BoundedCache, compare=False)

    def part_for(self, item: Item) -> Learnt:
        """Return the part that has never seen the item's target.

        Raises:
            LexsubError: the target was trained on, and there are no folds; or the part is
                damaged.
        """
        return self.part(part_name(self.header, item))

    def strongest(self, item: Item) -> Sequence[int]:
        """Return the features of the part for an item, those that it gained most by first.

        What was gained by a feature's comparisons with other candidates counts as its own.
        """
        name = part_name(self.header, item)
        return self._orders.once(name, lambda: self._ordered(name))

    def _ordered(self, part: str) -> Sequence[int]:
        own = column_features([feature.within for feature in self.columns.features])
        gains = np.bincount(own, self.part(part).gains(len(own)))
        order: list[int] = np.argsort(-gains, kind="stable").tolist()
        return order


def part_name(header: LearnedHeader, item: Item) -> str:
    """Return the name of the part that has never seen the item's target.

    Raises:
        LexsubError: the target was trained on, and there are no folds.
    """
    target = target_of(item)
    if header.whole:
        return WHOLE
    if target in header.folds:
        return f"fold-{header.folds[target]}"
    if target in header.targets:
        raise LexsubError(
            f"item {item.id}: the model was trained on target {target!r}, and without folds there "
            "is no part of it that was not: train it with folds (folds = 10)"
        )
    return WHOLE


def write_model(folder: Path, header: LearnedHeader, parts: Mapping[str, Learnt]) -> None:
    """Write a model: the header behind its parts, because it makes the folder a model."""
    for name, part in parts.items():
        part.save(folder / f"{name}.model")
    write_text(folder / FILE, json.dumps(header.model_dump(mode="json"), indent=1) + "\n")
    seal(folder)


read_header = header_reader(
    FILE,
    LearnedHeader,
    "learned model",
    'add one of kind "learned" to the config\'s [models]',
    AGAIN,
)


def open_columns(header: LearnedHeader, path: Path) -> Columns:
    """Make the families of a model again.

    Raises:
        FormatError: they have other features than the model was trained on; names the first.
    """
    columns = Columns.of(labelled_parts(FEATURES, header.families, "families"))
    trained, found = header.columns, columns.names
    if list(trained) == list(found):
        return columns
    gone = [name for name in trained if name not in found][:3]
    new = [name for name in found if name not in trained][:3]
    told = "; ".join(
        f"{what} {', '.join(names)}" for what, names in (("gone:", gone), ("new:", new)) if names
    )
    numbers = f"{len(trained)} features, this version computes {len(found)}"
    problem = f"was trained on {numbers} ({told or 'in another order'}): train the model again"
    raise FormatError(path, None, problem)


def open_model(folder: Path) -> Model:
    """Open a model.

    Raises:
        LexsubError: there is none, one of its files is missing, or its features are not ours.
    """
    header = read_header(folder)
    columns = open_columns(header, folder / FILE)
    read = load_packed if header.whole else build_part(LEARNERS, header.learner, "learner").load
    names = [WHOLE, *sorted({f"fold-{fold}" for fold in header.folds.values()})]
    paths = {name: folder / f"{name}.model" for name in names}
    for path in paths.values():
        if not path.is_file():
            raise FormatError(path, None, f"is missing; {AGAIN}")
    return Model(header, columns, lru_cache(None)(lambda name: read(paths[name])))


def write_whole_part(folder: Path, place: Path) -> None:
    """Write the part of a model that was trained on all targets as a model of its own.

    It ranks every item, those of its training targets as well, but not its training data.

    Raises:
        LexsubError: there is none, or it is damaged.
    """
    model = open_model(folder)
    header = model.header.model_copy(update={"folds": {}, "whole": True})
    place.mkdir(parents=True)
    whole = as_packed(model.part(WHOLE), len(model.columns.names) - 1)
    write_model(place, header, {WHOLE: whole})


def as_packed(part: Learnt, widest: int) -> PackedModel:
    """Return a part of a model, whose last column is ``widest``, as arrays.

    Raises:
        LexsubError: it is of a learner that is not ours.
    """
    if isinstance(part, Forest):
        return PackedModel(Path(f"{WHOLE}.model"), part.trees, widest=widest)
    raise LexsubError(
        f"a model of {type(part).__name__} cannot be handed on; expected learner lambdarank or "
        "histogram"
    )
