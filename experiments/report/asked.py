"""The tables and comparisons that a run's config asks for, read back from its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError
from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.config.experiment import Experiment
from lexsub.tables import Table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry of ``[[comparisons]]``.

    Attributes:
        name: names it in the page.
        title: heads it.
        comparison: what came out.
    """

    name: str
    title: str
    comparison: Comparison


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

    def read(entry: Mapping[str, Any]) -> Asked:
        name = str(entry["name"])
        comparison = Comparison.of_records(entry["rows"], str(entry["hypothesis"]))
        return Asked(name, titles.get(name, name), comparison)

    return _read(document, "comparisons", read, path)


def asked_tables(document: Mapping[str, Any], path: Path) -> tuple[Table, ...]:
    """Return the tables of ``[[tables]]`` that stand in a run's scores, in their order.

    Raises:
        FormatError: an entry is no table.
    """
    return _read(document, "tables", Table.of_json, path)


def pair_tests_of(document: Mapping[str, Any], path: Path) -> Comparison | None:
    """Return the tests of all pairs of systems that stand in a run's scores; None for none.

    Raises:
        FormatError: they are none.
    """

    def read(entry: Mapping[str, Any]) -> Comparison:
        return Comparison.of_records(entry["rows"], str(entry["hypothesis"]))

    found = {"tests": [document["tests"]]} if "tests" in document else {}
    return next(iter(_read(found, "tests", read, path)), None)


def _read(
    document: Mapping[str, Any], key: str, read: Callable[[Any], T], path: Path
) -> tuple[T, ...]:
    try:
        return tuple(map(read, document.get(key, ())))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = key.removesuffix("s")
        raise FormatError(path, None, f"holds a {what} that is none ({error}); run it again") from (
            error
        )
