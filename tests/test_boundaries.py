"""Boundaries against brute force, the evaluation's own coverage F, and made-up rankings."""

from __future__ import annotations

import gc
import itertools
import math
import statistics
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.boundary.curves import Memory, Sample, outcome
from lexsub.boundary.expected_best import ExpectedBest
from lexsub.boundary.expected_f import (
    ExpectedF,
    Sizes,
    Weights,
    describe,
    exact,
    exact_table,
    learn,
    plug_in,
)
from lexsub.boundary.features import features, width
from lexsub.boundary.oracle import OracleCut
from lexsub.boundary.thresholds import (
    GapThreshold,
    MassThreshold,
    RelativeThreshold,
    ScoreThreshold,
    Threshold,
    Tuned,
    TunedTopN,
    scores_of,
)
from lexsub.datasets import Gold, GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.results.boundaries import RunRankings, recipes
from lexsub.matching.seen import gold_under
from lexsub.parts.base import BOUNDARIES, BoundaryContext, Tuning
from lexsub.rankings import Ranked, Ranking

LETTERS = "abcdefghijkl"


def ranking(scores: list[float], item: str = "1", words: str = LETTERS) -> Ranking:
    ranked = tuple(Ranked(w, s) for w, s in zip(words, scores, strict=False))
    return Ranking(item, "glad.a", ranked)


def gold(*items: dict[str, float]) -> Gold:
    entries = {
        str(i): GoldItem(str(i), "glad.a", weights,
                         "".join(f"{w} {int(c)};" for w, c in weights.items()))
        for i, weights in enumerate(items, start=1)
    }  # fmt: skip
    return Gold("own/test", entries)


SCORES = [0.0, -0.5, -0.6, -2.0, -2.1]


@pytest.mark.parametrize(
    ("part", "cut"),
    [
        (ScoreThreshold(-0.6), 3),
        (ScoreThreshold(1.0), 1),
        (ScoreThreshold(1.0, smallest=0), 0),
        (ScoreThreshold(-9.0), 5),
        (ScoreThreshold(-9.0, largest=4), 4),
        (RelativeThreshold(-0.55), 2),
        (RelativeThreshold(), 4),
        (GapThreshold(), 3),
        (GapThreshold(-1.0), 3),
        (GapThreshold(-0.2), 1),
        (GapThreshold(-0.55), 3),
        (MassThreshold(0.3, temperature=1.0), 2),
        (MassThreshold(0.0, temperature=1.0), 5),
    ],
)
def test_thresholds(part: ScoreThreshold, cut: int) -> None:
    assert part.fit(BoundaryContext()).cut(ranking(SCORES)) == cut
    assert part.cut(ranking([])) == 0


def test_relative_and_gap_do_not_see_a_constant_added_to_all_scores() -> None:
    moved = ranking([score + 100 for score in SCORES])
    for part in (RelativeThreshold(-0.55), GapThreshold(-1.0), MassThreshold(0.3)):
        assert part.cut(moved) == part.cut(ranking(SCORES))


WEIGHTS = st.dictionaries(st.sampled_from(LETTERS), st.integers(1, 5), min_size=2, max_size=6)


@settings(max_examples=25)
@given(WEIGHTS, st.lists(st.sampled_from(LETTERS), min_size=1, max_size=10, unique=True))
def test_f_is_the_evaluations_coverage_f(weights: dict[str, float], words: list[str]) -> None:
    answers = gold(dict(sorted(weights.items(), key=lambda pair: -pair[1])))
    one = Ranking("1", "glad.a", tuple(Ranked(word, 0.0) for word in words))
    ours = outcome(one, gold_under(answers)["1"]).f()
    for n in range(1, len(words) + 1):
        system = {"s": {"oot": {"1": words[:n]}}}
        [figure] = evaluate(answers, system, "coverage-F", interval=None)
        assert ours[n - 1] == pytest.approx(figure.value, abs=1e-12)


