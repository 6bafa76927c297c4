"""The tables and comparisons that a run's config asks for, read back from its scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError
from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.config.experiment import Experiment

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
        return Asked(name, titles.get(name, name), Comparison.of_json(entry))

    return read_all(document.get("comparisons", ()), "comparison", read, path)


def read_all(
    entries: Iterable[Any], what: str, read: Callable[[Any], T], path: Path
) -> tuple[T, ...]:
    """Read entries of a run's scores.

    Args:
        entries: as they stand there.
        what: each is called so in messages.
        read: makes of one what it stands for.
        path: the scores' file.

    Raises:
        FormatError: an entry is none.
    """
    try:
        return tuple(map(read, entries))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise FormatError(path, None, f"holds a {what} that is none ({error}); run it again") from (
            error
        )
