"""Lexical simplification: its formats, its rules, and its measures beside the task's own script.

The figures of MADE are those that tsar_eval.py (commit 089c2669) printed for these two files; its
code is not here.  A brute-force reading of the formulas checks more of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import lexsub
from lexsub.cli import main
from lexsub.data.catalogue import load
from lexsub.datasets import Gold, GoldItem
from lexsub.errors import FormatError, LexsubError
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.simplification import item_id, parse_instances, targets_of

GOLD = """\
The committee will deliberate before it votes .\tdeliberate\tthink\tthink\ttalk\ttalk\tdiscuss\t\
deliberate\tconsider
Her remark was utterly superfluous .\tsuperfluous\tunneeded\tunneeded\tunneeded\textra\t\
not needed\tsuperfluous
He had to procure the tickets for all of them .\tprocure\tget\tget\tbuy\tobtain\tget
The ship was laden with grain .\tladen\tloaded\tfull\tloaded\theavy\tfilled
A nascent industry needs patient lenders .\tnascent\tnew\tyoung\tnew\tyoung\tbudding
"""
ANSWERS = """\
The committee will deliberate before it votes .\tdeliberate\tdeliberate\tdiscuss\tdiscuss\tThink\t\
think\tponder\tconsider\ttalk
Her remark was utterly superfluous .\tsuperfluous\textra\tuseless\tnot needed\tunneeded
He had to procure the tickets for all of them .\tprocure
The ship was laden with grain .\tladen\tLoaded\tburdened\tweighed\tfull
A nascent industry needs patient lenders .\tnascent\temerging\tfresh\tgrowing\tsmall\tbaby\tnew\t\
early\tmodern\tbudding\tgreen\tyoung
"""
PART = "".join(ANSWERS.splitlines(keepends=True)[line] for line in (3, 0, 1))
# K: MAP, Potential, Accuracy@K@top1, Precision, Recall, F1 (macro), as the script computes them.
MADE = {
    "full": {
        1: (0.4, 0.4, 0.0, 0.4, 0.11666666666666665, 0.18064516129032254),
        3: (0.22222222222222218, 0.4, 0.2, 0.26666666666666666, 0.2333333333333333,
            0.24888888888888885),
        5: (0.1973333333333333, 0.6, 0.4, 0.32, 0.4, 0.35555555555555557),
        10: (0.11977777777777776, 0.8, 0.6, 0.3733333333333333, 0.5833333333333333,
             0.45528455284552843),
    },
    "part": {
        1: (0.6666666666666666, 0.6666666666666666, 0.0, 0.6666666666666666, 0.19444444444444442,
            0.30107526881720426),
        3: (0.3703703703703703, 0.6666666666666666, 0.3333333333333333, 0.4444444444444444,
            0.38888888888888884, 0.41481481481481475),
        10: (0.18666666666666668, 1.0, 0.6666666666666666, 0.5555555555555555, 0.75,
             0.6382978723404256),
    },
}  # fmt: skip
NAMES = ("MAP", "potential", "accuracy", "P", "R", "F")
HERE = Path("mine.tsv")


def call(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for name, text in (("gold.tsv", GOLD), ("full.tsv", ANSWERS), ("part.tsv", PART)):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", MADE)
def test_figures_are_those_of_the_task_s_script(name: str, made: Path) -> None:
    gold = lexsub.load(str(made / "gold.tsv")).gold
    answers = lexsub.read_output(made / f"{name}.tsv")
    for k, figures in MADE[name].items():
        for measure, expected in zip(NAMES, figures, strict=True):
            wanted = f"tsar-{measure}(per=lines)@{k}"
            scores = evaluate(gold, {"s": answers}, wanted, interval=None)
            (figure,) = scores
            assert figure.value == pytest.approx(expected, abs=1e-12), wanted
            assert "norm:tsar" in figure.signature


def test_missing_lines_cost_unless_asked_as_the_script(made: Path) -> None:
    gold = lexsub.load(str(made / "gold.tsv")).gold
    part = {"part": lexsub.read_output(made / "part.tsv")}
    scores = evaluate(gold, part, "tsar-potential@3 tsar-potential(per=lines)@3", interval=None)
    assert [one.value for one in scores] == pytest.approx([2 / 5, 2 / 3])


def by_hand(gold: Sequence[str], answers: Sequence[str], word: str, k: int) -> tuple[float, ...]:
    """The formulas of one item, word by word."""
    right = [one for one in gold if one != word]
    given = [one for n, one in enumerate(answers) if one != word and one not in answers[:n]]
    counts = Counter(right)
    most = {one for one in right if counts[one] == max(counts.values())}
    hits = [one in right for one in given[:k]]
    mean = sum(sum(hits[: i + 1]) / (i + 1) for i in range(len(hits)) if hits[i]) / k
    precision = sum(hits) / len(hits) if hits else 0.0
    return (
        mean, float(any(hits)), float(bool(most & set(given[:k]))), precision,
        sum(hits) / len(set(right)),
    )  # fmt: skip


def test_figures_are_those_of_the_formulas() -> None:
    draw = random.Random(7)
    words = [f"w{n}" for n in range(12)]
    for _ in range(200):
        gold = draw.choices([*words[:6], "target"], k=draw.randint(1, 25))
        if set(gold) == {"target"}:
            continue
        answers = draw.choices([*words, "target", "W1"], k=draw.randint(0, 14))
        k = draw.choice([1, 2, 3, 5, 10])
        item = GoldItem("1", "target.n", dict(Counter(gold)), target="target")
        scores = evaluate(
            Gold("g", {"1": item}, normalisation="tsar"), {"s": {"1": answers}},
            [f"tsar-{name}@{k}" for name in NAMES[:-1]], interval=None,
        )  # fmt: skip
        expected = by_hand(gold, answers, "target", k)
        assert [one.value for one in scores] == pytest.approx(expected), (gold, answers, k)


def test_generation_and_pipeline() -> None:
    """Paetzold and Specia's: sums over items; the target as the first answer is no mistake."""
    gold = Gold("g", {
        "1": GoldItem("1", "a.n", {"x": 1, "y": 1, "z": 2}, target="as"),
        "2": GoldItem("2", "b.n", {"x": 1}, target="bs"),
        "3": GoldItem("3", "c.n", {"x": 1, "cs": 1}, target="cs"),
        "4": GoldItem("4", "d.n", {"v": 1}, target="ds"),
    }, normalisation="exact")  # fmt: skip
    answers = {"1": ["y", "q", "y"], "2": ["bs", "x"], "3": ["q", "r"], "4": []}
    scores = evaluate(gold, {"s": answers}, "sg pipeline", interval=None)
    precision, recall = 2 / 6, 2 / 7
    expected = {
        "sg-potential": 2 / 4, "sg-P": precision, "sg-R": recall,
        "sg-F": 2 * precision * recall / (precision + recall),
        "pipeline-P": 2 / 4, "pipeline-accuracy": 1 / 4, "pipeline-changed": 3 / 4,
    }  # fmt: skip
    assert {one.measure: one.value for one in scores} == pytest.approx(expected)
    for policy, message in (("tsar", "by --normalisation exact"), ("clean", "does not")):
        other = gold if policy == "tsar" else Gold("g", {"1": GoldItem("1", "a.n", {"x": 2})})
        with pytest.raises(LexsubError, match=message):
            evaluate(other, {"s": answers}, "pipeline", normalise=policy, interval=None)


