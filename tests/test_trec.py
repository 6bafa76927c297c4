"""Runs and qrels: other tools compute from them what we compute."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import lexsub
from lexsub.cli import main
from lexsub.datasets import Gold, GoldItem
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.outputs.trec import falling, relevance, seen_by_others

WORDS = [*(f"w{n}" for n in range(12)), "two words", "by-way", "by way", "non x", "it's"]


def convert(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["convert", *map(str, arguments)])
    return int(ended.value.code or 0)


def made_files(folder: Path, seed: int) -> tuple[Path, Path]:
    """A gold in SemEval's lines, and rankings with repeated answers, ties and close scores."""
    draw = random.Random(seed)
    gold, system = folder / "mine.gold", folder / "mine.jsonl"
    lines, rows = [], []
    for number in range(15):
        answers = "".join(f"{w} {draw.randint(1, 5)};" for w in draw.sample(WORDS, 5))
        lines.append(f"t{number}.n {number} :: {answers}\n")
        given = draw.choices(WORDS, k=draw.randint(1, 14))
        scores = sorted((draw.choice([1.0, 1 + 1e-12, 0.5, -3.0]) for _ in given), reverse=True)
        quoted = ", ".join(f'"{one}"' for one in given)
        rows.append(f'{{"id": "{number}", "substitutes": [{quoted}], "scores": {scores}}}\n')
    gold.write_text("".join(lines))
    system.write_text("".join(rows))
    return gold, system


@pytest.mark.parametrize("seed", range(4))
def test_figures_agree_with_ir_measures(seed: int, tmp_path: Path) -> None:
    ir = pytest.importorskip("ir_measures")
    gold, system = made_files(tmp_path, seed)
    qrels, run = tmp_path / "mine.qrels", tmp_path / "mine.run"
    assert convert(gold, qrels, "--to", "trec") == 0
    assert convert(system, run, "--to", "trec", "--gold", gold) == 0
    measures = ["AP", "nDCG@10", "nDCG@3", "P@1", "P@5", "R@10"]
    asked = list(map(ir.parse_measure, measures))
    theirs = ir.calc_aggregate(
        asked, list(ir.read_trec_qrels(str(qrels))), list(ir.read_trec_run(str(run)))
    )
    ours = evaluate(
        lexsub.load_gold(str(gold)), {"s": lexsub.read_output(system)}, measures, interval=None
    )
    for name, measure in zip(measures, asked, strict=True):
        assert ours.value("s", name) == pytest.approx(theirs[measure], abs=1e-9), name


@pytest.mark.filterwarnings("ignore:unsafe cast")
@pytest.mark.parametrize("policy", ["clean", "official"])
def test_figures_agree_with_ranx(policy: str, tmp_path: Path) -> None:
    """Under official rules ours are not its: to_ranx hands on what clean rules read."""
    ranx = pytest.importorskip("ranx")
    gold, system = made_files(tmp_path, 5)
    answers = lexsub.read_output(system)[:-1]  # one item is not answered
    scores = evaluate(
        lexsub.load_gold(str(gold)), {"mine": answers}, ["AP", "nDCG@10", "P@5"],
        normalise=policy, interval=None,
    )  # fmt: skip
    if policy == "official":
        scores = replace(scores, figures=evaluate(
            lexsub.load_gold(str(gold)), {"mine": answers}, ["AP", "nDCG@10", "P@5"], interval=None
        ).figures)  # fmt: skip
    qrels, runs = scores.to_ranx()
    theirs = ranx.evaluate(qrels, runs["mine"], ["map", "ndcg@10", "precision@5"])
    assert list(theirs.values()) == pytest.approx([one.value for one in scores], abs=1e-9)


def test_scores_without_answers_say_so() -> None:
    scores = evaluate({"1": {"a": 1.0}}, {"s": {"1": ["a"]}}, "AP", interval=None)
    with pytest.raises(lexsub.LexsubError, match="have no answers at hand"):
        replace(scores, ranked=None).to_ranx()
    assert scores.ranked is not None
    assert scores.ranked() == ({"1": {"a": 1}}, {"s": {"1": {"a": 0.0}}})


def test_a_run_reads_back(tmp_path: Path) -> None:
    gold, system = made_files(tmp_path, 9)
    run = tmp_path / "mine.run"
    assert convert(system, run) == 0
    before = {one.id: one.top(20) for one in lexsub.read_output(system)}
    assert {one.id: one.top(20) for one in lexsub.read_output(run)} == before
    # Without --gold words stay as they are; with it, they are spelled as the rules compare them.
    assert convert(system, run, "--gold", gold) == 0
    words = {word for one in lexsub.read_output(run) for word in one.top(20)}
    assert "by way" in words
    assert "by-way" not in words


def test_places_stand_for_scores_that_do_not_fall() -> None:
    assert falling([2.5, 1.0, -3.0]) == [2.5, 1.0, -3.0]
    for scores in ([1.0, 1.0], [1 + 1e-12, 1.0], [float("inf"), 1.0], [1e300, 1.0]):
        assert falling(scores) == [2.0, 1.0]


def test_weights_become_whole() -> None:
    items = {
        "1": GoldItem("1", "x.n", {"a": 0.5, "b": 1 / 3, "c": 0.0}),
        "2": GoldItem("2", "x.n", {"a": 2.0}),
        "3": GoldItem("3", "x.n", {}),
    }
    found = relevance(seen_by_others(Gold("g", items)))
    assert found == {"1": {"c": 0, "a": 3, "b": 2}, "2": {"a": 12}}
    odd = Gold("g", {"1": GoldItem("1", "x.n", {"a": 3.14159265})})
    with pytest.raises(lexsub.LexsubError, match="the weights of g are no whole numbers"):
        relevance(seen_by_others(odd))


def test_what_fields_cannot_hold_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "mine.jsonl"
    system.write_text('{"id": "1", "substitutes": ["a_b"]}\n')
    assert convert(system, tmp_path / "x.run") == 2
    assert "'a_b' holds '_', which stands for a blank in TREC" in capsys.readouterr().err
    assert not (tmp_path / "x.run").exists()
    assert convert("tutorial/test", tmp_path / "x.qrels") == 0
    assert "99 items with gold, to qrels (rules: clean)" in capsys.readouterr().err
    assert len((tmp_path / "x.qrels").read_text().splitlines()[0].split()) == 4
