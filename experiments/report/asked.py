"""The comparisons that a run's config asks for, read back from its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.comparison import Comparison
from experiments.config.experiment import Experiment
from lexsub.errors import FormatError


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
    try:
        return tuple(
            Asked(
                str(entry["name"]),
                titles.get(entry["name"], str(entry["name"])),
                Comparison.of_records(entry["rows"], str(entry["hypothesis"])),
            )
            for entry in document.get("comparisons", ())
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise FormatError(
            path, None, f"holds a comparison that is none ({error}); run it again"
        ) from error