def test_repeated_candidates_count_once() -> None:
    item = gold_under(gold({"well lit": 3, "b": 1}))["1"]
    one = Ranking("1", "glad.a", (Ranked("well-lit", 2), Ranked("well lit", 1), Ranked("b", 0)))
    assert list(outcome(one, item).right) == [3, 0, 1]
    assert list(outcome(one, item).wrong) == [0, 0, 0]


def test_oracle_cuts_where_f_is_greatest() -> None:
    answers = gold({"a": 2, "c": 1})
    cutter = OracleCut().fit(BoundaryContext(gold=answers))
    assert cutter.cut(ranking(SCORES)) == 3
    assert cutter.cut(ranking(SCORES, item="9")) == 1
    with pytest.raises(LexsubError, match="looks at the gold"):
        OracleCut().fit(BoundaryContext())


@settings(max_examples=25)
@given(
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=5),
    st.lists(st.integers(1, 3), min_size=1, max_size=5),
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_exact_expectation_is_the_sum_over_all_worlds(
    chances: list[float], hits: list[int], totals: list[int], penalty: float
) -> None:
    weights = Weights.of(hits, totals)
    expected = np.zeros(len(chances))
    options = [(0, 1.0), *((w, s) for w, s in enumerate(weights.hit, start=1) if s)]
    for world in itertools.product(options, repeat=len(chances)):
        probability = 1.0
        right = wrong = 0.0
        for place, (chance, (weight, share)) in enumerate(zip(chances, world, strict=True)):
            probability *= chance * share if weight else 1 - chance
            right += weight
            wrong += weight == 0
            # What comes later sums to one: each prefix is counted once.
            if all(w == (0, 1.0) for w in world[place + 1 :]):
                possible = [(t, p) for t, p in enumerate(weights.total) if p and t >= right]
                mass = sum(p for _, p in possible) or 1.0
                possible = possible or [(right, 1.0)]
                f = sum(p / mass * 2 * right / (right + penalty * wrong + t) for t, p in possible)
                expected[place] += probability * f
    for largest in (len(chances), 10):
        result = exact(np.array(chances), exact_table(weights, penalty, largest))
        assert result == pytest.approx(expected, abs=1e-9)


def test_weights_are_shares_of_what_was_met() -> None:
    """Halves go to the even neighbour, as everywhere in numpy; nothing weighs less than one."""
    weights = Weights.of([1, 3, 3.4, 0.2], [4, 6, 6, 6])
    assert weights.hit.tolist() == [0.5, 0, 0.5]
    assert weights.total.tolist() == [0, 0, 0, 0, 0.25, 0, 0.75]
    assert list(Weights.of([], [2]).hit) == [1]


def test_plug_in_and_exact_agree_where_nothing_is_uncertain() -> None:
    weights = Weights.of([2], [6])
    chances = np.array([1.0, 1.0, 0.0])
    expected = [4 / 8, 8 / 10, 8 / 11]
    assert plug_in(chances, weights, 1.0) == pytest.approx(expected)
    assert exact(chances, exact_table(weights, 1.0, 3)) == pytest.approx(expected)


def test_the_quick_expectation_is_f_of_the_expected_sums() -> None:
    """Right answers weigh 2 on average here, the item 5.5."""
    weights = Weights.of([1, 3], [4, 7])
    right, wrong = 2 * np.array([0.8, 1.3, 1.4]), np.array([0.2, 0.7, 1.6])
    found = plug_in(np.array([0.8, 0.5, 0.1]), weights, 0.5)
    assert found == pytest.approx(2 * right / (right + 0.5 * wrong + 5.5))


