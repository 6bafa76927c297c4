"""Figures that are known from the papers or follow from the released golds."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Gold, GoldItem
from lexsub.evaluation.bounds import all_tied, oracle, pooled_candidates
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.outputs.plain import read_lines
from lexsub.formats.semeval_lines import read_submission


def one_item(weights: dict[str, float], answers: list[str], measure: str) -> float:
    gold = Gold("one", {"1": GoldItem("1", "x.n", weights)})
    return evaluate(gold, {"s": {"1": answers}}, measure, interval=None).value("s", measure)


# H = {G 3, M 3, S 2, J 1, Ch 1}, the example of Jabbari, Hepple and Guthrie (2010).
H = {"gg": 3.0, "mm": 3.0, "ss": 2.0, "jj": 1.0, "cc": 1.0}


@pytest.mark.parametrize(
    ("answers", "measure", "expected"),
    [
        (["mm"], "best-prime", 1.0),
        (["mm"], "best-R", 0.3),
        (["ss"], "best-prime", 2 / 3),
        (["ss"], "best-R", 0.2),
        (["gg", "mm", "ss", "jj", "cc", "a", "b", "c", "d", "e"], "coverage-R", 1.0),
        (["gg", "mm", "ss", "jj", "cc", "a", "b", "c", "d", "e"], "coverage-P", 2 / 3),
        (["gg", "ss", "jj", "x", "y"], "coverage-R", 0.6),
        (["gg", "ss", "jj", "x", "y"], "coverage-P", 0.75),
        (["gg", "ss", "jj", "x", "y"], "coverage-F@10", 2 / 3),
        (["gg", "ss", "jj", "x", "y"], "coverage-P(penalty=0)", 1.0),
        (["gg", "ss", "jj", "x", "y"], "coverage-P(counts=no)", 0.6),
        (["gg", "ss", "jj", "x", "y"], "coverage-R(counts=no)", 0.6),
        (["x", "y"], "coverage-F@10", 0.0),
    ],
)
def test_examples_of_jabbari(answers: list[str], measure: str, expected: float) -> None:
    assert one_item(H, answers, measure) == pytest.approx(expected)


def test_best_prime_divides_by_the_number_of_answers() -> None:
    gold = Gold("one", {"1": GoldItem("1", "x.n", H)})
    scores = evaluate(gold, {"s": {"best": {"1": ["ss", "x"]}}}, "best-prime", interval=None)
    assert scores.value("s", "best-prime") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("answers", "credit", "mode"),
    [(["glad"], 3 / 7, 1.0), (["merry"], 2 / 7, 0.0), (["cheerful"], 1 / 7, 0.0),
     (["sunny"], 0.0, 0.0)],
)  # fmt: skip
def test_happy_example_of_mccarthy_and_navigli(
    answers: list[str], credit: float, mode: float
) -> None:
    happy = {"glad": 3.0, "merry": 2.0, "sunshiny": 0.0, "jovial": 1.0, "cheerful": 1.0}
    assert one_item(happy, answers, "best-R") == pytest.approx(credit)
    assert one_item(happy, answers, "oot-R") == pytest.approx(credit)
    assert one_item(happy, answers, "best-mode-R") == mode


@pytest.mark.parametrize(
    ("weights", "answers", "expected"),
    [
        ({"intelligent": 3.0, "clever": 2.0},
         ["positive", "smart", "clever", "intelligent", "talented"], 0.34848),
        ({"a": 2.0, "b": 1.0}, ["a"], 0.5714),
        ({"a": 2.0, "b": 1.0}, ["x", "a", "b"], 0.5714),
    ],
)  # fmt: skip
def test_gap_examples(weights: dict[str, float], answers: list[str], expected: float) -> None:
    assert one_item(weights, answers, "GAP") == pytest.approx(expected, abs=5e-5)


@pytest.mark.data
def test_oracle_on_the_test_gold(data_dir: Path) -> None:
    gold = load("semeval2007/test", [data_dir]).gold
    scores = evaluate(
        gold,
        {"oracle": oracle(gold, normalise="official")},
        "best oot coverage-F@1..8 coverage-R optimal-F best-prime",
        normalise="official",
        subsets=("ALL", "NMWT", "NMWS", "RAND", "MAN"),
        interval=None,
    )
    best = {name: scores.figure("oracle", "best-R", subset=name) for name in
            ("ALL", "NMWT", "RAND", "MAN")}  # fmt: skip
    found = {name: (figure.items, round(100 * figure.value, 2)) for name, figure in best.items()}
    assert found == {
        "ALL": (1696, 45.76), "NMWT": (1567, 46.26), "RAND": (914, 45.77), "MAN": (782, 45.75),
    }  # fmt: skip
    modes = {
        name: scores.figure("oracle", "best-mode-R", subset=name).items
        for name in ("ALL", "NMWT", "NMWS", "RAND", "MAN")
    }
    assert modes == {"ALL": 1230, "NMWT": 1151, "NMWS": 1186, "RAND": 654, "MAN": 576}
    assert scores.figure("oracle", "best-R", subset="NMWS").items == 1642
    cuts = [round(scores.value("oracle", f"coverage-F@{k}"), 4) for k in range(1, 9)]
    assert cuts == [0.6043, 0.7883, 0.8881, 0.9510, 0.9836, 0.9967, 0.9996, 1.0]
    for measure in ("best-mode-P", "oot-P", "oot-mode-R", "optimal-F", "best-prime"):
        assert scores.value("oracle", measure) == pytest.approx(1.0)


@pytest.mark.data
def test_ten_copies_of_the_top_answer(data_dir: Path) -> None:
    gold = load("semeval2007/test", [data_dir]).gold
    top = oracle(gold, normalise="official")["best"]
    system = {"copies": {"oot": {item_id: list(one) * 10 for item_id, one in top.items()}}}
    scores = evaluate(gold, system, "oot oot-unique", normalise="official", interval=None)
    assert round(100 * scores.value("copies", "oot-R"), 2) == 457.61
    assert round(100 * scores.value("copies", "oot-R(duplicates=drop)"), 2) == 45.76
    clean = evaluate(gold, system, "oot", normalise="clean", interval=None)
    assert clean.value("copies", "oot-R") < 0.5


@pytest.mark.data
def test_items_by_part_of_speech(data_dir: Path) -> None:
    gold = load("semeval2007/test", [data_dir]).gold
    scores = evaluate(
        gold, {"none": {"best": {}}}, "best", normalise="official", by_pos=True, interval=None
    )
    items = [scores.figure("none", "best-R", pos=pos).items for pos in "navr"]
    modes = [scores.figure("none", "best-mode-R", pos=pos).items for pos in "navr"]
    assert (items, modes) == ([494, 464, 440, 298], [356, 327, 314, 233])
    assert math.isnan(scores.value("none", "best-P"))
    assert scores.value("none", "best-R") == 0


@pytest.mark.data
@pytest.mark.parametrize("normalise", ["official", "clean"])
def test_trial_baselines(normalise: str, data_dir: Path) -> None:
    data = load("semeval2007/trial", [data_dir])
    folder = data_dir / "semeval2007" / "trial"
    system = {
        "best": read_submission(folder / "BL.out", "best"),
        "oot": read_submission(folder / "BLoutof10.out", "oot"),
        "mw": read_submission(folder / "dummyMW.out", "mw"),
    }
    scores = evaluate(data.gold, {"BL": system}, "best oot mw", normalise=normalise, interval=None)
    found = [round(100 * figure.value, 2) for figure in scores]
    assert found == [
        10.52, 10.52, 12.81, 12.81, 21.57, 21.57, 29.06, 29.06, 66.67, 15.38, 50.0, 11.54,
    ]  # fmt: skip
    assert scores.figure("BL", "mw-detection-R").items == 26


@pytest.mark.data
@pytest.mark.parametrize(
    ("split", "expected"),
    [("test-290", [0.1317, 0.3307, None, None]), ("test", [0.1273, 0.3271, 0.0453, 0.3245])],
)
def test_semdis_baseline(split: str, expected: list[float | None], data_dir: Path) -> None:
    path = data_dir / "semdis2014" / "baseline_dicosyn.txt"
    system = read_lines(path.read_text(), path, "::")
    gold = load(f"semdis2014/{split}", [data_dir]).gold
    scores = evaluate(gold, {"DicoSyn": system}, "semdis", interval=None)
    for figure, value in zip(scores, expected, strict=True):
        assert value is None or figure.value == pytest.approx(value, abs=6e-5)


@pytest.mark.data
def test_expected_gap_of_a_random_ranking(data_dir: Path) -> None:
    gold = load("semeval2007/all", [data_dir]).gold
    system = all_tied(pooled_candidates(gold))
    scores = evaluate(gold, {"random": system}, "GAP(ties=expected)", by_pos=True, interval=None)
    # The published runs draw one order each; their standard error is about .006 (.01 by part
    # of speech), and they keep the pseudo-word pn.
    assert scores.value("random", "GAP(ties=expected)") == pytest.approx(0.2985, abs=0.006)
    for pos, value in {"n": 0.298, "a": 0.281, "v": 0.273, "r": 0.365}.items():
        found = scores.value("random", "GAP(ties=expected)", pos=pos)
        assert found == pytest.approx(value, abs=0.01)
