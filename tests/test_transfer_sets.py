"""CoInCo and SWORDS through a whole run, as a model trained on one set is asked on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline import runner
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.resources import Resources

SYSTEM = {"name": "wordnet", "candidates": {"name": "wordnet"}, "ranker": "frequency"}


@pytest.fixture(params=["coinco/dev", "swords/dev"])
def split(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A split of which runs see the first items alone (all of them take a minute)."""

    def few(name: str, folders: Sequence[Path], language: str | None) -> Dataset:
        data = load(name, folders, language)
        items = data.items[:60]
        golds = {item.id: data.gold.items[item.id] for item in items if item.id in data.gold.items}
        return replace(data, items=items, gold=replace(data.gold, items=golds))

    monkeypatch.setattr(runner, "load", few)
    return str(request.param)


def test_runs(split: str, data_dir: Path, tmp_path: Path) -> None:
    table = {"name": "transfer", "data": split, "normalisation": "clean",
             "measures": ["GAP"], "systems": [SYSTEM]}  # fmt: skip
    resources = Resources(data=(data_dir,), cache=Resources().cache)
    result = run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    (ceiling,) = result.ceilings
    (scores,) = result.scores
    assert split in result.data.name
    compared = 0
    for name, most in ceiling.figures.items():
        own = scores.figures[name]
        assert own.value is not None
        assert most.value is not None
        assert 0 < own.value <= most.value
        compared += own.value < most.value
    assert compared >= 4


def test_fractions_are_refused_before_any_work(data_dir: Path, tmp_path: Path) -> None:
    table = {"name": "transfer", "data": "swords/dev", "normalisation": "official",
             "systems": [SYSTEM]}  # fmt: skip
    resources = Resources(data=(data_dir,), cache=tmp_path / "cache")
    with pytest.raises(LexsubError, match='normalisation = "clean"'):
        run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    assert not (tmp_path / "cache").exists()
