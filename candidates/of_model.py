"""The candidates of a model, in a config or beside another ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.models import Model, find_model, open_model
from lexsub.parts.base import SOURCES, CandidateSource, Generator
from lexsub.parts.build import build_part
from lexsub.resources import Resources
from lexsub.storage.digests import FILE as DIGESTS


@dataclass(frozen=True)
class OfModel(CandidateSource):
    """What the system of a model proposes: ``lexsub model list`` names those that there are.

    Attributes:
        model: the model's name, or its folder (a/b).
    """

    model: str

    def parts(self) -> tuple[Model, CandidateSource]:
        """Return the model and its candidate source.

        Raises:
            LexsubError: there is no such model, it is damaged, or of another version.
        """
        model = open_model(find_model(self.model))
        table, where = model.system["candidates"], f"{model.folder}: candidates"
        part: CandidateSource = build_part(SOURCES, table, where)
        return model, part

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the digests of the model's files, which stand for them all."""
        model, _ = self.parts()
        return [model.folder / DIGESTS]

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which model it is, for the manifest."""
        model, _ = self.parts()
        return {f"model {model.name}": {"digest": model.digest, "licence": model.card.licence}}

    def open(self, resources: Resources) -> Generator:
        """Open the model's candidate source."""
        model, part = self.parts()
        return part.open(model.resources(resources))
