"""All agreement figures that one kind of input can give, gathered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from lexsub.errors import LexsubError
from lexsub.evaluation.agreement.golds import (
    Box,
    Correlation,
    OriginColumn,
    PooledSubstitute,
    RankSum,
    boxes,
    by_origin,
    frequency_correlation,
    frequency_test,
    pool,
    score_correlation,
)
from lexsub.evaluation.agreement.labels import (
    ClassAgreement,
    Confusion,
    Deviation,
    LabelAgreement,
    RatingAgreement,
    by_pair,
    class_agreement,
    fleiss,
    largest_confusions,
    pooled,
    rating_agreement,
)
from lexsub.evaluation.agreement.substitutes import (
    MultiwordAgreement,
    SubstituteAgreement,
    agreement,
    leave_one_out,
    multiword_agreement,
)
from lexsub.formats.annotations import LabelChoice, Rating, Response
from lexsub.golds import GoldItem
from lexsub.tables import Table, Tabular

NEEDS_ANNOTATORS = (
    "pairwise agreement, agreement with the mode, leaving one annotator out, multiword "
    "agreement, unanimity and kappa need each annotator's own answers"
)


class Report(Tabular):
    """Any of the reports: all its figures, one a row, by the path that leads to each."""

    __slots__ = ()

    def records(self) -> list[dict[str, Any]]:
        """Return a row a figure: its path, as ``everyone.pairwise.value``, and the number."""
        return [{"figure": path, "value": value} for path, value in _numbers(self)]

    def view(self) -> Table:
        """Return the figures."""
        cells = [[row["figure"], f"{row['value']:.4g}"] for row in self.records()]
        return Table(f"{len(cells)} figures of agreement", ["figure", "value"], cells)


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number inside a report with its path."""
    entries: Iterable[tuple[object, Any]] = ()
    if isinstance(value, int | float):
        yield path, value
    elif is_dataclass(value):
        entries = ((one.name, getattr(value, one.name)) for one in fields(value))
    elif isinstance(value, Mapping):
        entries = value.items()
    elif isinstance(value, list | tuple):
        entries = enumerate(value)
    for key, entry in entries:
        name = " | ".join(map(str, key)) if isinstance(key, tuple) else str(key)
        yield from _numbers(entry, f"{path}.{name}".removeprefix("."))


@dataclass(frozen=True, slots=True, repr=False)
class SubstituteReport(Report):
    """Agreement on substitutes and multiwords (SemEval-2007)."""

    annotators: tuple[str, ...]
    items: int
    everyone: SubstituteAgreement
    without: Mapping[str, SubstituteAgreement]
    multiwords: MultiwordAgreement | None
    """None where no annotator named a multiword (the column is missing or empty)."""


@dataclass(frozen=True, slots=True, repr=False)
class LabelReport(Report):
    """Agreement on labels (Enron).

    ``classes`` and ``confusions`` are over all pairs of annotators.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    items: int
    pairs: Mapping[tuple[str, str], LabelAgreement]
    pooled: LabelAgreement
    fleiss: float | None
    classes: tuple[ClassAgreement, ...]
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True, slots=True, repr=False)
class RatingReport(Report):
    """Agreement on ratings (SemDis gold 2)."""

    annotators: tuple[str, ...]
    agreement: RatingAgreement


@dataclass(frozen=True, slots=True, repr=False)
class GoldReport(Report):
    """Two golds compared (SemDis).

    ``origins`` is None without a system's answers, the frequency figures without a list.
    """

    items: int
    only_in_one: int
    substitutes: int
    in_gold1: Correlation
    whole_pool: Correlation
    boxes: tuple[Box, ...]
    origins: tuple[OriginColumn, ...] | None
    frequency1: Correlation | None
    frequency2: Correlation | None
    new_against_old: RankSum | None


def report_substitutes(responses: Sequence[Response]) -> SubstituteReport:
    """Return every figure that annotators' substitutes give."""
    named = any(response.multiword for response in responses)
    return SubstituteReport(
        tuple(sorted({response.annotator for response in responses})),
        len({response.item for response in responses}),
        agreement(responses),
        leave_one_out(responses),
        multiword_agreement(responses) if named else None,
    )


def report_labels(choices: Sequence[LabelChoice]) -> LabelReport:
    """Return every figure that labels give.

    Raises:
        LexsubError: no item has two labels.
    """
    together = pooled(choices)
    if together is None:
        raise LexsubError("no item has labels of two annotators: agreement needs a double one")
    return LabelReport(
        tuple(sorted({choice.annotator for choice in choices})),
        tuple(sorted({choice.label for choice in choices})),
        len({choice.item for choice in choices}),
        by_pair(choices),
        together,
        fleiss(choices),
        class_agreement(choices, together.confusion),
        largest_confusions(together.confusion),
    )


def report_ratings(ratings: Sequence[Rating], deviation: Deviation) -> RatingReport:
    """Return every figure that ratings alone give.

    Raises:
        LexsubError: no substitute has two ratings.
    """
    figures = rating_agreement(ratings, deviation)
    if figures is None:
        raise LexsubError("no substitute has two ratings: agreement needs two judges or more")
    return RatingReport(tuple(sorted({rating.annotator for rating in ratings})), figures)


def report_golds(
    gold1: Mapping[str, GoldItem],
    gold2: Mapping[str, GoldItem],
    systems: Iterable[Mapping[str, Sequence[str]]] = (),
    frequency: Callable[[PooledSubstitute], float | None] | None = None,
    top_rating: float = 3,
) -> GoldReport:
    """Return every figure that two golds give, with systems' answers and frequencies if given.

    Raises:
        LexsubError: the golds share no item, or gold 2 has a score above ``top_rating``.
    """
    runs = list(systems)
    pooled_golds = pool(gold1, gold2, runs)
    rows = pooled_golds.substitutes
    if not rows:
        raise LexsubError("the two golds share no item: expected golds of the same sentences")
    try:
        origins = by_origin(rows, top_rating) if runs else None
    except ValueError as error:
        raise LexsubError(f"{error} (the highest rating is --max-rating)") from error
    first = second = test = None
    if frequency is not None:
        counts = [frequency(row) for row in rows]
        first = frequency_correlation(
            (row.score1, count) for row, count in zip(rows, counts, strict=True) if row.score1 > 0
        )
        second = frequency_correlation(
            (row.score2, count) for row, count in zip(rows, counts, strict=True)
        )
        test = frequency_test(rows, frequency)
    return GoldReport(
        pooled_golds.items,
        pooled_golds.only_in_one,
        len(rows),
        score_correlation(rows, whole_pool=False),
        score_correlation(rows, whole_pool=True),
        boxes(rows),
        origins,
        first,
        second,
        test,
    )
