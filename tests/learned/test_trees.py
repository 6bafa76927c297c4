"""Trees read and asked by ourselves, against LightGBM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.rankers.learned.learners import Examples, Learnt, histogram
from lexsub.rankers.learned.learners.forest import bit_trees, load_packed
from lexsub.rankers.learned.learners.histogram import Histogram, plain_trees, trees_of
from lexsub.rankers.learned.learners.lambdarank import BORDER, LambdaRank
from lexsub.rankers.learned.learners.trees import Trees, parse_trees
from lexsub.rankers.learned.model import as_packed
from lexsub.rankers.learned.training import fit_all
from lexsub.resources import Resources

lightgbm = pytest.importorskip("lightgbm")


def values(rows: int, missing: float, seed: int = 3) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    found = random.normal(size=(rows, 5)).astype(np.float32)
    found[random.random(found.shape) < 0.2] = 0
    found[random.random(found.shape) < missing] = np.nan
    return found


def saved(path: Path, missing: float, leaf: int = 5) -> LambdaRank:
    learner = LambdaRank(trees=12, leaf=leaf, models=2)
    shown = values(400, missing)
    shares = np.clip(np.nan_to_num(shown[:, 0] + shown[:, 1] * shown[:, 2]), 0, 1).astype(float)
    names = [str(number) for number in range(5)]
    examples = Examples(shown, shares, np.full(40, 10, np.int64), names)
    fitted(learner, examples).save(path)
    return learner


def fitted(learner: LambdaRank, examples: Examples) -> Learnt:
    return fit_all(learner, examples, {"all": range(len(examples.sizes))}, Resources())["all"]


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("leaf", [5, 1000])  # with so many a leaf no tree has a branch
def test_they_are_lightgbms_to_the_bit(missing: float, leaf: int, tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    learner = saved(path, missing, leaf)
    boosters = [lightgbm.Booster(model_str=text) for text in path.read_text().split(BORDER)]
    assert len(boosters) == 2
    loaded = learner.load(path)
    for rows in (1, 2, 77):
        # What training never saw missing may be missing now.
        asked = values(rows, 0.3, seed=rows)
        wanted = np.mean([one.predict(asked) for one in boosters], axis=0)
        assert len(set(wanted.tolist())) == 1 or leaf == 5
        assert loaded.predict(asked).tobytes() == wanted.tobytes()
    again = tmp_path / "again.model"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()


def test_a_split_by_what_is_missing_alone() -> None:
    random = np.random.default_rng(0)
    shown = random.normal(size=(400, 1))
    shown[random.random(400) < 0.5] = np.nan
    data = lightgbm.Dataset(shown, label=np.isnan(shown[:, 0]).astype(float))
    booster = lightgbm.train({"verbosity": -1, "num_threads": 1, "num_leaves": 3}, data, 3)
    trees = parse_trees(booster.model_to_string())
    # Whatever is known goes left.
    assert np.isinf(trees.thresholds).any()
    asked = np.array([[np.nan], [0.0], [3e38], [-3e38]], np.float32)
    wanted = booster.predict(asked, raw_score=True)
    assert wanted[0] > wanted[1]
    assert trees.predict(asked).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("leaves", [2, 8, 9, 16, 17, 32, 33, 64, 65])
def test_trees_as_bits_are_lightgbms_to_the_bit(leaves: int, tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    shown = values(900, 0.2)
    random = np.random.default_rng(1)
    examples = Examples(shown, random.random(900), np.full(30, 30, np.int64), list("abcde"))
    learner = LambdaRank(trees=6, leaf=1, leaves=leaves, models=3, rows=1.0, columns=1.0)
    fitted(learner, examples).save(path)
    texts = path.read_text().split(BORDER)
    bits = bit_trees([parse_trees(text) for text in texts])
    if leaves > 64:
        assert bits is None
        return
    assert bits is not None
    assert (bits.leaves != 0).sum(axis=1).max() == leaves  # the widest word is put to use
    for rows in (0, 1, 2, 32, 33, 200):
        asked = values(rows, 0.3, seed=rows)
        asked[4:8, 1] = [np.inf, -np.inf, 3.4e38, -3.4e38][: max(rows - 4, 0)]
        # The borders themselves, as close as float32 comes to them.
        borders = np.resize(bits.thresholds[bits.columns == 0], rows)
        # LightGBM takes what is within 1e-35 of 0 for 0.
        asked[::2, 0] = np.where(np.abs(borders) < 1e-34, 0, borders)[::2]
        for text, scores in zip(texts, bits.predict(asked), strict=True):
            wanted = lightgbm.Booster(model_str=text).predict(asked) if rows else np.zeros(0)
            assert scores.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("leaf", [5, 1000])
def test_gains_are_lightgbms(leaf: int, tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    learner = saved(path, 0.2, leaf)
    boosters = [lightgbm.Booster(model_str=text) for text in path.read_text().split(BORDER)]
    wanted = np.sum([one.feature_importance("gain") for one in boosters], axis=0)
    gains = learner.load(path).gains(5)
    # Its text has fewer digits than its memory.
    np.testing.assert_allclose(gains, wanted, rtol=1e-4)
    assert gains.any() == (leaf == 5)
    assert set(np.argsort(-gains)[:3].tolist()) == {0, 1, 2} or leaf != 5


def test_no_rows_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    assert saved(path, 0.0).load(path).predict(values(0, 0.0)).shape == (0,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\nend of trees", "\nend"),
        ("\nnum_leaves=", "\nnum_leaves=9"),
        ("\nTree=3\n", "\nno tree\n"),
        ("\ndecision_type=2", "\ndecision_type=3"),
        ("\nthreshold=", "\nthreshold=x"),
        ("tree_sizes=", "average_output\ntree_sizes="),
        ("\nsplit_feature=", "\nsplit_feature=99999"),
        ("\nsplit_feature=", "\nsplit_feature=-9"),
        ("\nmax_feature_idx=", "\nmax_feature="),
        ("\nleft_child=", "\nleft_child=9000"),
        ("\nleft_child=", "\nleft_child=0 -1\nwas="),
        ("\nright_child=", "\nright_child=-900"),
        ("\nthreshold=", "\nthreshold=nan -1\nwas="),
        ("\nleaf_value=", "\nleaf_value=inf"),
    ],
)
def test_a_damaged_model_is_refused(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    learner = saved(path, 0.0)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=r"some.model: is no model of LightGBM"):
        learner.load(path)
    with pytest.raises((ValueError, KeyError)):
        parse_trees(text.replace(old, new, 1).split(BORDER)[0])


def test_a_child_may_not_stand_before_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    learner = saved(path, 0.0)
    text = path.read_text()
    line = next(line for line in text.split("\n") if line.startswith("left_child="))
    first, *rest = line.removeprefix("left_child=").split(" ")
    path.write_text(text.replace(line, " ".join(["left_child=0", *rest]), 1))
    assert first != "0"
    with pytest.raises(FormatError, match="a child that is no node behind its parent"):
        learner.load(path)


def test_a_model_of_more_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    loaded = saved(path, 0.0).load(path)
    with pytest.raises(FormatError, match=r"some.model: splits by column \d of 1"):
        loaded.predict(values(3, 0.0)[:, :1])


@pytest.mark.parametrize("kind", ["lambdarank", "histogram"])
def test_packed_trees_are_their_learners_to_the_bit(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner: LambdaRank | Histogram = LambdaRank(trees=6, leaf=5, models=2)
    ours: list[Any] = []
    if kind == "histogram":
        pytest.importorskip("sklearn")
        learner = Histogram(trees=5, leaf=5, models=2)

        def spy(model: Any) -> Trees:
            ours.append(model)
            return plain_trees(model)

        monkeypatch.setattr(histogram, "plain_trees", spy)
    random = np.random.default_rng(1)
    examples = Examples(values(900, 0.2), random.random(900), np.full(30, 30, np.int64),
                        list("abcde"))  # fmt: skip
    path, place = tmp_path / "some.model", tmp_path / "packed.model"
    fitted(learner, examples).save(path)
    loaded = learner.load(path)
    plain = as_packed(loaded, 4)
    plain.save(place)
    again = load_packed(place)
    asked = values(300, 0.3)
    if kind == "histogram":
        theirs = [model.predict(asked) for model in ours]
    else:
        texts = path.read_text().split(BORDER)
        theirs = [lightgbm.Booster(model_str=text).predict(asked) for text in texts]
    wanted = np.mean(theirs, axis=0).tobytes()
    assert {one.predict(asked).tobytes() for one in (again, loaded)} == {wanted}
    assert again.gains(5).tobytes() == loaded.gains(5).tobytes()
    plain.save(path)
    assert path.read_bytes() == place.read_bytes()
    with pytest.raises(FormatError, match="column 4 of 4"):
        load_packed(place).predict(asked[:, :4])
    for name, value in (("children0", 99), ("columns0", 9), ("roots0", -99), ("leaves0", np.nan)):
        with np.load(place) as kept:
            arrays = dict(kept)
        arrays[name] = np.full_like(arrays[name], value)
        with path.open("wb") as file:
            np.savez(file, **arrays)
        with pytest.raises(FormatError):
            load_packed(path)
    for damaged in (b"", place.read_bytes()[:500], b"PK"):
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            load_packed(path)


def written(left: list[str], right: list[str], thresholds: list[float]) -> str:
    """A model of one tree by one column, its leaves worth 0, 1, 2 …"""
    nodes = len(left)
    lines = {
        "num_leaves": [nodes + 1], "split_feature": [0] * nodes, "split_gain": [1] * nodes,
        "threshold": thresholds, "decision_type": [2] * nodes, "left_child": left,
        "right_child": right, "leaf_value": range(nodes + 1),
    }  # fmt: skip
    body = "".join(f"{key}={' '.join(map(str, some))}\n" for key, some in lines.items())
    return f"tree\nmax_feature_idx=0\ntree_sizes=1\n\nTree=0\n{body}\nend of trees\n"


def test_a_tree_may_be_deeper_than_python_calls_itself(tmp_path: Path) -> None:
    nodes = 5000
    left = [str(-1 - node) for node in range(nodes)]
    right = [*map(str, range(1, nodes)), str(-1 - nodes)]
    path = tmp_path / "chain.model"
    path.write_text(written(left, right, list(map(float, range(nodes)))))
    model = LambdaRank().load(path)
    asked = np.array([[0.0], [0.5], [2500.0], [9000.0]], np.float32)
    assert model.predict(asked).tolist() == [0, 1, 2500, nodes]


def test_what_is_no_tree_is_refused() -> None:
    # Each level twice the next: 2^60 leaves to come to.
    twice = [*map(str, range(1, 60)), "-1"]
    with pytest.raises(ValueError, match="not just one way leads to"):
        parse_trees(written(twice, [*twice[:-1], "-2"], [0.0] * 60))
    # Behind its parent as long as it is no whole number.
    for child in ("1.5", "nan", "-inf"):
        with pytest.raises(ValueError, match=r"whole numbers|no node behind"):
            parse_trees(written(["1", child], ["-1", "-2"], [0.0, 0.0]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("left", 0),
        ("feature_idx", 5),
        ("feature_idx", -1),
        ("value", np.nan),
        ("is_categorical", 1),
    ],
)
def test_trees_of_scikit_learn_that_cannot_be_walked_are_refused(name: str, value: float) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    shown = values(400, 0.1)
    model = ensemble.HistGradientBoostingRegressor(max_iter=3).fit(shown, (shown[:, 0] > 0) * 1.0)
    plain_trees(model)
    list(trees_of(model))[1][name][0] = value
    with pytest.raises(ValueError, match=r"behind its parent|way leads|column|finite|classes"):
        plain_trees(model)


def test_a_damaged_histogram_says_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    path.write_bytes(b"PK")
    with pytest.raises(FormatError, match=r"some\.model: holds no trees .*train the model again"):
        Histogram().load(path)
