"""Figures with all that is needed to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from lexsub.errors import LexsubError, needing
from lexsub.tables import Table, Tabular

if TYPE_CHECKING:
    from lexsub.evaluation.comparison import Comparison
    from lexsub.evaluation.gold_arrays import Floats


Weights: TypeAlias = dict[str, dict[str, int]]
"""Whole gold weights by item and word: qrels."""
Runs: TypeAlias = dict[str, dict[str, float]]
"""Falling scores by item and word: a run."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one system.

    Attributes:
        system: the system's name.
        measure: the measure, as it prints.
        subset: ALL, NMWT, NMWS, RAND or MAN.
        pos: n, v, a, r, or ``all``.
        value: the figure as a fraction; NaN where it is undefined (a denominator is 0).
        low: lower bound of its interval, NaN without one.
        high: upper bound.
        unit: ``%`` where the field prints it times 100, else ``1``.
        items: items counted.
        attempted: of these, items with an answer.
        targets: how many targets have an item that enters the figure: of a precision, targets
            with an item attempted.
        skipped: reason → items not counted for it.
        signature: exactly what the figure is.
    """

    system: str
    measure: str
    subset: str
    pos: str
    value: float
    low: float
    high: float
    unit: str
    items: int
    attempted: int
    skipped: Mapping[str, int]
    signature: str
    targets: int = 0


RECORDED = (
    "system", "measure", "subset", "pos", "value", "low", "high", "unit", "items", "attempted",
    "targets", "skipped", "signature",
)  # fmt: skip

FEW_TARGETS = 5
"""Of fewer, resampling draws nearly the same again and again: intervals come out too narrow."""


@dataclass(frozen=True, slots=True)
class ItemValues:
    """The figures of the single items, for one system and measure (subset ALL).

    Attributes:
        system: the system's name.
        measure: the measure, as it prints.
        ids: ids of the items counted.
        values: their figures, as fractions.
    """

    system: str
    measure: str
    ids: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Tabular):
    """What an evaluation found.

    Attributes:
        figures: in the order systems, subsets, parts of speech, measures.
        per_item: item figures, where they were asked for.
        notes: system → what of its files was passed over, with how often.
        missing: (system, measure) pairs without a figure, because the system has no such list.
        tests: tests all pairs of the systems, when the scores are shown; None where there is no
            pair, or no interval was asked for.
        ranked: returns gold and systems as other tools take them; None where they are not at hand.
    """

    figures: tuple[Figure, ...]
    per_item: tuple[ItemValues, ...] = ()
    notes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    missing: tuple[tuple[str, str], ...] = ()
    tests: Callable[[], Comparison | None] | None = field(default=None, compare=False)
    ranked: Callable[[], tuple[Weights, dict[str, Runs]]] | None = field(
        default=None, compare=False
    )

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def figure(self, system: str, measure: str, *, subset: str = "ALL", pos: str = "all") -> Figure:
        """Return one figure.

        Raises:
            KeyError: there is none.
        """
        wanted = (system, measure, subset, pos)
        for figure in self.figures:
            if (figure.system, figure.measure, figure.subset, figure.pos) == wanted:
                return figure
        raise KeyError(f"no figure for {system}, {measure}, {subset}, {pos}")

    def value(self, system: str, measure: str, *, subset: str = "ALL", pos: str = "all") -> float:
        """Return one figure's value, as a fraction."""
        return self.figure(system, measure, subset=subset, pos=pos).value

    def to_ranx(self) -> tuple[Any, dict[str, Any]]:
        """Return the gold as ranx's ``Qrels`` and each system as its ``Run``, an item a query.

        Spellings are those under which we compare (in place of ``official``: ``clean``), so that
        ranx computes the same AP (its ``map``), nDCG and precision. A system's ranking is taken,
        else its oot, else its best answers; items without gold are left out, and those that a
        system does not answer have an empty place in its run.

        Raises:
            MissingExtraError: ranx is not installed.
            LexsubError: weights that cannot be made whole, or scores read back from a file.
        """
        if self.ranked is None:
            raise LexsubError("these scores have no answers at hand; take those of evaluate()")
        with needing("ranx", "ranx", "Scores.to_ranx"):
            from ranx import Qrels, Run
        weights, runs = self.ranked()
        return Qrels(weights), {
            name: Run({key: run.get(key, {}) for key in weights}, name=name)
            for name, run in runs.items()
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the figures as plain rows; undefined values are None.

        Values and bounds are fractions, all of them; ``shown`` says how the field prints them:
        ``%`` (times 100) or ``1`` (as they are).
        """
        return [
            {"shown" if key == "unit" else key: defined(getattr(figure, key)) for key in RECORDED}
            | {"skipped": dict(figure.skipped)}
            for figure in self.figures
        ]

    def item_records(self) -> list[dict[str, Any]]:
        """Return the figures of single items as plain rows."""
        return [
            {
                "system": of_measure.system,
                "measure": of_measure.measure,
                "id": item_id,
                "value": defined(float(value)),
            }
            for of_measure in self.per_item
            for item_id, value in zip(of_measure.ids, of_measure.values, strict=True)
        ]

    def view(self) -> Table:
        """Return a table of measures by systems, with marks of significance where it is tested.

        Below it stands what must be read with it: items not attempted, answers passed over.
        """
        from lexsub.evaluation.remarks import remarks_on_scores
        from lexsub.evaluation.rendering import scores_table

        table = scores_table(self, self.tests() if self.tests else None)
        passed_over = [
            f"{system}: {what}: {count}"
            for system, notes in self.notes.items()
            for what, count in notes.items()
        ]
        return replace(table, notes=(*remarks_on_scores(self), *passed_over, *table.notes))

    def _flat(self) -> list[dict[str, Any]]:
        return [record | {"skipped": sum(record["skipped"].values())} for record in self.records()]


def defined(value: Any) -> Any:
    """Return a value as JSON has it: null for an undefined figure."""
    return None if value != value else value
