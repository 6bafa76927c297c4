"""Models, rankers and boundaries inside an experiment, on the tutorial set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.config import make_experiment
from experiments.runner import run_experiment
from lexsub.formats.jsonl import read_rankings
from lexsub.resources import Resources

HERE = Path(__file__).parent
WORDNET = {"name": "wordnet", "frequency": "none"}


def config(**more: object) -> dict[str, object]:
    systems = [
        {"name": ranker, "candidates": WORDNET, "ranker": ranker}
        for ranker in ("lm", "ku", "bow", "cmlc", "order", "random")
    ]
    corpus = {"corpus": ["text"]}
    return {
        "name": "all-rankers",
        "data": "tutorial/test",
        "tuning": "tutorial/trial",
        "resources": {"text": str(HERE / "village.txt")},
        "models": {
            "lm": {"kind": "lm", "order": 3, "engine": "embedded", **corpus},
            "ku": {"kind": "lm", "order": 5, "smoothing": "one-count", **corpus},
            "bow": {"kind": "bow", "stop": 5, "minimum": 1, **corpus},
        },
        "systems": systems,
        **more,
    }


def test_every_ranker_ranks_the_same_candidates(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    pytest.importorskip("lemminflect")
    runs = []
    for workers in (1, 2):
        out = tmp_path / f"run{workers}"
        experiment = make_experiment(config(workers=workers, backend="threading"), tmp_path)
        run_experiment(experiment, out, Resources(cache=tmp_path / f"cache{workers}"))
        runs.append(out)
    names = sorted(path.name for path in (runs[0] / "rankings").iterdir())
    assert len(names) == 12, "six systems, test and tuning rankings"
    for name in names:
        one, two = (run / "rankings" / name for run in runs)
        assert one.read_bytes() == two.read_bytes(), "bytes do not depend on the workers"
    pools = []
    for name in ("lm", "ku", "bow", "cmlc", "order"):
        ranked = read_rankings(runs[0] / "rankings" / f"{name}.jsonl")
        pools.append([sorted(entry.substitute for entry in r.ranked) for r in ranked])
    assert all(pool == pools[0] for pool in pools)
    notes = json.loads((runs[0] / "manifest.json").read_text())
    assert str(HERE / "village.txt") in json.dumps(notes), "the corpus is named in the manifest"