def test_a_ranking_that_is_shorter_keeps_what_it_has() -> None:
    rankings = [ranking([2.0, 1.0], "1"), ranking([1.0], "2"), ranking([], "3")]
    seen = gold_under(gold({"a": 1, "c": 1}, {"a": 2}, {"a": 2}))
    outcomes = [outcome(one, seen[one.id]) for one in rankings]
    table = Sample(rankings, outcomes).f(4, 1.0)
    # P and R of a, then of a and b: 1 and 1/2, then 1/2 and 1/2.
    assert table[0].tolist() == pytest.approx([2 / 3, 1 / 2, 1 / 2, 1 / 2])
    assert table[1:].tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]


def made_up(items: int, seed: int) -> tuple[list[Ranking], Gold]:
    """Rankings whose first gap tells how many of the first candidates are right."""
    rng = np.random.default_rng(seed)
    rankings, answers = [], []
    for number in range(1, items + 1):
        n = int(rng.integers(1, 8))
        scores = [-0.01 * place - 3.0 * (place >= n) for place in range(12)]
        rankings.append(ranking(scores, str(number)))
        answers.append({**dict.fromkeys(LETTERS[:n], 2), "z": 1})
    return rankings, gold(*answers)


def mean_f(part: object, rankings: list[Ranking], answers: Gold, tuning: Tuning) -> float:
    cutter = part.fit(BoundaryContext(tuning=tuning))  # type: ignore[attr-defined]
    seen = gold_under(answers)
    scores = [outcome(one, seen[one.id]).f()[cutter.cut(one) - 1] for one in rankings]
    return float(np.mean(scores))


@pytest.mark.parametrize("strategy", ["relative-score", "gap", "mass"])
def test_tuned_thresholds_find_the_gap(strategy: str) -> None:
    rankings, answers = made_up(60, 1)
    tuning = Tuning(*made_up(80, 2))
    fixed = mean_f(TunedTopN(), rankings, answers, tuning)
    assert mean_f(Tuned(strategy), rankings, answers, tuning) > fixed + 0.1


@pytest.mark.parametrize("strategy", ["score", "relative-score", "gap", "mass"])
def test_a_wrong_answer_weighs_as_in_the_published_f_unless_told_otherwise(strategy: str) -> None:
    rankings = [ranking([-float(n * n) for n in range(10)], item) for item in ("1", "2")]
    context = BoundaryContext(tuning=Tuning(rankings, gold({"a": 3, "j": 1}, {"a": 2, "j": 1})))
    for kind in (TunedTopN, partial(Tuned, strategy)):
        usual, careless = (kind(penalty=penalty).fit(context) for penalty in (1.0, 0.0))
        assert kind().fit(context) == usual
        assert [part.cut(rankings[0]) for part in (usual, careless)] == [1, 10]
    # However far below any threshold, the first is kept unless told otherwise.
    low = ranking([-1e9, -2e9], "1")
    assert Tuned(strategy).fit(context).cut(low) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("learner", ["logistic", "isotonic"])
@pytest.mark.parametrize("expectation", ["exact", "plug-in"])
def test_expected_f_learns_what_a_fixed_n_cannot(learner: str, expectation: str) -> None:
    pytest.importorskip("sklearn")
    rankings, answers = made_up(60, 3)
    tuning = Tuning(*made_up(80, 4))
    part = ExpectedF(learner=learner, expectation=expectation)
    assert mean_f(part, rankings, answers, tuning) > mean_f(TunedTopN(), rankings, answers, tuning)


