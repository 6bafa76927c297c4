"""From a model to its parts; apart from what reads configs, which a model does not need."""

from __future__ import annotations

from lexsub.errors import LexsubError
from lexsub.models import Model
from lexsub.parts.base import RANKERS, SOURCES, CandidateSource, Ranker
from lexsub.parts.build import build_part
from lexsub.resources import Resources


def model_parts(model: Model, given: Resources) -> tuple[CandidateSource, Ranker]:
    """Make the parts of a model's system; nothing is opened.

    Raises:
        LexsubError: they are not as declared, lack something, or name code outside of lexsub.
    """
    inside, where = model.resources(given), str(model.folder)
    source: CandidateSource = build_part(
        SOURCES, model.system["candidates"], f"{where}: candidates"
    )
    ranker: Ranker = build_part(RANKERS, model.system["ranker"], f"{where}: ranker")
    for part in (source, ranker):
        try:
            part.inputs(inside)
        except LexsubError as error:
            raise LexsubError(f"{where}: {error}") from error
    return source, ranker