RANKED = (
    "The old town 's old mayor agreed .\told\t4\t1:former\t2:aged\t2:elderly\t3:ancient\n"
    "Perils lurk in the deep .\tperils\t0\t1:dangers\t2:risks\n"
)
MTURK = (
    "English Wikipedia Sentence\tWord\tMturk labels\n"
    '"He said "" no "" to the old and the old ."\told\taged\taged\telderly\t\n'
    "The caf\xe9 closed .\tclosed\tshut\tshut\tended\t\n"
)


def test_formats_are_told_by_their_content(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ranked, mturk, none = tmp_path / "bench.txt", tmp_path / "lex.mturk.txt", tmp_path / "none.tsv"
    ranked.write_text(RANKED)
    mturk.write_bytes(MTURK.encode("latin-1"))
    none.write_text("A nascent industry grew .\tnascent\n")
    data = load(str(ranked), [])
    first, second = data.items
    assert (first.start, first.target, second.target) == (16, "old", "Perils")
    assert data.gold.normalisation == "exact"
    assert data.gold.items[first.id].weights == {
        "former": 3, "aged": 2, "elderly": 2, "ancient": 1,
    }  # fmt: skip
    assert not caplog.messages
    data = load(str(mturk), [])
    assert data.items[0].text == 'He said " no " to the old and the old .'
    assert data.gold.items[data.items[0].id].weights == {"aged": 2, "elderly": 1}
    assert "café" in data.items[1].text
    (said,) = caplog.messages
    assert "lex.mturk.txt:2: 'old' stands 2 times in the sentence: the first is taken" in said
    assert lexsub.load_gold(str(mturk)).items == data.gold.items
    data = load(str(none), [])
    assert (len(data.items), len(data.gold.items)) == (1, 0)


def test_ids_are_made_of_sentence_and_word() -> None:
    one, two, again = parse_instances(
        "A b c .\tb\tx\nA b c .\tc\tx\nA b c .\tb\ty\n", HERE
    )  # fmt: skip
    assert one.id == item_id("A b c .", "b") == again.id.removesuffix("-2")
    assert one.id != two.id
    assert (again.answers, again.line) == (["y"], 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A b c .\tb\tx\nA b c .\n", "mine.tsv:2: 'A b c .'; expected sentence<TAB>word<TAB>"),
        ("A b c .\tb\tx\t\ty\n", "mine.tsv:1: answer 2 is blank"),
        ("A b c .\tb\t1\t1:x\nA b c .\tb\t1\t1:x\ty\n", "mine.tsv:2: 'y'; expected the word's"),
        ("A b c .\tb\t1\t1:x\nA b c .\tb\tone\t1:x\n", "mine.tsv:2: 'one'; expected the word's"),
        ("A b c .\tb\tx\nA b c .\td\tx\n", "mine.tsv:2: 'd' does not stand in the sentence"),
        ("A b c .\tb\tx\nA abc c .\tb\tx\n", "mine.tsv:2: 'b' does not stand in the sentence"),
        ("\n", "mine.tsv: holds no line"),
    ],
)
def test_faults_name_the_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(targets_of(text, HERE))
    assert str(caught.value).startswith(message)