@pytest.mark.parametrize("expectation", ["exact", "plug-in"])
def test_expected_f_expects_what_right_candidates_weigh_in_the_tuning_gold(
    expectation: str,
) -> None:
    """Wrong candidates, and right ones behind the first ``largest``, are no weights met."""
    pytest.importorskip("sklearn")
    rankings = [ranking([3.0, 2.0, 1.0, 0.0], str(number)) for number in (1, 2, 3)]
    answers = gold({"a": 5, "c": 2, "d": 9}, {"b": 5}, {"a": 1, "z": 8})
    part = ExpectedF(largest=3, expectation=expectation)
    cutter = part.fit(BoundaryContext(tuning=Tuning(rankings, answers)))
    (weights,) = cutter.weights
    assert weights.hit.tolist() == [0.25, 0.25, 0, 0, 0.5]  # 1 and 2 once, 5 twice
    assert np.flatnonzero(weights.total).tolist() == [5, 9, 16]
    chances = np.array([0.7, 0.4, 0.2])
    whole, quick = exact(chances, exact_table(weights, 1.0, 3)), plug_in(chances, weights, 1.0)
    assert abs(whole - quick).max() > 0.01
    chosen = whole if expectation == "exact" else quick
    assert cutter.expect[0](chances) == pytest.approx(chosen)


def test_any_human_answer_is_right_for_expected_f() -> None:
    """Also one that a single person gave."""
    pytest.importorskip("sklearn")
    rankings, answers = made_up(40, 4)
    singles = gold(*(dict.fromkeys(item.weights, 1) for item in answers.items.values()))
    context = BoundaryContext(tuning=Tuning(rankings, singles))
    cutter = ExpectedF().fit(context)
    # All that people gave comes before the gap in the scores.
    assert all(cutter.chances(one)[0] > 0.9 for one in rankings)


@pytest.mark.parametrize("learner", ["logistic", "isotonic"])
def test_what_expected_f_has_learned_is_checked_when_it_is_read_again(learner: str) -> None:
    pytest.importorskip("sklearn")
    part = ExpectedF(learner=learner, sizes=2)  # type: ignore[arg-type]
    cutter = part.fit(BoundaryContext(tuning=Tuning(*made_up(80, 4))))
    kept = part.kept(cutter)
    rankings, _ = made_up(20, 3)
    again = part.again(kept)
    assert [again.cut(one) for one in rankings] == [cutter.cut(one) for one in rankings]
    for one in rankings:
        assert again.chances(one) == pytest.approx(cutter.chances(one))
    for damaged in (1.0, [[1.0]], [math.nan]):
        with pytest.raises(ValueError, match="expected lists of finite numbers"):
            part.again({**kept, "weights": damaged})
    weights, edges = kept["sizes"]
    for sizes in ([weights, []], [weights, [*edges, *edges]]):
        with pytest.raises(ValueError, match="expected 2"):
            part.again({**kept, "sizes": sizes})
    with pytest.raises(ValueError, match="1 groups; expected 2"):
        part.again({**kept, "groups": kept["groups"][:1]})


def test_expected_f_of_a_model_does_not_keep_what_it_has_cut() -> None:
    pytest.importorskip("sklearn")
    rankings, answers = made_up(40, 5)
    part = ExpectedF()
    learned = part.fit(BoundaryContext(tuning=Tuning(rankings, answers)))
    again = part.again(part.kept(learned))
    cuts = []
    for number in range(200):  # as a server meets them: each is new, and nobody holds it
        new = replace(rankings[number % 40], id=f"made for once {number}")
        assert len(again.chances(new)) > 0
        cuts.append(again.cut(new))
    del new
    assert cuts[:40] == cuts[160:] == [learned.cut(ranking) for ranking in rankings]
    # By type: isinstance asks proxies of what is gone, which others may have left.
    alive = [o for o in gc.get_objects() if type(o) is Ranking and "for once" in o.id]
    assert len(alive) <= 1


def test_tuned_top_n_is_the_argmax_of_the_tuning_curve() -> None:
    rankings, answers = made_up(50, 5)
    seen = gold_under(answers)
    curve = Sample(rankings, [outcome(r, seen[r.id]) for r in rankings]).f(10, 1.0)
    found = TunedTopN().fit(BoundaryContext(tuning=Tuning(rankings, answers)))
    assert found.n == int(curve.mean(axis=0).argmax()) + 1


