"""Learning to rank inside an experiment: no leak, the same bytes, models that refuse."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.datasets import Dataset, Gold, GoldItem, Item, Lexelt
from lexsub.errors import FormatError, LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.makers import answers, features
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.formats.jsonl import read_rankings
from lexsub.matching.seen import gold_under
from lexsub.parts.base import BUILDERS, Boundary, BoundaryContext, Feature
from lexsub.parts.build import Labelled, build_part, describe_part, labelled_parts
from lexsub.rankers.baselines import Oracle, Order
from lexsub.rankers.learned.examples import assign, shares_of, target_of
from lexsub.rankers.learned.features.rankings import RankerFeatures
from lexsub.rankers.learned.learners import LEARNERS, Examples
from lexsub.rankers.learned.matrix import column_names, with_comparisons
from lexsub.rankers.learned.model import FILE, open_model, part_name, read_header
from lexsub.rankers.learned.ranker import EXPLAINED, Learned
from lexsub.rankers.learned.training import LearnedBuilder, fit_all
from lexsub.rankings import Answer, Candidate, Ranking
from lexsub.resources import Pooled, Resources
from tests.caches import cache

LEARNER_NAMES = ["histogram", "lambdarank"]
LIBRARIES = {"histogram": "sklearn", "lambdarank": "lightgbm"}
FAMILIES = ("form", "target")


def small(name: str) -> dict[str, object]:
    return {"name": name, "trees": 5, "leaf": 2}


def items(targets: Sequence[str], each: int = 3) -> tuple[Item, ...]:
    return tuple(
        Item(f"{target}-{n}", Lexelt(target, "n", "n"), f"the {target} here", 4, 4 + len(target))
        for target in targets
        for n in range(each)
    )


def split(name: str, targets: Sequence[str]) -> Pooled:
    """Items whose right answer is always the longest candidate."""
    made = items(targets)
    candidates = tuple(Candidate("x" * length) for length in (2, 9, 4, 6))
    gold = {
        item.id: GoldItem(item.id, str(item.lexelt), {"x" * 9: 4.0, "never": 1.0}) for item in made
    }
    data = Dataset(name, made, Gold(name, gold, sha256=f"digest of {name}"))
    return Pooled(data, {item.id: candidates for item in made})


def learned(data: Sequence[str], families: Sequence[str], **options: Any) -> LearnedBuilder:
    table = {"name": "learned", "data": data, "features": families, **options}
    builder = build_part(BUILDERS, table, "models.learned")
    assert isinstance(builder, LearnedBuilder)
    return builder


def trained(
    folder: Path, learner: str, targets: Sequence[str], folds: int = 3, workers: int = 1
) -> Pooled:
    pooled = split("made/train", targets)
    builder = learned(["made/train"], FAMILIES, learner=small(learner), folds=folds)
    builder.build(Resources(training=(pooled,), seed=7, workers=workers), folder)
    return pooled


@given(st.lists(st.text("abc", min_size=1), min_size=1), st.integers(2, 9), st.integers(0, 9))
def test_folds_are_even_and_whole(targets: list[str], folds: int, seed: int) -> None:
    found = assign(targets, folds, seed)
    assert set(found) == set(targets)
    sizes = np.bincount(list(found.values()), minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    assert found == assign(reversed(targets), folds, seed), "the order of targets plays no role"


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_parts_trained_side_by_side_are_the_same(learner: str, tmp_path: Path) -> None:
    pytest.importorskip(LIBRARIES[learner])
    targets = [f"target{number}" for number in range(7)]
    for workers in (1, 2):
        (tmp_path / str(workers)).mkdir()
        trained(tmp_path / str(workers), learner, targets, workers=workers)
    width = len(read_header(tmp_path / "1").columns)
    values = np.random.default_rng(1).normal(size=(50, width)).astype(np.float32)
    for name in ("fold-0", "fold-1", "fold-2", "whole"):
        paths = [tmp_path / workers / f"{name}.model" for workers in "12"]
        made = build_part(LEARNERS, small(learner), "learner")
        ours, theirs = (made.load(path).predict(values) for path in paths)
        assert ours.tobytes() == theirs.tobytes()
        assert paths[0].read_bytes() == paths[1].read_bytes()
    ours, theirs = ((tmp_path / workers / FILE).read_bytes() for workers in "12")
    assert ours == theirs


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_a_part_is_what_it_would_be_without_the_others(learner: str) -> None:
    pytest.importorskip(LIBRARIES[learner])
    random = np.random.default_rng(4)
    # Values so coarse that bins are the same, whichever items they are made from.
    values = random.integers(0, 5, (600, 3)).astype(np.float32)
    shares = np.clip(values[:, 0] / 4 + random.normal(0, 0.1, 600), 0, 1)
    sizes, kept = np.full(30, 20), np.arange(30)[np.arange(30) % 3 > 0]
    made = build_part(LEARNERS, small(learner) | {"models": 2}, "learner")
    whole, rows = Examples(values, shares, sizes, "abc"), np.repeat(np.arange(30) % 3 > 0, 20)
    apart = Examples(values[rows], shares[rows], sizes[kept], "abc")
    found = fit_all(made, whole, {"all": range(30), "some": kept.tolist()}, Resources(seed=5))
    alone = fit_all(made, apart, {"some": range(20)}, Resources(seed=5))
    assert found["some"].predict(values).tobytes() == alone["some"].predict(values).tobytes()
    assert found["all"].predict(values).tobytes() != alone["some"].predict(values).tobytes()


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_no_part_ranks_a_target_it_was_shown(
    learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(LIBRARIES[learner])
    parts: dict[str, set[str]] = {}

    def spy(made: Any, examples: Examples, shown: Mapping[str, list[int]], *rest: Any) -> Any:
        # The items come in order, three a target.
        parts.update({name: {targets[n // 3] for n in numbers} for name, numbers in shown.items()})
        return fit_all(made, examples, shown, *rest)

    monkeypatch.setattr("lexsub.rankers.learned.training.fit_all", spy)
    targets = [f"target{number}" for number in range(7)]
    pooled = trained(tmp_path, learner, targets)
    header = read_header(tmp_path)
    for item in pooled.data.items:
        assert target_of(item) not in parts[part_name(header, item)]
    assert parts["whole"] == set(targets)
    (new,) = items(["unheard"], 1)
    assert part_name(header, new) == "whole"
    # bright.n and bright.a are one target: what people say of one says much of the other.
    other = replace(pooled.data.items[0], lexelt=Lexelt("target0", "a", "a"))
    assert part_name(header, other) == part_name(header, pooled.data.items[0])


def test_without_folds_a_known_target_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    pooled = trained(tmp_path, "histogram", ["one", "two"], folds=0)
    scorer = Learned(str(tmp_path)).open(Resources(), pooled.data)
    with pytest.raises(LexsubError, match=r"item one-0: .* trained on target 'one'.*folds = 10"):
        scorer.scores(pooled.data.items[0], [Candidate("x")])


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_columns_of_which_nothing_is_known_do_no_harm(learner: str) -> None:
    pytest.importorskip(LIBRARIES[learner])
    random = np.random.default_rng(3)
    values = random.normal(size=(600, 3)).astype(np.float32)
    shares = np.where(values[:, 0] > 0.8, 0.5, 0.0)
    empty = np.full((600, 2), np.nan, np.float32)
    empty[:3, 1] = 1.0
    sizes, names = np.full(30, 20), ["a", "b", "c", "empty", "nearly empty"]
    made = learned(["made/train"], FAMILIES, learner=small(learner)).learner
    examples = Examples(np.concatenate([values, empty], axis=1), shares, sizes, names)
    fitted = fit_all(made, examples, {"all": range(30)}, Resources(seed=1))["all"]
    scores = fitted.predict(examples.values)
    assert np.corrcoef(scores, shares)[0, 1] > 0.8


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_it_learns_and_comes_back_from_disk(learner: str, tmp_path: Path) -> None:
    pytest.importorskip(LIBRARIES[learner])
    targets = [f"t{number}" for number in range(12)]
    trained(tmp_path, learner, targets)
    other = split("made/test", ["unheard"])
    scorer = Learned(str(tmp_path)).open(Resources(), other.data)
    (first, *_) = other.data.items
    candidates = [Candidate("x" * length) for length in (3, 12, 5)]
    scores = list(scorer.scores(first, candidates))
    assert scores.index(max(scores)) == 1, "longer is better was there to be learned"
    assert scorer.scores(first, []) == []
    again = tmp_path / "again"
    again.mkdir()
    trained(again, learner, targets)
    for path in sorted(tmp_path.glob("*.model")):
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name
    repeated = Learned(str(again)).open(Resources(), other.data)
    assert list(repeated.scores(first, candidates)) == scores
    assert not any(path.suffix in (".pkl", ".pickle", ".joblib") for path in tmp_path.iterdir())


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_scores_are_told_by_what_the_trees_gained_most_by(learner: str, tmp_path: Path) -> None:
    pytest.importorskip(LIBRARIES[learner])
    trained(tmp_path, learner, [f"t{number}" for number in range(12)])
    other = split("made/test", ["unheard"])
    scorer = Learned(str(tmp_path)).open(Resources(), other.data)
    (item, *_) = other.data.items
    candidates = [Candidate("x" * length) for length in (3, 12, 5)]
    scores, parts = scorer.explained(item, candidates)
    assert list(scores) == list(scorer.scores(item, candidates))
    assert parts == scorer.parts(item, candidates)
    assert len(parts) == EXPLAINED < len(scorer.model.columns.features)
    (first, *_) = parts
    assert first in ("form/letters", "form/longer"), "longer is better was there to be learned"
    assert scorer.explained(item, []) == ([], {})


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    trained(tmp_path, "histogram", ["one", "two", "three"])
    header = json.loads((tmp_path / FILE).read_text())
    header["columns"][0] = "form/gone"
    (tmp_path / FILE).write_text(json.dumps(header))
    (tmp_path / "digests.json").unlink()
    with pytest.raises(FormatError, match=r"gone: form/gone; new: form/words.*train .* again"):
        open_model(tmp_path)
    header["version"] = 99
    (tmp_path / FILE).write_text(json.dumps(header))
    with pytest.raises(FormatError, match="version 99"):
        open_model(tmp_path)


@pytest.mark.parametrize("learner", LEARNER_NAMES)
def test_a_damaged_model_is_one_clear_error(learner: str, tmp_path: Path) -> None:
    pytest.importorskip(LIBRARIES[learner])
    trained(tmp_path, learner, ["one", "two", "three"])
    (tmp_path / "whole.model").write_text("tree\nnonsense")
    with pytest.raises(FormatError, match=r"whole\.model: is damaged .*: train the model again"):
        open_model(tmp_path)
    (tmp_path / "digests.json").unlink()
    with pytest.raises(
        FormatError, match=r"whole\.model: (holds no trees|is no model of LightGBM)"
    ):
        open_model(tmp_path).part("whole")
    (tmp_path / "fold-1.model").unlink()
    with pytest.raises(FormatError, match=r"fold-1.model: is missing; train .* again"):
        open_model(tmp_path)


def test_shares_count_a_form_once() -> None:
    gold = gold_under(Gold("g", {"1": GoldItem("1", "a.n", {"ice cream": 3.0, "it's": 1.0})}))["1"]
    candidates = [Candidate(text) for text in ("ice-cream", "ice cream", "its", "other")]
    assert shares_of(gold, candidates).tolist() == [0.75, 0.0, 0.25, 0.0]


numbers = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float))


@given(st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=8))
def test_comparisons_agree_with_scipy(rows: list[list[float]]) -> None:
    from scipy.stats import rankdata, zscore

    values = np.array(rows, np.float32)
    found = with_comparisons(values, np.array([True, False]))
    names = column_names(["a", "b"], [True, False])
    assert names == ["a", "b", "a:rank", "a:z", "a:gap"]
    assert found.shape == (len(rows), len(names))
    np.testing.assert_array_equal(found[:, :2], values)
    known = ~np.isnan(values[:, 0])
    assert np.isnan(found[~known][:, 2:]).all()
    if known.any():
        column = values[known, 0].astype(float)
        ranks = (rankdata(-column) - 1) / len(column)
        np.testing.assert_allclose(found[known, 2], ranks, atol=1e-6)
        expected = zscore(column) if column.std() else np.zeros(len(column))
        np.testing.assert_allclose(found[known, 3], expected, atol=1e-5)
        np.testing.assert_allclose(found[known, 4], column - column.max(), atol=1e-6)


def test_every_family_says_what_it_computes() -> None:
    from lexsub.parts.base import FEATURES

    special = {"format": "moby", "ranker": "order", "family": "form"}
    for name in FEATURES:
        wanted = [field.name for field in dataclasses.fields(FEATURES[name])  # type: ignore[arg-type]
                  if field.default is field.default_factory is dataclasses.MISSING]  # fmt: skip
        table = {option: special.get(option, "x") for option in wanted}
        family = build_part(FEATURES, {"name": name, **table}, "x")
        known: Sequence[Feature] = family.features()
        names = [feature.name for feature in known]
        assert len(set(names)) == len(names) > 0, name
        assert all(feature.text for feature in known), name
        # A model's header says its families; they are made again from that.
        builder = LearnedBuilder(data=("x/y",), features=Labelled({name: family}))
        told = describe_part(builder)["features"]
        assert dict(labelled_parts(FEATURES, told, "x")) == {name: family}


def test_an_experiment_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    goes: list[int] = []

    def spy(families: Sequence[Any], *rest: Any) -> Any:
        goes.append(len(families))
        return describe(families, *rest)

    describe = features.describe
    monkeypatch.setattr(features, "describe", spy)
    table = {
        "name": "learned",
        "data": "tutorial/test",
        "tuning": "tutorial/trial",
        "models": {
            "learned": {
                "kind": "learned",
                "data": ["tutorial/trial", "tutorial/test"],
                "folds": 3,
                "learner": {"name": "lambdarank", "trees": 10, "leaf": 2},
                "features": ["wordnet", {"name": "origins", "sources": ["wordnet"]}, "form"],
            }
        },
        "systems": [
            {
                "name": "learned",
                "candidates": {"name": "wordnet", "frequency": "none"},
                "ranker": "learned",
            }
        ],
    }
    results, computed = [], []
    for number, (workers, held) in enumerate([(1, 1 << 27), (2, 1 << 27), (1, 1)]):
        monkeypatch.setattr(features, "AT_ONCE", held)
        goes.clear()
        experiment = make_experiment(
            {**table, "workers": workers, "backend": "threading"}, tmp_path
        )
        resources = Resources(cache=cache(tmp_path, f"cache{number}"))
        done: list[str] = []
        run_experiment(experiment, tmp_path / str(number), resources, report=done.append)
        assert sum(line.startswith("features") for line in done) == 6, "three families, two splits"
        assert goes == ([3, 3] if held > 1 else [1] * 6)
        results.append((tmp_path / str(number) / "rankings" / "learned.jsonl").read_bytes())
        tables = (resources.cache / "stages" / "features").glob("*/values.npy")
        computed.append({(path.parent.name, path.read_bytes()) for path in tables})
        again: list[str] = []
        run_experiment(experiment, tmp_path / str(number), resources, report=again.append)
        assert all("reused" in line for line in again if line.startswith(("features", "model")))
    assert results[0] == results[1] == results[2]
    assert computed[0] == computed[1] == computed[2]
    assert len(computed[0]) == 6, "the values of three families of two splits"
    rankings = read_rankings(tmp_path / "0" / "rankings" / "learned.jsonl")
    assert len({entry.score for ranking in rankings for entry in ranking.ranked}) > 20


def test_any_ranker_is_a_feature() -> None:
    (item,) = items(["one"], 1)
    candidates = [Candidate("longest"), Candidate("short")]
    values = RankerFeatures(Order()).open(Resources()).values(item, candidates)
    assert values.tolist() == [[1.0, 1.0], [0.5, 0.5]]
    with pytest.raises(ValueError, match="looks at the gold"):
        RankerFeatures(Oracle())


def test_no_boundary_sees_the_gold_of_what_it_cuts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lightgbm")
    contexts: list[tuple[BoundaryContext, set[str]]] = []
    cut = answers.cut

    def spy(part: Boundary, context: BoundaryContext, rankings: Sequence[Ranking]) -> list[Answer]:
        contexts.append((context, {ranking.id for ranking in rankings}))
        return cut(part, context, rankings)

    monkeypatch.setattr(answers, "cut", spy)
    table = {
        "name": "cut",
        "data": "tutorial/test",
        "tuning": "tutorial/trial",
        "models": {
            "learned": {
                "kind": "learned",
                "data": ["tutorial/trial", "tutorial/test"],
                "folds": 2,
                "learner": {"name": "lambdarank", "trees": 3, "leaf": 2},
                "features": ["form"],
            }
        },
        "systems": [
            {
                "name": "cut",
                "candidates": {"name": "wordnet", "frequency": "none"},
                "ranker": "learned",
                "oot": {"name": "expected-f", "sizes": 2},
            }
        ],
    }
    resources = Resources(cache=cache(tmp_path))
    run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    (learned,) = [(context, ids) for context, ids in contexts if context.tuning is not None]
    context, ids = learned
    assert context.gold is None
    assert context.tuning is not None
    tuned = {ranking.id for ranking in context.tuning.rankings}
    assert not tuned & ids
