"""Folders and archives that people hand on: of a finished run, and of a model."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest.mock import patch

from lexsub.resources import Resources
from tests.campaign.engine import Subject

CONFIG = """\
name = "x"
data = "tutorial/test"
[[systems]]
name = "one"
candidates = { name = "wordnet", frequency = "none" }
[[systems]]
name = "two"
candidates = { same_as = "one" }
ranker = { name = "blend", rankers = ["order", "source-score"] }
"""


def _make_run(folder: Path) -> None:
    from lexsub.experiments.config.reading import read_experiment
    from lexsub.experiments.pipeline.runner import run_experiment

    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "x.toml").write_text(CONFIG)
        run_experiment(read_experiment(Path(place) / "x.toml"), folder, Resources(data=()))


def _ask_run(folder: Path) -> object:
    from lexsub.experiments.report.explanations import explain
    from lexsub.experiments.report.item_scores import ItemScores
    from lexsub.experiments.report.runs import read_runs
    from lexsub.experiments.results.boundaries import curves, read_run

    item_scores = ItemScores.of(read_runs([folder], ()))
    read = read_run(folder, ())
    return (explain(folder, "101", (), ()), curves(read, list(read.rankings)),
            item_scores.reported.answers())  # fmt: skip


def _make_archive(folder: Path) -> None:
    from lexsub.experiments.packing.archives import export_model
    from lexsub.models import open_model
    from tests.test_models import prepared

    with tempfile.TemporaryDirectory() as place:
        export_model(open_model(prepared(Path(place)) / "tiny"), folder / "given.zip")


def _ask_archive(folder: Path) -> object:
    from lexsub.experiments.packing.archives import import_model
    from lexsub.experiments.suggestions.suggesting import open_suggester

    with (
        tempfile.TemporaryDirectory() as user,
        patch("lexsub.models.user_data", lambda: Path(user)),
    ):
        taken = import_model(folder / "given.zip")
        suggester = open_suggester("", "", Resources(data=()), str(taken.folder))
        return [(one.form, one.score) for one in suggester("A *bright* boy.", n=9)]


FOLDERS = (
    Subject("run", _make_run, _ask_run, guarded=False),
    Subject("archive", _make_archive, _ask_archive, libraries=("sklearn", "lemminflect")),
)
