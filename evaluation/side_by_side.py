"""The same systems on two golds, with ranks and their differences (Tanguy et al., 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lexsub.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Row:
    """One system under one measure.

    Attributes:
        measure: the measure, as it prints.
        system: the system.
        first: its figure on the first gold.
        first_rank: its place there, 1 for the best; equal figures share the better place.
        second: its figure on the second gold.
        second_rank: its place there.
    """

    measure: str
    system: str
    first: float
    first_rank: int
    second: float
    second_rank: int

    @property
    def difference(self) -> int:
        """Rank on the second gold minus rank on the first: -1 for a place gained."""
        return self.second_rank - self.first_rank


def side_by_side(first: Scores, second: Scores) -> list[Row]:
    """Set two evaluations of the same systems beside each other.

    Ranks are taken on the unrounded figures, so systems that print alike may differ in rank;
    rows come by falling figure on the second gold, as in the paper's tables.
    """
    one, two = _values(first), _values(second)
    rows = []
    for measure, values in one.items():
        others = two.get(measure, {})
        shared = [system for system in values if system in others]
        found = [
            Row(
                measure,
                system,
                values[system],
                _rank(system, values, shared),
                others[system],
                _rank(system, others, shared),
            )
            for system in shared
        ]
        rows += sorted(found, key=lambda row: row.second_rank)
    return rows


def _values(scores: Scores) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for figure in scores:
        if (figure.subset, figure.pos) == ("ALL", "all"):
            values.setdefault(figure.measure, {})[figure.system] = figure.value
    return values


def _rank(system: str, values: Mapping[str, float], among: list[str]) -> int:
    return 1 + sum(values[other] > values[system] for other in among)
