"""The pooled-candidates set-up, up to the published figures of a random ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lexsub.candidates.given import GoldPool
from lexsub.data.catalogue import load
from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.reading import read_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.parts.base import SOURCES
from lexsub.parts.build import build_part
from lexsub.rankings import rank
from lexsub.resources import Resources

BAR = Item("1", Lexelt.parse("bar.n.v"), "They bar it .", 5, 8)


def source(tmp_path: Path, **options: str) -> GoldPool:
    (tmp_path / "pool.txt").write_text("bar.n::pub;bar;tap room;ale-house;inn;inn \nloud.a::pn\n")
    return GoldPool(file="mine", **options)  # type: ignore[arg-type]


def test_a_file_is_pooled_by_target(tmp_path: Path) -> None:
    resources = Resources(data=(), paths={"mine": tmp_path / "pool.txt"})
    single = source(tmp_path).open(resources)
    assert [candidate.substitute for candidate in single.candidates(BAR)] == ["inn", "pub"]
    whole = source(tmp_path, multiwords="keep").open(resources)
    assert [candidate.substitute for candidate in whole.candidates(BAR)] == [
        "ale-house", "inn", "pub", "tap room"
    ]  # fmt: skip
    other = Item("2", Lexelt.parse("loud.a"), "Too loud .", 4, 8)
    assert single.candidates(other) == []
    assert source(tmp_path).inputs(resources) == (tmp_path / "pool.txt",)


def test_faults_are_named(tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match=r"\[resources\] names no mine"):
        source(tmp_path).open(Resources(data=()))
    with pytest.raises(UnknownNameError, match="did you mean semeval2007"):
        GoldPool(gold="semeval207/all")


@pytest.mark.data
def test_a_random_ranking_has_the_published_figures(data_dir: Path) -> None:
    """GAP by chance, exactly: METHODS gives .298 .281 .273 .365 (n a v r) and .2985."""
    data = load("semeval2007/all", [data_dir])
    opened = GoldPool().open(Resources(data=(data_dir,)))
    rankings = []
    for item in data.items:
        candidates = opened.candidates(item)
        rankings.append(rank(item, candidates, [0.0] * len(candidates)))
    scores = evaluate(
        data.gold, {"chance": rankings}, "GAP(ties=expected)", by_pos=True, interval=None
    )
    measure = "GAP(ties=expected)"
    figures = {pos: scores.value("chance", measure, pos=pos) for pos in ("all", *"navr")}
    # The recorded ones are of one random order, and of candidates that still hold pn.
    assert figures == pytest.approx(
        {"all": 0.2985, "n": 0.298, "a": 0.281, "v": 0.273, "r": 0.365}, abs=0.002
    )
    assert scores.figure("chance", measure).items == 1983


@pytest.mark.data
def test_a_run_that_ranks_the_pool_keeps_its_answers_back(data_dir: Path, tmp_path: Path) -> None:
    """The pool gives answers away, so they are written only on demand."""
    config = tmp_path / "mine.toml"
    config.write_text(
        'name = "mine"\ndata = "semeval2007/trial"\n[[systems]]\nname = "pool"\n'
        'candidates = { name = "gold-pool", gold = "semeval2007/trial" }\n'
        'ranker = "order"\nbest = { name = "top-n", n = 1 }\noot = "top-n"\n'
    )
    resources = Resources(data=(data_dir,), cache=tmp_path / "cache")
    run_experiment(read_experiment(config), tmp_path / "out", resources)
    assert not list((tmp_path / "out").rglob("pool.oot"))
    run_experiment(
        read_experiment(config), tmp_path / "out", resources, allow_oracle=True, force=True
    )
    assert list((tmp_path / "out").rglob("pool.oot"))


@pytest.mark.parametrize(
    "table",
    [
        {"name": "union", "sources": ["wordnet", "gold-pool"]},
        {"name": "lemmas", "source": "gold-pool"},
        {"name": "shortlist", "source": {"name": "union", "sources": ["gold-pool"]}},
    ],
    ids=lambda table: str(table["name"]),
)
def test_what_asks_the_pool_looks_at_the_gold_too(table: dict[str, Any]) -> None:
    assert build_part(SOURCES, table, "candidates").needs_gold
    assert not build_part(SOURCES, {"name": "lemmas", "source": "wordnet"}, "x").needs_gold