def test_agreement_needs_the_same_candidates() -> None:
    one = ranking(SCORES)
    other = {"lm": {"1": ranking(SCORES[::-1])}}
    assert features(one, ("lm",), other, 3).shape == (3, width(1))
    with pytest.raises(LexsubError, match="no ranking of item 1 by system 'bow'"):
        features(one, ("bow",), other, 3)
    with pytest.raises(LexsubError, match="must share their candidates"):
        features(one, ("lm",), {"lm": {"1": ranking(SCORES, words="vwxyz")}}, 3)


def test_chances_are_those_of_the_library() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 4)) * [1, 5, 0.1, 1] + 2
    x[:, 3] = 7.0
    y = rng.random(300) < 1 / (1 + np.exp(-x[:, 0]))
    standard = (x - x.mean(0)) / np.where(x.std(0) == 0, 1, x.std(0))
    model = linear.LogisticRegression(C=0.5, max_iter=2000).fit(standard, y)
    assert learn(x, y, "logistic", 2.0)(x) == pytest.approx(model.predict_proba(standard)[:, 1])


@pytest.mark.parametrize("name", [n for n in BOUNDARIES if BOUNDARIES[n].needs_tuning])
def test_what_learns_says_when_there_is_nothing_to_learn_from(name: str) -> None:
    part = BOUNDARIES[name]()
    with pytest.raises(LexsubError, match="was given none"):
        part.fit(BoundaryContext())
    foreign = Tuning([ranking(SCORES, item="77")], gold({"a": 2}))
    with pytest.raises(LexsubError, match="rankings are of other data"):
        part.fit(BoundaryContext(tuning=foreign))


def test_a_memory_that_is_handed_on_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    rankings, answers = made_up(60, 3)
    others = {"lm": {one.id: replace(one, ranked=one.ranked[::-1]) for one in rankings}}
    parts = [ExpectedF(), ExpectedF(others=("lm",)), ExpectedF(largest=4), TunedTopN(largest=4)]
    halves = [Tuning(rankings[:30], answers), Tuning(rankings[20:], answers)]

    def cuts(options: dict[str, object]) -> list[int]:
        contexts = [BoundaryContext(tuning=half, options=options) for half in halves]
        cutters = [part.fit(context) for context in contexts for part in parts]
        return [cutter.cut(one) for cutter in cutters for one in rankings]

    asked: list[str] = []
    monkeypatch.setattr(
        "lexsub.boundary.curves.outcome",
        lambda one, item: (asked.append(one.id), outcome(one, item))[1],
    )
    alone = cuts({"others": others})
    assert len(asked) == 70 * len(parts)
    asked.clear()
    assert cuts({"others": others, "memory": Memory()}) == alone
    assert sorted(asked) == sorted(one.id for one in rankings), "each outcome is asked for once"
    assert len(set(alone)) > 3


def test_expected_sizes_are_ridge_regressions() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(5)
    rankings = [ranking([3.0, 2.0, 1.0], str(number)) for number in range(40)]
    chances = [np.sort(rng.random(3))[::-1] for _ in rankings]
    totals = [float(5 * one.sum() + rng.random()) for one in chances]
    sizes, groups = Sizes.learn(rankings, chances, totals, 4)
    x = np.stack([describe(r, c) for r, c in zip(rankings, chances, strict=True)])[:, :-1]
    model = linear.Ridge(alpha=1.0).fit(x, totals)
    expected = model.predict(x)
    assert x @ sizes.weights[:-1] + sizes.weights[-1] == pytest.approx(expected)
    assert np.bincount(groups).tolist() == [10, 10, 10, 10]
    assert [sizes.group(r, c) for r, c in zip(rankings, chances, strict=True)] == groups.tolist()
    assert expected[groups == 0].max() < expected[groups == 3].min()


