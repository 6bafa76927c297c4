"""The comparisons that a run's config asks for, read back from its scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from experiments.config import Experiment
from lexsub.errors import FormatError


@dataclass(frozen=True, slots=True)
class AskedRow:
    """Two systems under one measure: fractions, and p values; NaN where one is undefined."""

    measure: str
    first: str
    second: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    bootstrap_p: float
    randomisation_p: float
    holm_p: float


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry of ``[[comparisons]]`` with what came out.

    Attributes:
        name: names it in the page.
        title: heads it.
        rows: pairs by measure.
        hypothesis: the null hypotheses.
    """

    name: str
    title: str
    rows: tuple[AskedRow, ...]
    hypothesis: str


def asked_comparisons(
    document: Mapping[str, Any], experiment: Experiment, path: Path
) -> tuple[Asked, ...]:
    """Return the comparisons that stand in a run's scores, in their order.

    Args:
        document: the scores.
        experiment: the run's config, for titles.
        path: the scores' file, for messages.

    Raises:
        FormatError: an entry is no comparison.
    """
    titles = {one.name: one.title for one in experiment.table.comparisons}
    try:
        return tuple(
            Asked(
                str(entry["name"]),
                titles.get(entry["name"], str(entry["name"])),
                tuple(map(_row, entry["rows"])),
                str(entry["hypothesis"]),
            )
            for entry in document.get("comparisons", ())
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            path, None, f"holds a comparison that is none ({error}); run it again"
        ) from error


def _row(row: Mapping[str, Any]) -> AskedRow:
    values: dict[str, Any] = {}
    for field in fields(AskedRow):
        value = row[field.name]
        if field.type == "str":
            values[field.name] = str(value)
        else:
            values[field.name] = math.nan if value is None else float(value)
    return AskedRow(**values)
