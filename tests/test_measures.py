"""Every measure against a slow one written for the purpose, and the laws it must keep."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.datasets import Gold, GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.bounds import oracle
from lexsub.evaluation.figures import scaled, shown
from lexsub.evaluation.measure import GROUPS, MEASURES, Measure, parse_measures
from lexsub.evaluation.rendering import signatures
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scores import remarks_on_scores
from lexsub.evaluation.scoring import evaluate
from lexsub.evaluation.sheets import Sheet
from lexsub.rankings import Ranked, Ranking
from tests import brute_force as slow

WORDS = [f"w{i}" for i in range(14)] + ["two words", "hyphen-ed", "three small words"]
ONE_WORD = [word for word in WORDS if " " not in word and "-" not in word]

Items = dict[str, tuple[dict[str, float], list[str]]]


def random_items(rng: random.Random, *, size: int, ratios: bool = False) -> Items:
    """Items with gold weights (two responses at least) and answers without duplicates."""
    items: Items = {}
    for number in range(size):
        substitutes = rng.sample(WORDS, rng.randint(2, 9))
        weights = [rng.randint(1, 5) / (7 if ratios else 1) for _ in substitutes]
        answers = rng.sample(WORDS, rng.randint(0, 14))
        items[str(number)] = (dict(zip(substitutes, weights, strict=True)), answers)
    return items


def gold_of(items: Items) -> Gold:
    return Gold(
        "random",
        {
            item_id: GoldItem(item_id, f"t{int(item_id) // 3}.n", weights, target="its target")
            for item_id, (weights, _) in items.items()
        },
    )


def score(items: Items, measure: str, answers: Mapping[str, Sequence[str]] | None = None) -> float:
    given_answers = answers or {item_id: found for item_id, (_, found) in items.items()}
    lists = {"best": given_answers, "oot": given_answers, "ranking": given_answers}
    scores = evaluate(gold_of(items), {"s": lists}, measure, interval=None)
    return scores.value("s", str(parse_measures(measure)[0]))


def clean(text: str) -> str:
    return text.replace("-", " ")


def single(words: Sequence[str]) -> list[str]:
    return [word for word in words if word in ONE_WORD]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


Slow = Callable[[dict[str, float], list[str]], float]
PER_ITEM: dict[str, Slow] = {
    "best-R": slow.best,
    "oot-R": slow.oot,
    "best-prime": slow.best_prime,
    "best-1": lambda gold, a: slow.best_prime(gold, a[:1]),
    "coverage-P": lambda gold, a: slow.coverage(gold, a)[0],
    "coverage-R": lambda gold, a: slow.coverage(gold, a)[1],
    "coverage-F@10": lambda gold, a: slow.coverage(gold, a)[2],
    "coverage-F@3": lambda gold, a: slow.coverage(gold, a[:3])[2],
    "coverage-P(penalty=2.5)": lambda gold, a: slow.coverage(gold, a, 2.5)[0],
    "coverage-P(counts=no)": lambda gold, a: (
        sum(x in gold for x in a[:10]) / len(a[:10]) if a else 0.0
    ),
    "coverage-R(counts=no)": lambda gold, a: sum(x in gold for x in a[:10]) / len(gold),
    "optimal-F": slow.optimal_f,
    "rank-reconstruction": slow.rank_reconstruction,
    "semdis-best": lambda gold, a: slow.semdis_best(gold, a, True),
    "semdis-best(normalised=no)": lambda gold, a: slow.semdis_best(gold, a, False),
    "semdis-oot": lambda gold, a: slow.semdis_oot(gold, a, True),
    "semdis-oot(normalised=no)": lambda gold, a: slow.semdis_oot(gold, a, False),
    "GAP(multiwords=keep)": slow.gap,
    "AP": slow.average_precision,
    "nDCG@10": slow.ndcg,
    "nDCG@3": lambda gold, a: slow.ndcg(gold, a, 3),
    "P@1": lambda gold, a: slow.precision_at(gold, a, 1),
    "P@5": lambda gold, a: slow.precision_at(gold, a, 5),
    "R@10": lambda gold, a: slow.recall_at(gold, a, 10),
    "F@4": lambda gold, a: slow.f_at(gold, a, 4),
    "credit@10": lambda gold, a: slow.credit_at(gold, a, 10),
}
SINGLE_WORD: dict[str, Slow] = {
    "GAP": slow.gap,
    "AP(multiwords=drop)": slow.average_precision,
    "nDCG(multiwords=drop)@5": lambda gold, a: slow.ndcg(gold, a, 5),
    "credit(multiwords=drop)@10": lambda gold, a: slow.credit_at(gold, a, 10),
}


def values(items: Items, measures: Iterable[str]) -> dict[str, float]:
    answers = {item_id: found for item_id, (_, found) in items.items()}
    lists = {"best": answers, "oot": answers, "ranking": answers}
    scores = evaluate(gold_of(items), {"s": lists}, measures, interval=None)
    return {figure.measure: figure.value for figure in scores}


def test_equals_the_slow_ones_on_four_thousand_random_items() -> None:
    rng = random.Random(1)
    for _ in range(200):
        items = random_items(rng, size=20)
        expected = {
            measure: mean([slow_one(gold, answers) for gold, answers in items.values()])
            for measure, slow_one in PER_ITEM.items()
        }
        assert values(items, PER_ITEM) == pytest.approx(expected, abs=1e-12)


def test_equals_the_slow_ones_without_multiwords() -> None:
    rng = random.Random(2)
    for _ in range(100):
        items = random_items(rng, size=20)
        kept = [
            ({s: w for s, w in gold.items() if s in ONE_WORD}, single(answers))
            for gold, answers in items.values()
        ]
        expected = {
            measure: mean([slow_one(gold, answers) for gold, answers in kept if gold])
            for measure, slow_one in SINGLE_WORD.items()
        }
        assert values(items, SINGLE_WORD) == pytest.approx(expected, abs=1e-12)


def test_precision_and_mode_on_random_items() -> None:
    rng = random.Random(3)
    for _ in range(60):
        items = random_items(rng, size=15)
        attempted = [(gold, answers) for gold, answers in items.values() if answers]
        with_mode = [(slow.mode(g), a) for g, a in items.values() if slow.mode(g) is not None]
        answered = [(clean(m or ""), list(map(clean, a))) for m, a in with_mode if a]
        scores = evaluate(
            gold_of(items),
            {"s": {task: {i: a for i, (_, a) in items.items()} for task in ("best", "oot")}},
            "best oot",
            interval=None,
        )
        expected = {
            "best-P": mean([slow.best(*item) for item in attempted]),
            "oot-P": mean([slow.oot(*item) for item in attempted]),
            "best-mode-R": sum(a[0] == m for m, a in answered) / len(with_mode),
            "best-mode-P": mean([float(a[0] == m) for m, a in answered]),
            "oot-mode-R": sum(m in a[:10] for m, a in answered) / len(with_mode),
            "oot-mode-P": mean([float(m in a[:10]) for m, a in answered]),
        }
        for measure, value in expected.items():
            assert scores.value("s", measure) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("measure", "slow_one"),
    [
        ("GAP(multiwords=keep,ties=expected)", slow.gap),
        ("AP(ties=expected)", slow.average_precision),
        ("nDCG(ties=expected)@3", lambda gold, a: slow.ndcg(gold, a, 3)),
        ("P(ties=expected)@2", lambda gold, a: slow.precision_at(gold, a, 2)),
        ("credit(ties=expected)@2", lambda gold, a: slow.credit_at(gold, a, 2)),
    ],
)
def test_expected_value_over_ties_is_that_of_all_orders(measure: str, slow_one: Slow) -> None:
    rng = random.Random(measure)
    for _ in range(150):
        items = random_items(rng, size=1)
        gold, answers = items["0"]
        answers = answers[:6]
        scores = sorted((rng.randint(0, 2) for _ in answers), reverse=True)
        ranking = Ranking(
            "0", "t0.n", tuple(Ranked(a, float(s)) for a, s in zip(answers, scores, strict=True))
        )
        groups = [
            [a for a, s in zip(answers, scores, strict=True) if s == value]
            for value in sorted(set(scores), reverse=True)
        ]
        found = evaluate(gold_of(items), {"s": [ranking]}, measure, interval=None)
        expected = slow.over_ties(slow_one, gold, groups)
        assert found.figures[0].value == pytest.approx(expected, abs=1e-12)


def test_ties_in_input_order_and_by_name() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"good": 2.0})})
    ranking = Ranking("1", "x.n", (Ranked("zebra", 1.0), Ranked("good", 1.0)))
    found = {
        ties: evaluate(gold, {"s": [ranking]}, f"GAP(ties={ties})", interval=None).figures[0].value
        for ties in ("input", "name", "expected")
    }
    assert found == {"input": 0.5, "name": 1.0, "expected": 0.75}


@pytest.mark.parametrize("setting", ["lenient", "strict"])
@pytest.mark.parametrize("reference", ["acceptable", "conceivable"])
def test_swords_equals_the_slow_one(setting: str, reference: str) -> None:
    rng = random.Random(f"{setting}{reference}")
    threshold = {"acceptable": 0.5 + 1e-4, "conceivable": 0.1}[reference]
    for _ in range(100):
        golds, triples, answers = {}, [], {}
        for number in range(10):
            ratios = {w: rng.randint(0, 10) / 10 for w in rng.sample(ONE_WORD, rng.randint(1, 12))}
            given_answers = rng.sample(ONE_WORD, rng.randint(0, 14))
            golds[str(number)] = GoldItem(str(number), "x.n", ratios)
            triples.append((ratios, set(ratios), given_answers))
            answers[str(number)] = given_answers
        options = f"(reference_set={reference},setting={setting})@4"
        scores = evaluate(
            Gold("s", golds), {"s": answers},
            f"swords-P{options} swords-R{options} swords-F{options}", interval=None,
        )  # fmt: skip
        expected = slow.swords(triples, threshold, setting == "lenient", 4)
        assert [figure.value for figure in scores] == pytest.approx(expected, abs=1e-12)


def test_swords_half_of_the_labels_is_not_acceptable() -> None:
    gold = Gold("s", {"1": GoldItem("1", "x.n", {"half": 0.5, "more": 0.6, "none": 0.0})})
    scores = evaluate(
        gold, {"s": {"1": ["unseen", "half", "more"]}},
        "swords-P@2 swords-P(setting=strict)@2 swords-P(reference_set=conceivable)@2",
        interval=None,
    )  # fmt: skip
    assert [figure.value for figure in scores] == [0.5, 0.0, 1.0]


SEEDS = st.integers(0, 10**6)
ALL_MEASURES = [
    measure for group in GROUPS if group not in ("mw", "swords")
    for measure in map(str, parse_measures(GROUPS[group]))
]  # fmt: skip


@given(SEEDS, st.sampled_from(ALL_MEASURES))
def test_bounds(seed: int, measure: str) -> None:
    items = random_items(random.Random(seed), size=8)
    value = score(items, measure)
    assert -1e-12 <= value <= 1 + 1e-12 or math.isnan(value)


@given(SEEDS, st.sampled_from(["best-R", "oot-R", "coverage-F@10", "R@14", "best-prime"]))
def test_order_is_ignored_where_a_measure_ignores_it(seed: int, measure: str) -> None:
    rng = random.Random(seed)
    items = {i: (gold, answers[:10]) for i, (gold, answers) in random_items(rng, size=8).items()}
    shuffled = {i: rng.sample(answers, len(answers)) for i, (_, answers) in items.items()}
    assert score(items, measure) == pytest.approx(score(items, measure, shuffled), abs=1e-12)


@given(SEEDS, st.sampled_from(ALL_MEASURES))
def test_order_of_items_is_ignored(seed: int, measure: str) -> None:
    items = random_items(random.Random(seed), size=8)
    backwards = {i: items[i] for i in reversed(list(items))}
    same = pytest.approx(score(backwards, measure), abs=1e-12, nan_ok=True)
    assert score(items, measure) == same


@given(SEEDS, st.sampled_from(["GAP(multiwords=keep)", "AP", "nDCG@10", "rank-reconstruction"]))
def test_moving_a_right_answer_up_never_hurts(seed: int, measure: str) -> None:
    rng = random.Random(seed)
    items = random_items(rng, size=1)
    gold, answers = items["0"]
    places = [
        i for i in range(1, len(answers)) if answers[i] in gold and answers[i - 1] not in gold
    ]
    if not places:
        return
    place = rng.choice(places)
    better = list(answers)
    better[place - 1 : place + 1] = [better[place], better[place - 1]]
    assert score(items, measure, {"0": better}) >= score(items, measure) - 1e-12


@given(SEEDS, st.sampled_from(["oot-R", "coverage-R", "R@10", "oot-mode-R", "optimal-F"]))
def test_another_answer_at_the_end_never_hurts_recall(seed: int, measure: str) -> None:
    rng = random.Random(seed)
    items = {i: (gold, answers[:5]) for i, (gold, answers) in random_items(rng, size=6).items()}
    longer = {
        i: [*answers, *(w for w in WORDS if w not in answers)][: len(answers) + 1]
        for i, (_, answers) in items.items()
    }
    value = score(items, measure)
    assert score(items, measure, longer) >= value - 1e-12 or math.isnan(value)


# best divides by the answers, cut-off measures by the cut: an oracle cannot reach 1 there.
REACH_ONE = [
    "best-mode-P", "best-mode-R", "oot-P", "oot-R", "oot-mode-R", "best-prime", "best-1",
    "coverage-P", "coverage-R", "coverage-F@10", "optimal-F", "rank-reconstruction",
    "semdis-best", "semdis-oot", "GAP", "GAP(multiwords=keep)", "AP", "nDCG@10", "P@1", "R@10",
]  # fmt: skip


@given(SEEDS, st.sampled_from(REACH_ONE))
def test_the_oracle_reaches_one(seed: int, measure: str) -> None:
    items = random_items(random.Random(seed), size=8)
    gold = gold_of(items)
    value = evaluate(gold, {"o": oracle(gold)}, measure, interval=None).figures[0].value
    assert value == pytest.approx(1.0) or math.isnan(value)


@given(SEEDS, st.sampled_from(ALL_MEASURES))
def test_no_order_beats_the_oracle_on_the_same_candidates(seed: int, measure: str) -> None:
    items = random_items(random.Random(seed), size=8)
    gold = gold_of(items)
    pool = {i: answers for i, (_, answers) in items.items()}
    systems = {"s": pool, "o": oracle(gold, pool)}
    scores = evaluate(gold, systems, measure, interval=None)
    mine, best = (figure.value for figure in scores)
    assert mine <= best + 1e-12 or math.isnan(mine) or math.isnan(best)


@given(SEEDS, st.sampled_from(ALL_MEASURES))
def test_duplicates_never_help_a_clean_measure(seed: int, measure: str) -> None:
    rng = random.Random(seed)
    items = random_items(rng, size=8)
    copied = {}
    for item_id, (_, answers) in items.items():
        copies = list(answers)
        for answer in answers:
            copies.insert(rng.randint(copies.index(answer) + 1, len(copies)), f" {answer} ")
        copied[item_id] = copies
    assert score(items, measure, copied) == pytest.approx(score(items, measure), nan_ok=True)


def test_every_measure_prints_as_what_parses_back_to_it() -> None:
    for group in GROUPS:
        for measure in parse_measures(group):
            assert parse_measures(str(measure)) == (measure,)
    for name in MEASURES:
        part = MEASURES[name]
        assert part.name == name
        assert part.reference
        assert part.__doc__
        assert parse_measures(str(part())) == (part(),)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("best", ["best-P", "best-R", "best-mode-P", "best-mode-R"]),
        ("F@2..4", ["F@2", "F@3", "F@4"]),
        ("P", ["P@10"]),
        ("GAP(ties=input,multiwords=drop)", ["GAP"]),
        ("GAP(ties=name,multiwords=keep)", ["GAP(multiwords=keep,ties=name)"]),
        ("P@1 P@1 oot-P(duplicates=drop)", ["P@1", "oot-P(duplicates=drop)"]),
        ("coverage-P(penalty=0.5)", ["coverage-P(penalty=0.5)"]),
        ("coverage-P(counts=no)", ["coverage-P(counts=no)"]),
    ],
)
def test_reading_lists_of_measures(text: str, names: list[str]) -> None:
    assert [str(measure) for measure in parse_measures(text)] == names


@pytest.mark.parametrize(
    "text", ["", "bests", "P@4..2", "P@", "GAP(ties)", "best-P(ties=name)", "coverage-P(penalty=x)",
             "coverage-P(penalty=-1)"],
)  # fmt: skip
def test_unreadable_measures_are_refused(text: str) -> None:
    with pytest.raises(LexsubError):
        parse_measures(text)


def test_every_parameter_changes_the_signature() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"a b": 0.5, "c": 0.6})}, sha256="0123456789abcdef")
    variants = [
        "GAP", "GAP(ties=name)", "GAP(ties=expected)", "GAP(multiwords=keep)", "P@1", "P@2",
        "GAP(unjudged=drop)", "GAP(unranked=ignore)", "swords-F@10", "swords-F@9",
        "swords-F(setting=strict)@10", "swords-F(reference_set=conceivable)@10",
        "swords-F(possible=all)@10", "semdis-oot(per=lines)", "semdis-oot",
    ]  # fmt: skip
    system = {"s": {"1": ["c"]}}
    signatures = [
        figure.signature for figure in evaluate(gold, system, " ".join(variants), interval=None)
    ]
    intervals = [None, Interval(200), Interval(200, "item"), Interval(200, seed=1)]
    for interval in intervals:
        scores = evaluate(gold, system, "best-1", interval=interval)
        signatures.append(scores.figures[0].signature)
    assert len(set(signatures)) == len(signatures)
    assert all("|gold:01234567|" in signature for signature in signatures)


def test_undefined_figures_are_not_numbers() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"aa": 2.0, "bb": 2.0})})
    scores = evaluate(gold, {"s": {}}, "best oot GAP")
    found = {figure.measure: figure.value for figure in scores}
    assert math.isnan(found["best-P"])
    assert math.isnan(found["best-mode-R"])
    assert (found["best-R"], found["GAP"]) == (0, 0)
    record = next(r for r in scores.records() if r["measure"] == "best-mode-R")
    assert (record["value"], record["items"]) == (None, 0)
    assert record["skipped"] == {"no mode": 1}


def test_frames() -> None:
    items = random_items(random.Random(1), size=6)
    answers = {i: a for i, (_, a) in items.items()}
    scores = evaluate(gold_of(items), {"s": answers}, "best oot", by_pos=True)
    assert list(scores.to_pandas()["measure"]) == [figure.measure for figure in scores]
    assert scores.to_polars().height == len(scores) == 16
    skipped = [sum(figure.skipped.values()) for figure in scores]
    assert any(skipped)
    assert list(scores.to_pandas()["skipped"]) == list(scores.to_polars()["skipped"]) == skipped


def test_systems_in_no_known_form_are_refused() -> None:
    gold = gold_of(random_items(random.Random(1), size=2))
    for system in ({"1": "glad"}, {"best": {}, "1": ["glad"]}, [1, 2], 7):
        with pytest.raises(LexsubError, match="system s"):
            evaluate(gold, {"s": system}, "best")  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("ours", "theirs"), [("nDCG@10", "nDCG@10"), ("AP", "AP"), ("P@5", "P@5"), ("R@10", "R@10")]
)
def test_parity_with_ir_measures(ours: str, theirs: str) -> None:
    ir = pytest.importorskip("ir_measures")
    rng = random.Random(ours)
    for _ in range(25):
        items = random_items(rng, size=12)
        items = {i: (gold, answers or ["w0"]) for i, (gold, answers) in items.items()}
        qrels = {i: {clean(s): int(w) for s, w in gold.items()} for i, (gold, _) in items.items()}
        run = {
            i: {clean(a): float(-place) for place, a in enumerate(answers)}
            for i, (_, answers) in items.items()
        }
        measure = ir.parse_measure(theirs)
        expected = ir.calc_aggregate([measure], qrels, run)[measure]
        assert score(items, ours) == pytest.approx(expected, abs=1e-9)


def test_the_public_api() -> None:
    import lexsub

    gold = lexsub.Gold("g", {"1": lexsub.GoldItem("1", "x.n", {"glad": 3.0, "merry": 1.0})})
    scores = lexsub.evaluate(gold, {"mine": {"1": ["glad", "merry"]}}, "best-R oot-R")
    assert [figure.value for figure in scores] == [0.75, 1.0]
    pool = {"1": ["merry", "sad"]}
    assert lexsub.ceiling(gold, pool).value("oracle", "oot-R") == 0.25


@pytest.mark.parametrize("name", [n for n in MEASURES if "k" in MEASURES[n].__dataclass_fields__])
def test_a_cut_off_is_at_least_one(name: str) -> None:
    assert MEASURES[name](k=1).k == 1
    with pytest.raises(ValueError, match="k is 0; expected at least 1"):
        MEASURES[name](k=0)


@pytest.mark.parametrize("name", [n for n in MEASURES if n.startswith(("coverage", "optimal"))])
def test_a_penalty_is_no_reward(name: str) -> None:
    assert MEASURES[name](penalty=0).penalty == 0
    with pytest.raises(ValueError, match=r"penalty is -0\.5; expected at least 0"):
        MEASURES[name](penalty=-0.5)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [({"resamples": 99}, {"resamples": 100}), ({"level": 1.0}, {"level": 0.999}),
     ({"level": 0.0}, {"level": 0.001})],
)  # fmt: skip
def test_limits_of_intervals(wrong: dict[str, float], right: dict[str, float]) -> None:
    assert Interval(**right)
    with pytest.raises(LexsubError, match="expected"):
        Interval(**wrong)


def test_signatures_share_what_all_have_but_the_name() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"aa": 2.0})})
    scores = evaluate(gold, {"s": {"1": ["aa"]}}, "coverage-F@1..2", interval=None)
    head, *rest = signatures([figure.signature for figure in scores])
    assert head.startswith("all: ties:input|penalty:1|counts:yes|")
    assert rest == ["coverage-F|k:1", "coverage-F|k:2"]


def test_figures_are_shown_in_their_unit() -> None:
    for show in (shown, scaled):
        for bounds in ((), (0.25, 0.75)):
            plain, percent = show(0.5, "1", *bounds), show(0.5, "%", *bounds)
            assert (plain.value, plain.digits) == (0.5, 4)
            assert (percent.value, percent.digits) == (50.0, 2)
            assert [plain.low, plain.high] == (list(bounds) or [None, None])
            assert [percent.low, percent.high] == ([100 * b for b in bounds] or [None, None])
    # Half a hundredth: the official scorer cuts where a float would round up.
    assert shown(0.14375, "%").value == 14.37
    assert scaled(0.14375, "%").value == pytest.approx(14.375)


@dataclass(frozen=True)
class Answers(Measure):
    """How many items have an answer: one sum is enough for it, if it says what its value is."""

    name: ClassVar[str] = "answers"
    reads: ClassVar[str] = "best"  # type: ignore[assignment]
    reference: ClassVar[str] = "here"

    def statistics(self, sheet: Sheet) -> np.ndarray:
        return sheet.attempted[:, None].astype(float)


@dataclass(frozen=True)
class Summed(Answers):
    def value(self, sums: np.ndarray) -> np.ndarray:
        return sums[..., 0]


def test_a_ratio_needs_two_sums() -> None:
    items = gold_of({"1": ({"x": 2}, []), "2": ({"y": 2}, [])})
    system = {"s": {"best": {"1": ["x"]}}}
    with pytest.raises(LexsubError, match=r"shape \(2, 1\); expected .* and two columns"):
        evaluate(items, system, [Answers()], interval=None)
    assert evaluate(items, system, [Summed()], interval=None).value("s", "answers") == 1


def test_what_is_not_attempted_is_said_of_all_items_together() -> None:
    """Not once more of each part of speech and subset."""
    items = {pos: GoldItem(pos, f"w{pos}.{pos}", {"x": 2, "y": 1}) for pos in "nvar"}
    gold = Gold("g", items, manual_words=frozenset({"wn.n"}))
    scores = evaluate(
        gold, {"s": {"best": {"n": ["x"]}}}, "best-R",
        subsets=("ALL", "NMWS", "RAND", "MAN"), by_pos=True, interval=None,
    )  # fmt: skip
    assert len(scores.figures) > 10
    assert remarks_on_scores(scores) == ["s attempted 1 of 4 (best-R)"]


def test_answers_without_gold_are_noted_where_there_are_some() -> None:
    gold = Gold("g", {"1": GoldItem("1", "w.n", {"x": 2})})
    for ids, notes in (("1", {}), ("123", {"answers to items without gold (best)": 2})):
        system = {"best": {item: ["x"] for item in ids}}
        assert evaluate(gold, {"s": system}, "best-R", interval=None).notes == {"s": notes}
    # A multiword found where there is none is an answer like any other.
    assert evaluate(
        gold, {"s": {"mw": {"9": ["x y"]}, "best": {}}}, "best-R", interval=None
    ).notes == {"s": {}}


def test_ndcg_takes_equal_scores_in_the_order_given_unless_told_otherwise() -> None:
    gold = Gold("g", {"1": GoldItem("1", "w.n", {"x": 2.0})})
    ranking = [Ranking("1", "w.n", (Ranked("y", 1.0), Ranked("x", 1.0)))]
    scores = evaluate(gold, {"s": ranking}, "nDCG nDCG(ties=expected)", interval=None)
    second = 1 / math.log2(3)
    assert [figure.value for figure in scores] == pytest.approx([second, (1 + second) / 2])


@pytest.mark.parametrize("number", [1, 2])
def test_the_title_counts_figures(number: int) -> None:
    systems = {name: {"best": {"1": ["x"]}} for name in "ab"[:number]}
    gold = Gold("g", {"1": GoldItem("1", "w.n", {"x": 2})})
    title = evaluate(gold, systems, "best-R", interval=None).view().title
    assert title == ("1 figure of a" if number == 1 else "2 figures of a, b")
