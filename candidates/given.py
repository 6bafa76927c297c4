"""Candidates from a file, item by item: rankings or answers that were made before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lexsub.candidates.opened import ByItem
from lexsub.formats.outputs.answer_files import as_rankings, read_answers, read_kind
from lexsub.items import Item
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin, Ranking
from lexsub.resources import Resources


@dataclass(frozen=True)
class Given(CandidateSource):
    """What a file lists for each item, in its order and with its scores; nothing for others.

    Attributes:
        file: path of the file, or its name in ``[resources]``: rankings, or a submission (any
            format that ``lexsub convert --list`` prints).
        kind: what it holds: ``ranking``, ``oot``, ``best`` or ``mw`` (which lists nothing); told
            by its content if empty.
    """

    file: str
    kind: Literal["", "best", "oot", "mw", "ranking"] = ""

    def path(self, resources: Resources) -> Path:
        """Return the place of the file.

        Raises:
            MissingResourceError: it is not there.
        """
        hint = f"correct the path, or add {self.file} to [resources]"
        return resources.file(self.file, f"candidates {self.file!r} are not there", hint)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the file."""
        return (self.path(resources),)

    def open(self, resources: Resources) -> ByItem:
        """Read the file.

        Raises:
            LexsubError: it cannot be read, or is not what it should be; names the line.
        """
        rankings: Mapping[str, Ranking] = {}
        if self.kind != "mw":
            path = self.path(resources)
            rankings = as_rankings(
                read_kind(path, self.kind) if self.kind else read_answers(path)[1]
            )

        def candidates(item: Item) -> Sequence[Candidate]:
            ranking = rankings.get(item.id)
            return tuple(
                Candidate(entry.substitute, (Origin("given", place, "", float(entry.score)),))
                for place, entry in enumerate(ranking.ranked if ranking else ())
            )

        return ByItem(candidates)
