"""Models, opened for sentences."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from lexsub import models
from lexsub.encoder import FILE as ENCODER
from lexsub.encoder import begin_encoder
from lexsub.errors import LexsubError, MissingExtraError, well_formed
from lexsub.experiments.suggestions.sentences import SentenceSuggester
from lexsub.languages import language_of
from lexsub.models import Model
from lexsub.parts.base import BOUNDARIES, BoundaryContext, CandidateSource, Cutter, Ranker
from lexsub.parts.build import build_part
from lexsub.resources import Resources
from lexsub.storage.files import parse_json, read_text
from lexsub.tagger import tagger_of

T = TypeVar("T", bound=SentenceSuggester)


def open_of_model(
    reference: str,
    given: Resources,
    opened: Callable[[Model, tuple[CandidateSource, Ranker], Resources], T],
) -> T:
    """Open a model.

    Args:
        reference: its name or folder.
        given: where the cache and WordNet are.
        opened: opens the parts of a model with what is in its folder.

    Raises:
        LexsubError: there is no such model, it is damaged, or a resource is given to it.
    """
    model = models.open_model(models.find_model(reference))
    if given.paths:
        raise LexsubError(
            f"--resource {', '.join(sorted(given.paths))}: model {model.called} brings all that "
            "it reads; a resource is given to a config (--config)"
        )
    inside = model.resources(given)
    for folder in inside.models.values():
        if (folder / ENCODER).is_file():
            with suppress(MissingExtraError):  # then another ranker stands in, and says so
                begin_encoder(folder)
    parts = models.model_parts(model, given)
    if models.FORMS in inside.paths:
        language_of(inside.language).use_forms(inside.paths[models.FORMS])
    suggester = opened(model, parts, inside)
    if tagger := tagger_of(inside):
        lemmatiser = suggester.language.tagged(suggester.lemmatiser, tagger)
        suggester = replace(suggester, lemmatiser=lemmatiser)
    name = models.STAND_IN_BOUNDARY if suggester.scorer.stands_in else models.BOUNDARY
    return replace(suggester, model=model, boundary=_boundary(model, model.folder / name))


def _boundary(model: Model, path: Path) -> Cutter | None:
    """Return what says how many substitutes are good; None where nothing does."""
    part: Any = build_part(BOUNDARIES, model.system["oot"], f"{model.folder}: oot")
    if part.needs_gold:
        return None
    if not part.needs_tuning:
        cutter: Cutter = part.fit(BoundaryContext())
        return cutter
    with well_formed(path, "is no boundary", f": {models.AGAIN}"):
        again: Cutter = part.again(parse_json(read_text(path)))
        return again
