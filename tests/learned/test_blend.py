"""Ranker ``blend``, objective ``root`` and weights of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import zscore

from lexsub.datasets import GoldItem, Item
from lexsub.errors import ConfigError, LexsubError
from lexsub.parts.base import RANKERS, Scorer
from lexsub.parts.build import build_part
from lexsub.parts.checked import checked_values
from lexsub.rankers.blend import blended, standard
from lexsub.rankers.learned.learners import LEARNERS, Examples
from lexsub.rankers.learned.ranker import Learned
from lexsub.rankers.learned.training import fit_all
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from tests.learned.test_first import CANDIDATES, DATA, ITEM
from tests.learned.test_learned import LEARNER_NAMES, LIBRARIES, learned, small, split

FLOATS = st.floats(-1e6, 1e6)


@dataclass(frozen=True)
class Fixed(Scorer):
    """A ranker whose scores are given."""

    given: Sequence[float]

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        return self.given

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        return {}


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1), FLOATS, FLOATS)
def test_the_sum_of_scipys_z_scores(rows: list[tuple[int, int]], one: float, two: float) -> None:
    columns = np.array(rows, float).T
    scorers = [Fixed(column.tolist()) for column in columns]
    scores, parts = blended(
        scorers, (one, two), ITEM, [Candidate(str(n)) for n in range(len(rows))]
    )
    wanted = np.nan_to_num([zscore(c) if len(set(c)) > 1 else 0 * c for c in columns])
    assert scores == pytest.approx(one * wanted[0] + two * wanted[1], rel=1e-9, abs=1e-6)
    assert parts["2"] == pytest.approx(two * wanted[1], rel=1e-9, abs=1e-6)


def test_a_blend_of_one_orders_as_it_does() -> None:
    plain, blend = (build_part(RANKERS, one, "x").open(Resources(), DATA)
                    for one in ("random", {"name": "blend", "rankers": ["random"]}))  # fmt: skip
    ours, theirs = (np.argsort(one.scores(ITEM, CANDIDATES)) for one in (blend, plain))
    assert ours.tolist() == theirs.tolist()
    assert blend.scores(ITEM, []) == []


def test_a_weight_below_0_turns_an_order_round() -> None:
    table = {"name": "blend", "rankers": ["order"], "weights": [-1.0]}
    scores = build_part(RANKERS, table, "x").open(Resources(), DATA).scores(ITEM, CANDIDATES)
    assert scores == sorted(scores)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"rankers": []}, r"rankers: found \[\]; expected at least 1 entry"),
        ({"rankers": ["order"], "weights": [1.0, 2.0]}, "2 weights; expected one for each of 1"),
        ({"rankers": ["order"], "weights": [float("nan")]}, "finite"),
        ({"rankers": ["oracle"]}, "looks at the gold"),
        ({"rankers": ["ordre"]}, "did you mean order"),
    ],
)
def test_wrong_blends(table: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        build_part(RANKERS, {"name": "blend", **table}, "x")


def test_a_blend_of_learned_models_reads_the_features_of_both(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    pooled = split("made/train", ["one", "two", "three"])
    folders = []
    for family in ("form", "target"):
        folders.append(tmp_path / family)
        folders[-1].mkdir()
        builder = learned(["made/train"], [family], learner=small("lambdarank"), folds=3)
        builder.build(Resources(training=(pooled,)), folders[-1])
    blend = build_part(
        RANKERS,
        {"name": "blend", "rankers": [{"name": "learned", "model": str(one)} for one in folders]},
        "x",
    )
    found = list(blend.families(Resources()).values())
    assert found == [
        one for folder in folders for one in Learned(str(folder)).families(Resources()).values()
    ]
    item = pooled.data.items[0]
    scores = blend.open(Resources(), pooled.data).scores(item, pooled.pools[item.id])
    assert int(np.argmax(scores)) == 1  # the longest


def test_learned_models_in_a_blend_share_what_they_compute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lightgbm")
    pooled = split("made/train", ["one", "two", "three"])
    folders = []
    for families in (("form", "target"), ("target", "form")):
        folders.append(tmp_path / families[0])
        folders[-1].mkdir()
        builder = learned(["made/train"], families, learner=small("lambdarank"), folds=3)
        builder.build(Resources(training=(pooled,)), folders[-1])
    computed = []

    def counted(values: Any, width: int, family: object, item: Item, rows: int) -> Any:
        computed.append((type(family).__name__, item.id))
        return checked_values(values, width, family, item, rows)

    monkeypatch.setattr("lexsub.rankers.learned.matrix.checked_values", counted)
    names = [{"name": "learned", "model": str(one)} for one in folders]
    blend = build_part(RANKERS, {"name": "blend", "rankers": names}, "x")
    opened = blend.open(Resources(), pooled.data)
    alone = [build_part(RANKERS, one, "x").open(Resources(), pooled.data) for one in names]
    for item in (pooled.data.items[0], pooled.data.items[1], pooled.data.items[0]):
        pool = pooled.pools[item.id]
        computed.clear()
        scores = opened.scores(item, pool)
        assert sorted(computed) == [("FormFeatures", item.id), ("TargetFeatures", item.id)]
        first, second = (standard(np.array(one.scores(item, pool))) for one in alone)
        assert scores == (first + second).tolist()


def test_root_learns_the_root_of_the_share() -> None:
    pytest.importorskip("lightgbm")
    random = np.random.default_rng(3)
    values = random.random((3000, 2)).astype(np.float32)
    shares = values[:, 0].astype(float) ** 2
    examples = Examples(values, shares, np.full(150, 20), "ab")
    table = {"name": "lambdarank", "objective": "root", "trees": 200, "rows": 1.0, "columns": 1.0}
    learner = build_part(LEARNERS, table, "x")
    model = fit_all(learner, examples, {"all": range(150)}, Resources())["all"]
    assert model.predict(values) == pytest.approx(values[:, 0], abs=0.05)


@pytest.mark.parametrize("learner", [*(small(one) for one in LEARNER_NAMES),
                                     small("lambdarank") | {"objective": "root"}])  # fmt: skip
@pytest.mark.parametrize("heavy", ["made/long", "made/short"])
def test_the_heavier_data_set_is_believed(
    learner: dict[str, Any], heavy: str, tmp_path: Path
) -> None:
    pytest.importorskip(LIBRARIES[learner["name"]])
    names = ["one", "two", "three", "four"]
    long, short = split("made/long", names), split("made/short", names)
    gold = {
        key: GoldItem(key, one.lexelt, {"xx": 4.0}) for key, one in short.data.gold.items.items()
    }
    short = replace(short, data=replace(short.data, gold=replace(short.data.gold, items=gold)))
    weights = {"made/long": 0.02, "made/short": 0.02} | {heavy: 1.0}
    builder = learned(
        ["made/long", "made/short"], ["form", "target"], learner=learner, folds=2, weights=weights
    )
    builder.build(Resources(training=(long, short), seed=7), tmp_path)
    item = long.data.items[0]
    scorer = Learned(str(tmp_path)).open(Resources(), long.data)
    best = int(np.argmax(scorer.scores(item, long.pools[item.id])))
    assert best == {"made/long": 1, "made/short": 0}[heavy]


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"made/other": 1.0}, "is none of data"),
        ({"made/train": 0.0}, "expected more than 0"),
        ({"made/train": float("inf")}, "expected less than inf"),
    ],
)
def test_wrong_weights(weights: dict[str, float], told: str) -> None:
    with pytest.raises((ValueError, LexsubError), match=told):
        replace(learned(["made/train"], ["form"]), weights=weights)