def test_more_answers_are_given_where_more_are_expected() -> None:
    pytest.importorskip("sklearn")
    rankings, answers = made_up(60, 3)
    tuning = Tuning(*made_up(200, 4))
    fixed = mean_f(ExpectedF(), rankings, answers, tuning)
    assert mean_f(ExpectedF(sizes=4), rankings, answers, tuning) > fixed - 0.01
    with pytest.raises(ValueError, match="sizes is 0"):
        ExpectedF(sizes=0)


def swapped(number: int, seed: int) -> tuple[list[Ranking], Gold]:
    """Items whose first two score alike; where both score low the second is the better one."""
    rng = np.random.default_rng(seed)
    rankings, answers = [], []
    for item in range(1, number + 1):
        low = bool(rng.integers(2))
        first = -5.0 if low else 0.0
        rankings.append(ranking([first, first - 0.01, *(first - rng.uniform(2, 3, 4))], str(item)))
        answers.append({"b": 4, "a": 1} if low else {"a": 4, "b": 1})
    return rankings, gold(*answers)


def test_expected_best_gives_two_answers_where_the_second_is_expected_to_be_better() -> None:
    pytest.importorskip("sklearn")
    rankings, answers = swapped(60, 1)
    cutter = ExpectedBest().fit(BoundaryContext(tuning=Tuning(*swapped(80, 2))))
    for one in rankings:
        weights = answers.items[one.id].weights
        shares = [weights.get(entry.substitute, 0) / 5 for entry in one.ranked]
        scores = [sum(shares[:n]) / n for n in range(1, 6)]
        assert cutter.cut(one) == int(np.argmax(scores)) + 1
    assert {cutter.cut(one) for one in rankings} == {1, 2}
    assert cutter.cut(Ranking("1", "glad.a", ())) == 0


def test_only_rankers_of_the_same_candidates_are_looked_at() -> None:
    given = gold({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 2.0})
    ours = [ranking(SCORES, "1"), ranking(SCORES, "2")]
    turned = [replace(one, ranked=one.ranked[::-1]) for one in ours]
    fewer = [ours[0], ranking(SCORES[:3], "2")]
    run = RunRankings("x", given, None, {"ours": ours, "fewer": fewer, "turned": turned}, {})
    assert run.alike("ours") == ["ours", "turned"]
    assert run.alike("fewer") == ["fewer"]
    labels = {name: set(recipes(name, run.alike(name))) for name in run.rankings}
    assert labels["ours"] - labels["fewer"] == {"expected-f others"}


@pytest.mark.parametrize("lexelt", ["glad.a", "gladly.r", "gladden.v", "joy.n"])
def test_features_are_what_their_description_says(lexelt: str) -> None:
    scores = [3.0, 2.5, 2.5, 0.5, -1.0, -1.5, -2.0, -2.5, -3.0, -4.0, -4.5, -7.0]
    words = ["glad", "well pleased", *(f"w{n}" for n in range(10))]
    one = Ranking("1", lexelt, tuple(map(Ranked, words, scores)))
    backwards = [words[n] for n in (5, 0, 1, 2, 3, 4, 11, 10, 9, 8, 7, 6)]
    theirs = [9.0 - n * n for n in range(12)]
    other = {"lm": {"1": Ranking("1", lexelt, tuple(map(Ranked, backwards, theirs)))}}
    weights = [10 ** ((s - scores[0]) / 2.0) for s in scores]
    chances = [w / sum(weights) for w in weights]
    mean, deviation = statistics.fmean(scores), statistics.pstdev(scores)
    for largest in (4, 12, 20):
        expected = []
        for n in range(min(largest, 12)):
            places = [backwards.index(word) + 1 for word in words]
            expected.append([
                n + 1, math.log(n + 1), scores[n] - scores[0],
                scores[n] - scores[n + 1] if n < 11 else 2.0,
                chances[n], sum(chances[: n + 1]), 12, math.log(12), float(n == 1), chances[0],
                -sum(c * math.log(c) for c in chances), statistics.pstdev(scores[:10]),
                scores[n] - mean, (scores[n] - mean) / deviation, scores[0],
                *(float(lexelt.endswith(f".{pos}")) for pos in "nvar"),
                math.log(places[n]), places[n] / 12,
                (theirs[places[n] - 1] - statistics.fmean(theirs)) / statistics.pstdev(theirs),
                statistics.fmean(map(math.log, places[: n + 1])),
            ])  # fmt: skip
        found = features(one, ("lm",), other, largest)
        assert found.tolist() == [pytest.approx(row, rel=1e-6) for row in expected]
    assert features(Ranking("1", lexelt, ()), ("lm",), other, 4).shape == (0, 23)


