"""Tests of all systems of a run against one another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.results.config_tables import TESTED, all_pairs
from lexsub.formats.semeval_lines import read_submission
from lexsub.golds import Gold
from lexsub.rankings import Task
from lexsub.storage.files import read_text, write_text

FILE = "tests.json"

__all__ = ["FILE", "TESTED", "make", "read"]


def make(draft: Path, gold: Gold, answers: Mapping[str, Mapping[Task, Path]]) -> None:
    """Test every pair of systems, and write what comes of it; null where none can be compared.

    Args:
        draft: folder to write to.
        gold: the gold.
        answers: the submission files of each system by task.
    """
    found = all_pairs(
        gold,
        {
            name: {task: read_submission(path, task, strict=False) for task, path in files.items()}
            for name, files in answers.items()
        },
    )
    write_text(draft / FILE, json.dumps(found and found.as_json(), indent=1) + "\n")


def read(folder: Path) -> Comparison | None:
    """Read back what :func:`make` wrote."""
    document = json.loads(read_text(folder / FILE))
    if document is None:
        return None
    return Comparison.of_json(document)
