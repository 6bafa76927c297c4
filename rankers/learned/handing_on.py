"""Learned models for others: what ranks the sentences of nobody's training data."""

from __future__ import annotations

from pathlib import Path

from lexsub.errors import LexsubError
from lexsub.rankers.learned.learners import Learnt
from lexsub.rankers.learned.learners.bits import Forest
from lexsub.rankers.learned.learners.packed import PackedModel
from lexsub.rankers.learned.model import WHOLE, open_model, write_model


def hand_on(folder: Path, place: Path) -> None:
    """Write the part of a model that was trained on all targets as a model of its own.

    It ranks every item, those of its training targets as well, but not its training data.

    Raises:
        LexsubError: there is none, or it is damaged.
    """
    model = open_model(folder)
    header = model.header.model_copy(update={"folds": {}, "whole": True})
    place.mkdir(parents=True)
    whole = packed(model.part(WHOLE), len(model.columns.names) - 1)
    write_model(place, header, {WHOLE: whole})


def packed(part: Learnt, widest: int) -> PackedModel:
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