def test_scores_that_hardly_differ_stand_near_their_mean() -> None:
    """Scores count in standard deviations, with a billionth more: rounding is no difference."""
    one = Ranking("1", "glad.a", (Ranked("a", 2e-9), Ranked("b", 0.0)))
    other = {"lm": {"1": Ranking("1", "glad.a", (Ranked("b", 2e-9), Ranked("a", 0.0)))}}
    found = features(one, ("lm",), other, 2)
    assert found[:, 13] == pytest.approx([0.5, -0.5])
    assert found[:, 21] == pytest.approx([-0.5, 0.5])


def test_what_is_known_of_the_size_of_an_item() -> None:
    chances = np.array([0.5, 0.25, 0.25])
    one = Ranking("1", "joy.n", (Ranked("a", 0.0),))
    entropy = -(0.5 * math.log(0.5) + 2 * 0.25 * math.log(0.25))
    assert describe(one, chances).tolist() == pytest.approx([1.0, 0.5, entropy, 1, 0, 0, 0, 1])
    assert describe(one, 0.4 * chances).tolist() == pytest.approx(
        [0.4, 0.2, entropy, 1, 0, 0, 0, 1]
    )
    none = describe(replace(one, lexelt="joy.v"), np.zeros(0)).tolist()
    assert none == pytest.approx([0, 0, 0, 0, 1, 0, 0, 1])


def test_groups_of_items_are_those_of_the_ridge_regression() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(4)
    rankings = [Ranking(str(n), f"w.{'nvar'[n % 4]}", (Ranked("a", 0.0),)) for n in range(40)]
    chances = [rng.random(5) for _ in rankings]
    totals = [float(3 * c.sum() + (n % 4) + rng.random()) for n, c in enumerate(chances)]
    sizes, groups = Sizes.learn(rankings, chances, totals, 4)
    x = np.stack([describe(r, c) for r, c in zip(rankings, chances, strict=True)])
    # The library's ridge leaves the constant alone, as ours does.
    model = linear.Ridge(alpha=1.0).fit(x[:, :-1], totals)
    expected = model.predict(x[:, :-1])
    assert x @ sizes.weights == pytest.approx(expected)
    assert sizes.edges == pytest.approx(np.quantile(expected, [0.25, 0.5, 0.75]))
    assert groups.tolist() == [int((sizes.edges <= value).sum()) for value in x @ sizes.weights]
    assert np.bincount(groups).tolist() == [10, 10, 10, 10]
    assert [sizes.group(r, c) for r, c in zip(rankings, chances, strict=True)] == groups.tolist()


@pytest.mark.parametrize(
    ("name", "option", "least"),
    [
        ("top-n", "n", 1), ("expected-f", "sizes", 1), ("expected-f", "largest", 1),
        ("expected-f", "penalty", 0), ("expected-best", "largest", 1),
        ("expected-best", "trees", 1), ("expected-best", "leaf", 1),
    ],
)  # fmt: skip
def test_limits_of_options(name: str, option: str, least: int) -> None:
    assert getattr(BOUNDARIES[name](**{option: least}), option) == least
    with pytest.raises(ValueError, match="expected"):
        BOUNDARIES[name](**{option: least - 1})