def test_a_place_that_is_not_the_word_s_is_said(caplog: pytest.LogCaptureFixture) -> None:
    text = "A b c .\tb\t2\t1:x\n"
    ((_, start, end),) = targets_of(text, HERE)
    assert (start, end) == (2, 3)
    assert "mine.tsv:1: 'b' does not stand at place 2: the first is taken" in caplog.text


def test_submissions_go_out_and_come_back(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a line for every item: the script takes the mean over lines."""
    gold = str(made / "gold.tsv")
    rankings = made / "mine.jsonl"
    lexelts = {item.id: item.lexelt for item in lexsub.load(gold).items}
    keys = list(lexelts)
    rankings.write_text(
        f'{{"id": "{keys[1]}", "substitutes": ["extra", "not needed"]}}\n'
        f'{{"id": "{keys[0]}", "substitutes": ["think"]}}\n'
    )
    out = made / "TEAM_en_1.tsv"
    assert call("convert", str(rankings), str(out), "--to", "tsar", "--gold", gold) == 0
    assert out.read_text().splitlines() == [
        "The committee will deliberate before it votes .\tdeliberate\tthink",
        "Her remark was utterly superfluous .\tsuperfluous\textra\tnot needed",
        *("\t".join(line.split("\t")[:2]) for line in GOLD.splitlines()[2:]),
    ]
    back = {one.id: one.top(10) for one in lexsub.read_output(out)}
    assert back == {keys[0]: ("think",), keys[1]: ("extra", "not needed"),
                    **dict.fromkeys(keys[2:], ())}  # fmt: skip
    capsys.readouterr()
    assert call("convert", str(rankings), str(out), "--to", "tsar") == 2
    assert "name the data set that was answered with --gold" in capsys.readouterr().err


def test_the_group_prints_as_the_script(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To four decimals; where we round, the script cuts off."""
    call("score", f"{made}/gold.tsv", f"{made}/full.tsv", "--measures", "tsar", "--score-only")
    printed = [float(one) for one in capsys.readouterr().out.split()]
    recorded = [0.4, 0.2222, 0.1973, 0.1197, 0.4, 0.6, 0.8, 0.0, 0.0, 0.2]
    assert len(printed) == len(recorded)
    assert all(-1e-9 <= ours - cut < 1.01e-4 for ours, cut in zip(printed, recorded, strict=True))
