"""The official scorer: its documented oddities, one row each, and its recorded answers."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.data.catalogue import BUNDLED
from lexsub.evaluation.official.best_oot import tally
from lexsub.evaluation.official.report import further_analysis, official, parse_call
from lexsub.matching.script import (
    VERSIONS,
    Subset,
    exact,
    percent,
    read_mrsamples,
    read_multiword_gold,
    read_mwids,
    read_official_gold,
    show,
)
from lexsub.rankings import Task

# A gold with one item for each thing that the script does in its own way.
GOLD = """\
calm.a 1 :: still 3;quiet 2;placid 1;serene 1;
path.n 2 :: trail 5;
neat.a 3 :: orderly 2;well-kept 2;trim 1;
large.a 4 :: far-reaching 3;vast 1;
bird.n 5 :: pn 3;fowl 1;
bird.n 6 :: fowl 1;
bird.n 7 :: pn 2;fowl 1;hen 1;
work.n 8 :: day's toil 2;labour 1;
tone.n 9 :: odour 2;smell 1;
life.a 10 :: non-living 2;dead 1;
"""
MULTIWORDS = """\
give.v 10 :: give way 4;
hand.n 11 :: on the one hand 2;hand in hand 1;
line.n 12 :: front line 1;
line.n 13 :: bread line 2;picket line 2;
cat.n 14 :: cat's cradle 3;
ill.r 15 :: ill-starred 3;
put.v 16 :: x 3;put off 2;
"""


def run(
    task: Task, system: str, gold: str | None = None, verbose: bool = False
) -> tuple[str, str | None]:
    given_gold = gold if gold is not None else MULTIWORDS if task == "mw" else GOLD
    outcome = official(
        system.encode("latin-1"),
        given_gold.encode("latin-1"),
        task,
        verbose=verbose,
        system_name="sys",
        gold_name="key",
    )
    return outcome.stdout.decode("latin-1"), outcome.death


# What is shown, task, submission, (attempted, P, R), (mode attempted, mode P, mode R).
ROWS: list[tuple[str, Task, str, tuple[int, str, str], tuple[int, str, str]]] = [
    ("credit is divided by the number of answers", "best",
     "calm.a 1 :: still;placid\n", (1, "28.57", "3.57"), (1, "100.00", "16.67")),
    ("best shares a duplicate twice and divides", "best",
     "calm.a 1 :: still;still\npath.n 2 :: trail;x\n",
     (2, "46.43", "11.61"), (2, "100.00", "33.33")),
    ("a blank answer is compared with the mode though not attempted", "best",
     "calm.a 1 :: still;placid\npath.n 2 :: \n", (1, "28.57", "3.57"), (2, "50.00", "16.67")),
    ("a blank answer borrows the credit of the line before", "best",
     "calm.a 1 :: still;trail\npath.n 2 :: \n", (1, "71.43", "8.93"), (2, "50.00", "16.67")),
    ("a lone semicolon is no answer at all", "best",
     "calm.a 1 :: still;;quiet\npath.n 2 :: ;trail\nneat.a 3 :: ;\n",
     (2, "36.90", "9.23"), (2, "50.00", "16.67")),
    ("a gold hyphen may be a blank for credit, never for the mode", "best",
     "neat.a 3 :: well-kept\nlarge.a 4 :: far-reaching\n",
     (2, "57.50", "14.37"), (1, "0.00", "0.00")),
    ("the first apostrophe goes on both sides", "best",
     "work.n 8 :: day's toil\n", (1, "66.67", "8.33"), (1, "100.00", "16.67")),
    ("American spellings are not mapped", "best",
     "tone.n 9 :: odor\n", (1, "0.00", "0.00"), (1, "0.00", "0.00")),
    ("non- is joined in answers only", "best",
     "life.a 10 :: non-living\n", (1, "0.00", "0.00"), (1, "0.00", "0.00")),
    ("case counts", "best",
     "path.n 2 :: Trail\ncalm.a 1 :: Still;still\n", (2, "10.71", "2.68"), (2, "0.00", "0.00")),
    ("blanks are not trimmed", "best",
     "path.n 2 :: x; trail\ncalm.a 1 :: still ;quiet\n", (2, "7.14", "1.79"), (2, "0.00", "0.00")),
    ("a carriage return stays on the last answer", "best",
     "path.n 2 :: trail\r\ncalm.a 1 :: still\r\n", (2, "0.00", "0.00"), (2, "0.00", "0.00")),
    ("unknown ids and second lines are passed over", "best",
     "oak.n 777 :: bar\npath.n 2 :: trail\npath.n 2 :: nope\n",
     (1, "100.00", "12.50"), (1, "100.00", "16.67")),
    ("the lexelt is not compared", "best",
     "oak.v 2 :: trail\nXX my-word.n 1 :: still\n", (2, "71.43", "17.86"), (2, "100.00", "33.33")),
    ("best has no cap", "best",
     "calm.a 1 :: still;b;c;d;e;f;g;h;i;j;k;l\n", (1, "3.57", "0.45"), (1, "100.00", "16.67")),
    ("oot keeps the first ten", "oot",
     "calm.a 1 ::: a;b;c;d;e;f;g;h;i;j;still\npath.n 2 ::: trail;b;c;d;e;f;g;h;i;j;k\n",
     (2, "50.00", "12.50"), (2, "50.00", "16.67")),
    ("oot hyphens", "oot",
     "neat.a 3 ::: well kept;trim\nlarge.a 4 ::: far-reaching;vast\n",
     (2, "80.00", "20.00"), (1, "0.00", "0.00")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "system", "credit", "mode"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_best_and_oot_figures(
    task: Task, system: str, credit: tuple[int, str, str], mode: tuple[int, str, str]
) -> None:
    label, small = ("Mode precision", "Mode recall") if task == "best" else ("precision", "recall")
    assert run(task, system) == (
        f"Total = 8, attempted = {credit[0]}\n"
        f"precision = {credit[1]}, recall = {credit[2]}\n"
        f"Total with mode 6 attempted {mode[0]}\n"
        f"{label} = {mode[1]}, {small} = {mode[2]}\n",
        None,
    )


def test_oot_counts_duplicates_and_warns() -> None:
    out, death = run("oot", "calm.a 1 ::: still;still;still\npath.n 2 ::: trail\n")
    assert death is None
    assert out == (
        "WARNING OOT file contains duplicates on 1 lines\nTotal = 8, attempted = 2\n"
        "precision = 114.29, recall = 28.57\nTotal with mode 6 attempted 2\n"
        "precision = 100.00, recall = 33.33\n"
    )


def test_lines_of_another_shape_are_reported_first() -> None:
    out, _ = run("best", "calm.a 1 :: still\npath.n 2 ::\n\n \t\nneat.a 3 ::: trim\n")
    assert out.splitlines()[:3] == [
        "Error in sys on line 2", "Error in sys on line 5", "Total = 8, attempted = 1",
    ]  # fmt: skip


def test_verbose_lines_of_best() -> None:
    out, _ = run(
        "best", "calm.a 1 :: still;quiet\nlarge.a 4 :: vast\nneat.a 3 :: trim\n", None, True
    )
    assert out.splitlines()[:5] == [
        "calm.a Item 1 mode 'still' : system 'still'  correct",
        "calm.a Item 1 credit 0.714285714285714 guesses 2 human responses 7: "
        "score is 0.714285714285714",
        "large.a Item 4 mode 'far-reaching' : system 'vast' wrong",
        "large.a Item 4 credit 0.25 guesses 1 human responses 4: score is 0.25",
        "neat.a Item 3 credit 0.2 guesses 1 human responses 5: score is 0.2",
    ]


def test_verbose_lines_of_oot() -> None:
    out, _ = run("oot", "path.n 2 ::: x;trail;x\ncalm.a 1 ::: a;b;c;d;e;f;g;h;i;j;k\n", None, True)
    assert out.splitlines()[:6] == [
        "WARNING duplicate at path.n 2 responses x trail x",
        "path.n Item 2 mode 'trail'  found in guesses",
        "path.n Item 2 credit 1 human responses 5: score is 1",
        "calm.a Item 1 exceeded 10 guesses",
        "calm.a Item 1 mode 'still'  not found",
        "calm.a Item 1 credit 0 human responses 7: score is 0",
    ]


def test_death_after_two_lines_when_no_mode_item_is_attempted() -> None:
    out, death = run("best", "bird.n 5 :: fowl\nbird.n 6 :: fowl\nbird.n 7 :: fowl\n")
    assert out == "Total = 8, attempted = 1\nprecision = 50.00, recall = 6.25\n"
    assert death is not None
    assert "mode" in death


@pytest.mark.parametrize("system", ["", "oak.n 777 :: bar\n"])
def test_death_with_nothing_printed_when_nothing_is_attempted(system: str) -> None:
    out, death = run("best", system)
    assert out == ""
    assert death is not None


def test_death_at_an_item_whose_counts_sum_to_zero() -> None:
    out, death = run("best", "a.n 1 :: one\n", "a.n 1 :: one 0;two 0;\n")
    assert out == ""
    assert death is not None


# What is shown, submission, found / genuine, detection P and R, identification P and R.
MW_ROWS = [
    ("basic", "give.v 10 :: give way\nhand.n 11 :: one hand\nline.n 12 :: front line\n",
     "3", "2", "66.67", "40.00", "33.33", "20.00"),
    ("a blank answer is detected, not found", "give.v 10 :: \nhand.n 11 ::\nline.n 12 :: x\n",
     "1", "2", "200.00", "40.00", "0.00", "0.00"),
    ("a tie is no multiword", "line.n 13 :: bread line\n", "1", "", "0.00", "0.00", "0.00", "0.00"),
    ("answers keep apostrophes, the gold does not", "cat.n 14 :: cat's cradle\n",
     "1", "1", "100.00", "20.00", "0.00", "0.00"),
    ("without the apostrophe it matches", "cat.n 14 :: cats cradle\n",
     "1", "1", "100.00", "20.00", "100.00", "20.00"),
    ("hyphens and final blanks count", "ill.r 15 :: ill starred\ngive.v 10 :: give way \n",
     "2", "2", "100.00", "40.00", "0.00", "0.00"),
    ("blanks before the answer do not", "ill.r 15::  ill-starred\ngive.v\t10 ::give way\n",
     "2", "2", "100.00", "40.00", "100.00", "40.00"),
    ("an unreadable first answer still counts", "put.v 16 :: put off\n",
     "1", "1", "100.00", "20.00", "100.00", "20.00"),
    ("the answer is not split", "give.v 10 :: give way;x\ngive.v 10 :: give way\n",
     "1", "1", "100.00", "20.00", "0.00", "0.00"),
    ("nothing found", "oak.v 99 ::\n", "", "", "", "0.00", "", "0.00"),
]  # fmt: skip


@pytest.mark.parametrize("row", MW_ROWS, ids=[row[0] for row in MW_ROWS])
def test_mw_figures(row: tuple[str, ...]) -> None:
    _, system, found, genuine, dp, dr, ip, ir = row
    assert run("mw", system) == (
        f"Total MWs in GS = 5, System found {found} of which {genuine} were genuine\n"
        f"Detection precision = {dp}, recall = {dr}\nNumber that matched GS\n"
        f"Identification precision = {ip}, recall = {ir}\n",
        None,
    )


def test_mw_gold_without_multiwords_dies_after_its_errors() -> None:
    out, death = run("mw", "line.n 12 :: x\n", "nonsense\nline.n 12 :: front line 1;\n")
    assert out == "Error in key on line 1\n"
    assert death is not None


def test_odd_gold_answers() -> None:
    gold = read_official_gold(
        "a.n 1 :: x 3;bb 1;\na.n 2 :: 3.75 miles 1;far 1;\na.n 3 :: hypnosis 4;\n"
        "a.n 4 :: bb 1;cc 3;\na.n 5 :: bb 2;bb 1;\na.n 6 :: ox-bow 2;ox bow 1;\n"
    )
    assert gold.items == 5
    assert dict(gold.entries["1"].shares) == {"bb": 1.0}
    assert set(gold.entries["2"].shares) == {"75 miles", "far"}
    assert "3" not in gold.entries
    assert gold.entries["4"].mode == "bb"
    assert gold.entries["5"].total == 1
    assert gold.entries["6"].shares["ox bow"] == pytest.approx(1 / 3)


def test_non_ascii_bytes_come_out_as_they_went_in() -> None:
    system = "naïve.a 1 :: café;calm\n".encode()
    outcome = official(system, b"a.n 1 :: calm 2;\n", verbose=True)
    # ï is no word character to the script, so the lexelt begins after it.
    start = "ve.a Item 1 mode 'calm' : system 'café' wrong\n".encode()
    assert outcome.stdout.startswith(start)


@pytest.mark.parametrize(
    ("fraction", "printed"),
    [(0.14375, "14.37"), (0.5, "50.00"), (1 / 3, "33.33"), (4.5761, "457.61"), (0, "0.00"),
     (0.101, "10.10")],
)  # fmt: skip
def test_rounding(fraction: float, printed: str) -> None:
    assert percent(fraction) == printed


def test_numbers_print_with_fifteen_digits() -> None:
    assert [show(2 / 3), show(1.0), show(0.00001), show(7), show(None)] == [
        "0.666666666666667", "1", "1e-05", "7", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "task", "verbose", "usage"),
    [
        ("s g", "best", False, False),
        ("s g -v", "best", True, False),
        ("s g -t oot", "oot", False, False),
        ("s g -t mw -v", "mw", True, False),
        ("s g -v -t best", None, False, True),
        ("s g best", None, False, True),
        ("s g -t", None, False, False),
        ("s g -t foo", None, False, True),
        ("s lst-test.gold", "best", False, False),
        ("s", None, False, True),
    ],
)
def test_command_line(arguments: str, task: Task | None, verbose: bool, usage: bool) -> None:
    call = parse_call(arguments.split())
    assert (call.task, call.verbose, call.usage) == (task, verbose, usage)


def test_subsets_by_content() -> None:
    gold = "a.n 1 :: one two 2;three 1;\nb.v 2 :: four 2;\nc.r 3 :: five 2;six 2;\n"
    ids, words = read_mwids("1  a b\n\nx\n"), read_mrsamples("b;v.man\n  \nc;r.man   \n")
    items = {
        name: set(read_official_gold(gold, subset=Subset(name, ids, words)).entries)
        for name in ("ALL", "NMWT", "NMWS", "RAND", "MAN")
    }
    assert items == {
        "ALL": {"1", "2", "3"}, "NMWT": {"2", "3"}, "NMWS": {"2", "3"}, "RAND": {"1"},
        "MAN": {"2", "3"},
    }  # fmt: skip


def _command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "lexsub", "official", *arguments],
        cwd=cwd,
        capture_output=True,
        env={"PYTHONPATH": str(Path(__file__).resolve().parent.parent), "PATH": "/usr/bin:/bin"},
        check=False,
    )


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "sys").write_bytes(b"bird.n 7 :: f\xc3\xa9;fowl\n")
    (tmp_path / "key").write_text(GOLD)
    died = _command("sys", "key", "-t", "best", "-v", cwd=tmp_path)
    assert died.returncode == 1
    assert died.stdout == (
        b"bird.n Item 7 credit 0.5 guesses 2 human responses 2: score is 0.5\n"
        b"Total = 8, attempted = 1\nprecision = 25.00, recall = 3.13\n"
    )
    assert died.stderr.count(b"\n") == 1
    missing = _command("none", "key", cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert missing.stderr == b"lexsub: none: no such file\n"
    usage = _command("sys", "key", "-v", "-t", "best", cwd=tmp_path)
    assert (usage.returncode, usage.stderr) == (0, b"")
    assert usage.stdout.startswith(b"score.pl usage: ")


def test_a_data_set_stands_for_its_gold_file(tmp_path: Path) -> None:
    (tmp_path / "a.best").write_text("draft.n 101 :: version\n")
    scoring = BUNDLED / "tutorial/scoring"
    for task, name in (("best", "gold"), ("mw", "mwgold")):
        call = ("a.best", "tutorial/test", "-t", task)
        by_name = _command(*call, cwd=tmp_path)
        by_file = _command("a.best", str(scoring / name), "-t", task, cwd=tmp_path)
        assert by_name.stdout == by_file.stdout != b""
        assert (by_name.returncode, by_file.returncode) == (0, 0)
    for name, said in (("tutorial/all", b"no gold file"), ("tutorial/tset", b"mean test?")):
        refused = _command("a.best", name, cwd=tmp_path)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert refused.stderr.count(b"\n") == 1


RECORDED = ("scorer_cases.json", "random_cases.json")


@pytest.mark.data
@pytest.mark.parametrize("file", RECORDED)
def test_recorded_answers(file: str, cases_dir: Path) -> None:
    cases = json.loads((cases_dir / "scorer" / file).read_text())
    assert len(cases) >= 33
    for case in cases:
        for mode in ("plain", "verbose"):
            expected = case.get("expected", case)[mode]
            outcome = official(
                case["system"].encode(),
                case["gold"].encode(),
                case["task"],
                verbose=mode == "verbose",
                system_name="fs",
                gold_name="gg",
            )
            # The answers were recorded with carriage returns read as line ends.
            assert outcome.stdout.decode().replace("\r", "\n") == expected["stdout"]
            assert bool(outcome.death) == bool(expected["rc"])


@pytest.mark.data
def test_facts_of_the_release(data_dir: Path) -> None:
    folder = data_dir / "semeval2007"
    test = (folder / "scoring" / "gold").read_text("latin-1")
    trial = (folder / "trial" / "gold.trial").read_text("latin-1")
    ids = read_mwids((folder / "scoring" / "mwids").read_text("latin-1"))
    words = read_mrsamples((folder / "scoring" / "MRsamples").read_text("latin-1"))
    counts = {}
    for name in ("ALL", "NMWT", "NMWS", "RAND", "MAN"):
        gold = read_official_gold(test, subset=Subset(name, ids, words))
        counts[name] = (gold.items, gold.modes)
    assert counts == {
        "ALL": (1696, 1230), "NMWT": (1567, 1151), "NMWS": (1642, 1186), "RAND": (914, 654),
        "MAN": (782, 576),
    }  # fmt: skip
    for text, rules, expected in [
        (trial, "final", (295, 203)), (trial, "trial", (298, 206)), (test, "trial", (1700, 1231)),
    ]:  # fmt: skip
        gold = read_official_gold(text, VERSIONS[rules])
        assert (gold.items, gold.modes) == expected
    assert read_multiword_gold((folder / "scoring/mwgold").read_text("latin-1")).count == 130
    assert read_multiword_gold((folder / "trial/mwgold.trial").read_text("latin-1")).count == 26


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "gold", "task", "rules", "figures"),
    [
        ("BL.out", "gold.trial", "best", "final", ["10.52", "10.52", "12.81", "12.81"]),
        ("BLoutof10.out", "gold.trial", "oot", "final", ["21.57", "21.57", "29.06", "29.06"]),
        ("dummyMW.out", "mwgold.trial", "mw", "final", ["66.67", "15.38", "50.00", "11.54"]),
        ("BL.out", "gold.trial", "best", "trial", ["0.104", "0.104", "0.126", "0.126"]),
        ("BLoutof10.out", "gold.trial", "oot", "trial", ["0.214", "0.214", "0.286", "0.286"]),
    ],
)
def test_trial_baselines(
    file: str, gold: str, task: Task, rules: str, figures: list[str], data_dir: Path
) -> None:
    folder = data_dir / "semeval2007" / "trial"
    out = official(
        (folder / file).read_bytes(), (folder / gold).read_bytes(), task, rules=VERSIONS[rules]
    ).stdout.decode("latin-1")
    found = [
        part.split(" = ")[1]
        for line in out.splitlines()
        if "recall = " in line
        for part in line.split(", ")
    ]
    assert found == figures


def test_credit_is_added_up_in_the_order_of_the_answers() -> None:
    """To the last bit, as the script does, with a line an item and without."""
    rng = random.Random(3)
    words = ["one", "two", "six", "ten", "dog", "cat"]
    key, lines, expected = [], [], 0.0
    for number in range(300):
        counts = {word: rng.randint(1, 9) for word in rng.sample(words, 5)}
        answers = rng.sample(list(counts), 3)
        key.append(f"a.n {number} :: {''.join(f'{w} {n};' for w, n in counts.items())}\n")
        lines.append(f"a.n {number} ::: {';'.join(answers)}\n")
        credit = 0.0
        for answer in answers:
            credit += counts[answer] / sum(counts.values())
        expected += credit
    gold = read_official_gold("".join(key))
    for verbose in (True, False):
        assert tally("".join(lines), gold, "oot", verbose=verbose).credit == expected


def test_further_analysis_scores_the_subsets_in_turn() -> None:
    system = b"calm.a 1 :: still\npath.n 2 :: trail\n"
    out = further_analysis(system, GOLD.encode(), "best", frozenset({"2"}), frozenset({"path.n"}))
    assert out.death is None
    blocks = out.stdout.decode().split("\nFURTHER ANALYSIS Scoring ")
    assert [block.splitlines()[0] for block in blocks[1:]] == [
        "without items identified as MWs",
        "using only single word substitutes",
        " items selected randomly",
        " items selected manually",
    ]
    assert ["attempted = 2" in blocks[0], "attempted = 1" in blocks[1]] == [True, True]
    assert "Item" not in out.stdout.decode(), "a line an item is for those who ask"
    parts = (GOLD.encode(), "oot", frozenset({"2"}), frozenset({"path.n"}))
    oot = further_analysis(system.replace(b"::", b":::"), *parts).stdout.decode()
    # The script words the last header of oot otherwise, and begins it with a blank.
    assert "\n FURTHER ANALYSIS Scoring just items selected manually\n" in oot
    assert oot.count("\nFURTHER ANALYSIS Scoring ") == 3


def test_the_clean_measures_agree_on_random_submissions() -> None:
    """Scoring under the official normalisation prints what the script prints."""
    from lexsub.datasets import Gold
    from lexsub.evaluation.scoring import evaluate
    from lexsub.formats.semeval_lines import parse_gold, parse_submission

    rng = random.Random(5)
    words = [
        "still", "quiet", "non stop", "nonstop", "well-kept", "at rest", "day's toil", "x y",
        # Of these the script reads nothing, or another word.
        "x", "?!", "pn", "sharpness", "élever",
    ]  # fmt: skip
    for _ in range(300):
        task: Task = rng.choice(["best", "oot"])
        gold_lines, lines = [], []
        for number in range(12):
            counts = sorted(rng.choices(range(1, 5), k=rng.randint(1, 5)), reverse=True)
            answers = zip(rng.sample(words, len(counts)), counts, strict=True)
            key = "".join(f"{word} {count};" for word, count in answers)
            gold_lines.append(f"a.n {number} :: {key}\n")
            given_answers = rng.choices([*words, "Still", " x", "lever"], k=rng.randint(1, 12))
            sign = "::" if task == "best" else ":::"
            lines.append(f"a.n {number} {sign} {';'.join(given_answers)}\n")
        lines = rng.sample(lines, 9)
        printed, death = run(task, "".join(lines), "".join(gold_lines))
        assert death is None
        figures = [word.rstrip(",") for word in printed.split() if "." in word]
        gold = Gold("g", parse_gold("".join(gold_lines), Path("gold")))
        submission = parse_submission("".join(lines), Path("s"), task)
        scores = evaluate(gold, {"s": submission}, task, normalise="official", interval=None)
        assert [percent(figure.value) for figure in scores] == figures


_ANSWERS = st.lists(
    st.sampled_from(["still", "quiet", "well-kept", "non stop", "x", "day's toil", "", " "]),
    max_size=12,
)


@given(
    st.lists(st.tuples(st.integers(1, 12), _ANSWERS), max_size=12), st.sampled_from(["best", "oot"])
)
def test_verbose_adds_lines_and_changes_no_figure(
    lines: list[tuple[int, list[str]]], task: Task
) -> None:
    sign = "::" if task == "best" else ":::"
    system = "".join(f"a.n {number} {sign} {';'.join(answers)}\n" for number, answers in lines)
    plain, plain_death = run(task, system)
    verbose, verbose_death = run(task, system, None, True)
    assert plain_death == verbose_death
    assert verbose.endswith(plain)


def test_counts_beyond_every_number_do_not_stop_it() -> None:
    stdout, death = run("best", "path.n 2 :: trail\n", f"path.n 2 :: trail {'9' * 400};way 2;\n")
    assert death is None
    assert "precision = NaN, recall = NaN" in stdout


def test_manual_words_are_found_at_their_first_letter_in_lines_of_any_length() -> None:
    assert read_mrsamples("x;bar;n.man\nöbar;v.man") == {"bar.n", "bar.v"}
    # Tried at each letter in turn, this would take hours.
    assert read_mrsamples("x" * 2_000_000) == frozenset()


def test_the_versions_differ_where_their_documentation_says() -> None:
    """Duplicates are told by the final version alone; the trial rules neither join nor cut."""
    gold = b"a.n 1 :: still life 2;nonstop 1;\n"
    lines = b"a.n 1 ::: " + b"non stop;non stop;a a;b b;c c;d d;e e;f f;g g;h h;still life\n"
    printed = {
        name: official(lines, gold, "oot", rules=rules).stdout.decode()
        for name, rules in VERSIONS.items()
    }
    assert set(printed) == {"final", "key", "trial"}
    warning = "WARNING OOT file contains duplicates on 1 lines\n"
    assert printed["final"] == warning + printed["key"]
    assert "recall = 66.66" in printed["key"] or "recall = 66.67" in printed["key"]
    # Only there the eleventh answer counts, and "non stop" is not "nonstop".
    assert "recall = 0.667" in printed["trial"]
    assert "WARNING" not in printed["trial"]
    both = b"a.n 1 :: pn 2;still life 1;\na.n 2 :: still life 2;\n"
    attempted = {
        name: official(b"a.n 1 :: still life\n" + b"a.n 2 :: still life\n", both, rules=rules)
        for name, rules in VERSIONS.items()
    }
    assert b"Total = 1, attempted = 1" in attempted["key"].stdout
    assert b"Total = 2, attempted = 2" in attempted["trial"].stdout


@pytest.mark.parametrize(
    ("task", "line", "hit"),
    [
        ("best", "a.n 1 :: well kept;neat", True),
        ("best", "a.n 1 :: neat;well kept", False),
        ("best", "a.n 1 :: neat", False),
        ("oot", "a.n 1 ::: neat;well kept", True),
        ("oot", "a.n 1 ::: neat;well-kept", True),
        ("oot", "a.n 1 ::: neat;well", False),
    ],
)
def test_under_the_trial_rules_a_modes_hyphens_may_be_blanks(
    task: Task, line: str, hit: bool
) -> None:
    """Of best, in the first answer alone; under the later rules never."""
    gold = b"a.n 1 :: well-kept 2;neat 1;\n"
    label, small = ("Mode precision", "Mode recall") if task == "best" else ("precision", "recall")
    found = official(f"{line}\n".encode(), gold, task, rules=VERSIONS["trial"]).stdout.decode()
    figure = "1.000" if hit else "0.000"
    assert found.endswith(f"{label} = {figure}, {small} = {figure}\n")
    later = official(f"{line}\n".encode(), gold, task, rules=VERSIONS["key"]).stdout.decode()
    assert later.endswith(f"{label} = 0.00, {small} = 0.00\n")


def test_without_multiwords_only_single_words_are_answers() -> None:
    gold = b"a.n 1 :: calm 2;at rest 1;quiet 1;\n"
    out = official(b"a.n 1 :: at rest;calm\n", gold, subset=Subset("NMWS"), verbose=True).stdout
    assert b"guesses 1 human responses 3" in out
    assert b"precision = 66.67, recall = 66.67" in out or b"precision = 66.66" in out


def test_large_counts_stay_whole_as_long_as_they_do_in_the_script() -> None:
    assert show(exact(12_345_678_901_234_567)) == "12345678901234567"
    assert show(exact(2**64 - 1)) == "18446744073709551615"
    assert show(exact(2**64)) == "1.84467440737096e+19"


def test_an_item_that_stands_twice_in_the_gold_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = tmp_path / "gold", tmp_path / "system"
    gold.write_text("bright.a 1 :: clever 3;smart 1;\n\nbright.a 1 :: clever 1;\n")
    system.write_text("bright.a 1 :: clever\n")
    with pytest.raises(SystemExit):
        main(["official", str(system), str(gold)])
    out, err = capsys.readouterr()
    assert out.startswith("Total = ")
    assert err == (
        f"lexsub: {gold}: item 1 stands on line 1 and again on line 3; the script counts both\n"
    )
    gold.write_text("bright.a 1 :: clever 3;smart 1;\nbright.a 2 :: clever 1;\n")
    with pytest.raises(SystemExit):
        main(["official", str(system), str(gold)])
    assert not capsys.readouterr().err