def test_limits_of_thresholds() -> None:
    assert ScoreThreshold(smallest=3, largest=3).smallest == 3
    for wrong in ({"smallest": -1}, {"smallest": 4, "largest": 3}):
        with pytest.raises(ValueError, match="smallest"):
            ScoreThreshold(**wrong)
    with pytest.raises(ValueError, match="more than 0"):
        MassThreshold(temperature=0.0)
    with pytest.raises(ValueError, match="more than 0"):
        ExpectedF(regularisation=0.0)


@pytest.mark.parametrize(
    "part", [ScoreThreshold(), RelativeThreshold(), GapThreshold(), MassThreshold()], ids=repr
)
def test_rankings_of_one_length_are_worth_together_what_each_is(part: Threshold) -> None:
    """To the last bit: sweeps take them together, a boundary one by one."""
    rng = np.random.default_rng(3)
    for length in (1, 2, 9, 10, 11, 131):
        rows = -np.sort(rng.exponential(5, (7, length)))
        alone = np.stack([part.running(row) for row in rows])
        assert alone.shape == (7, min(length, 10))
        assert part.running(rows).tobytes() == alone.tobytes()


@pytest.mark.parametrize("strategy", ["score", "relative-score", "gap", "mass"])
@pytest.mark.parametrize("penalty", [0.25, 1.0, 4.0])
def test_a_tuned_threshold_is_the_best_of_all(strategy: str, penalty: float) -> None:
    """Against every threshold that cuts the tuning split otherwise, tried one by one."""
    rankings, answers = made_up(12, 9)
    seen = gold_under(answers)
    kinds = {"score": ScoreThreshold, "relative-score": RelativeThreshold,
             "gap": GapThreshold, "mass": MassThreshold}  # fmt: skip
    plain = kinds[strategy](largest=6, smallest=2)

    def mean(part: ScoreThreshold) -> float:
        return float(np.mean([
            outcome(one, seen[one.id]).f(penalty)[part.cut(one) - 1] for one in rankings
        ]))  # fmt: skip

    values = sorted(
        {float(v) for one in rankings for v in plain.running(scores_of(one))}, reverse=True
    )
    tried = [(mean(replace(plain, value=value)), value) for value in values]
    best = max(score for score, _ in tried)
    strictest = next(value for score, value in tried if score > best - 1e-12)
    part = Tuned(strategy, penalty=penalty, largest=6, smallest=2, steps=10_000)  # type: ignore[arg-type]
    found = part.fit(BoundaryContext(tuning=Tuning(rankings, answers)))
    assert found == replace(plain, value=strictest)


def test_candidates_without_a_chance_are_no_trouble() -> None:
    far = Ranking("1", "glad.a", (Ranked("a", 0.0), Ranked("b", -2000.0)))
    found = features(far, (), {}, 4)
    assert np.isfinite(found).all()
    assert found[0, 10] == 0, "one sure candidate: no entropy"
    assert np.isfinite(describe(far, np.array([1.0, 0.0]))).all()
    assert describe(far, np.array([1.0, 0.0]))[2] == 0


def test_values_that_thresholds_are_compared_with() -> None:
    scores = np.array([3.0, 1.0, 1.0, 0.0])
    assert ScoreThreshold().values(scores).tolist() == [3, 1, 1, 0]
    assert RelativeThreshold().values(scores).tolist() == [0, -2, -2, -3]
    assert GapThreshold().values(scores).tolist() == [0, -2, 0, -1]
    shares = [10 ** (s / 2.0) for s in scores]
    left = [1 - sum(shares[:n]) / sum(shares) for n in range(4)]
    assert MassThreshold(temperature=2.0).values(scores).tolist() == pytest.approx(left)


@pytest.mark.parametrize("value", [-1.0, -0.01, 1.5])
def test_mass_is_a_share(value: float) -> None:
    with pytest.raises(ValueError, match=r"expected a share from 0 to 1"):
        MassThreshold(value)
