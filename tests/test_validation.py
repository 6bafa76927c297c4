"""The strict validator, held against the official scorer wherever it claims an effect."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.data.catalogue import BUNDLED, load
from lexsub.errors import FormatError
from lexsub.evaluation.official.report import official
from lexsub.formats.findings import CODES, Reference, ValidationReport
from lexsub.formats.semeval_lines import parse_gold
from lexsub.formats.validation import validate_submission
from lexsub.matching.script import read_official_gold
from lexsub.rankings import Task

GOLD = """\
kind.a 1 :: gentle 3;good-natured 1;nice 1;
boat.n 2 :: ship 4;
tune.n 3 :: sing-song 3;song 1;
run.v 4 :: don't stop 2;sprint 1;
odd.a 5 :: non-standard 3;weird 2;
rare.a 6 :: scarce 1;
town.n 7 :: pn 3;city 1;
"""
MW_GOLD = "run.v 4 :: run out of 3;\nboat.n 2 :: in the same boat 2;\nodd.a 5 :: odd one out 1;\n"
NAME = Path("sys")


def check(lines: str, task: Task = "best") -> ValidationReport:
    gold = parse_gold(MW_GOLD if task == "mw" else GOLD, Path("gold"))
    ids = {"1": "kind.a", "2": "boat.n", "3": "tune.n", "4": "run.v", "5": "odd.a"}
    lexelts = {**ids, "6": "rare.a", "7": "town.n", "8": "calm.a"}
    return validate_submission(lines.encode(), NAME, task, Reference("set", lexelts, gold))


def found(lines: str, task: Task = "best") -> list[tuple[int, str]]:
    report = check(lines, task)
    return [(f.line, f.code) for f in report.findings if f.code != "missing-id"]


GOOD = "kind.a 1 :: gentle\n"

CASES: list[tuple[str, Task, str, list[tuple[int, str]]]] = [
    ("clean", "best", GOOD + "boat.n 2 :: ship;vessel\n\n", []),
    ("clean oot", "oot", "kind.a 1 ::: gentle;nice\n", []),
    ("clean mw", "mw", "run.v 4 :: run out of\nkind.a 1 :: kind of\n", []),
    ("commas", "oot", "kind.a 1 ::: gentle, nice\n", [(1, "wrong-separator")]),
    ("bars", "oot", "kind.a 1 ::: gentle|nice\n", [(1, "wrong-separator")]),
    ("slashes", "oot", "kind.a 1 ::: gentle / nice\n", [(1, "wrong-separator")]),
    ("quotes", "best", 'kind.a 1 :: "gentle"\n', [(1, "quoted")]),
    ("scores", "oot", "kind.a 1 ::: gentle 0.9;nice:3\n", [(1, "with-score"), (1, "with-score")]),
    ("scores in brackets", "oot", "kind.a 1 ::: gentle (0.9);nice (3)\n",
     [(1, "with-score"), (1, "with-score")]),
    ("underscores", "best", "run.v 4 :: run_on\n", [(1, "underscore")]),
    ("underscores, mw", "mw", "run.v 4 :: run_out_of\n", [(1, "underscore")]),
    ("ordinary signs", "oot", "kind.a 1 ::: p.m.;24-7;9;o k\n", [(1, "hyphen")]),
    ("blank missing", "best", GOOD + "boat.n 2 ::ship\n", [(2, "no-blank-after-colons")]),
    ("nothing after colons", "best", GOOD + "boat.n 2 ::\n", [(2, "no-blank-after-colons")]),
    ("blank missing, oot", "oot", "kind.a 1 ::: nice\nboat.n 2 :::ship\n",
     [(2, "no-blank-after-colons")]),
    ("no blank before colons", "best", GOOD + "boat.n 2:: ship\n", [(2, "shape")]),
    ("two blanks", "best", GOOD + "boat.n  2 :: ship\n", [(2, "several-blanks")]),
    ("two blanks before colons", "best", GOOD + "boat.n 2  :: ship\n", [(2, "several-blanks")]),
    ("tabs", "best", GOOD + "boat.n\t2 :: ship\n", [(2, "tab")]),
    ("tab after colons", "best", GOOD + "boat.n 2 ::\tship\n", [(2, "tab")]),
    ("no colons", "best", GOOD + "boat.n 2 ship\n", [(2, "shape")]),
    ("oot line in best", "best", GOOD + "boat.n 2 ::: ship\n", [(2, "wrong-task")]),
    ("best line in oot", "oot", "kind.a 1 ::: nice\nboat.n 2 :: ship\n", [(2, "wrong-task")]),
    ("oot line in mw", "mw", "run.v 4 :: run out of\nboat.n 2 ::: x\n", [(2, "wrong-task")]),
    ("word for an mw id", "mw", "run.v 4 :: run out of\nboat.n two :: x\n",
     [(2, "non-numeric-id")]),
    ("blank answer", "best", GOOD + "boat.n 2 :: \n", [(2, "blank-answer")]),
    ("blank answer, mw", "mw", "run.v 4 ::\n", [(1, "blank-answer")]),
    ("only semicolons", "best", GOOD + "boat.n 2 :: ;\n", [(2, "empty-answer")]),
    ("inner empty answer", "best", "kind.a 1 :: gentle;;nice\n", [(1, "empty-answer")]),
    ("leading empty answer", "best", "kind.a 1 :: ;gentle\n", [(1, "empty-answer")]),
    ("duplicate", "best", "kind.a 1 :: gentle;gentle\n", [(1, "duplicate")]),
    ("duplicate, oot", "oot", "kind.a 1 ::: gentle;nice;gentle\n", [(1, "duplicate")]),
    ("duplicate by hyphen", "oot", "kind.a 1 ::: good natured;good-natured\n",
     [(1, "same-when-normalised"), (1, "hyphen")]),
    ("duplicate by apostrophe", "oot", "run.v 4 ::: don't stop;dont stop\n",
     [(1, "same-when-normalised"), (1, "apostrophe")]),
    ("eleven answers", "oot", "kind.a 1 ::: a;b;c;d;e;f;g;h;i;j;gentle\n", [(1, "too-many")]),
    ("eleven best answers", "best", "kind.a 1 :: a;b;c;d;e;f;g;h;i;j;gentle\n", []),
    ("blank before an answer", "best", "kind.a 1 :: nice; gentle\n", [(1, "outer-blank")]),
    ("blank after an answer", "best", "kind.a 1 :: gentle \n", [(1, "outer-blank")]),
    ("two blanks after the colons", "best", "kind.a 1 ::  gentle\n", [(1, "outer-blank")]),
    ("blank after an mw", "mw", "run.v 4 :: run out of \n", [(1, "outer-blank")]),
    ("two blanks inside", "best", "kind.a 1 :: good  natured\n", [(1, "inner-blanks")]),
    ("capital", "best", "kind.a 1 :: Gentle\n", [(1, "case")]),
    ("NIL", "best", "kind.a 1 :: NIL\n", [(1, "non-answer")]),
    ("CR LF", "best", "kind.a 1 :: gentle\r\nboat.n 2 :: ship\r\n", [(1, "carriage-return")]),
    ("CR only", "best", "kind.a 1 :: gentle\rboat.n 2 :: ship", [(1, "inner-cr")]),
    ("unknown id", "best", GOOD + "boat.n 99 :: ship\n", [(2, "unknown-id")]),
    ("unknown id, mw", "mw", "run.v 99 :: run out of\n", [(1, "unknown-id")]),
    ("repeated id", "best", GOOD + "kind.a 1 :: nice\n", [(2, "repeated-id")]),
    ("unscored: one response", "best", GOOD + "rare.a 6 :: few\n", [(0, "unscored-id")]),
    ("unscored: proper name", "best", GOOD + "town.n 7 :: city\n", [(0, "unscored-id")]),
    ("unscored: no gold", "best", GOOD + "calm.a 8 :: still\n", [(0, "unscored-id")]),
    ("hyphen", "best", "kind.a 1 :: good-natured\n", [(1, "hyphen")]),
    ("hyphenated mode", "best", "tune.n 3 :: sing song\n", [(1, "hyphenated-mode")]),
    ("apostrophe", "best", "run.v 4 :: don't stop\n", [(1, "apostrophe")]),
    ("apostrophe, mw", "mw", "run.v 4 :: run o'clock\n", [(1, "apostrophe-mw")]),
    ("non glued", "best", "odd.a 5 :: non local\n", [(1, "non-glued")]),
    ("non lost", "best", "odd.a 5 :: non-standard\n",
     [(1, "hyphen"), (1, "non-lost"), (1, "hyphenated-mode")]),
    ("several mw answers", "mw", "run.v 4 :: run out of;run out\n", [(1, "several-answers")]),
    ("semicolon behind an mw", "mw", "run.v 4 :: run out of;\n", [(1, "several-answers")]),
    ("other lexelt", "best", "kind.n 1 :: gentle\n", [(1, "lexelt-differs")]),
    ("text before", "best", "1. kind.a 1 :: gentle\n", [(1, "text-before")]),
    ("lexelt beyond ASCII", "best", "é.a 1 :: gentle\n", [(1, "text-before"),
     (1, "lexelt-differs")]),
    ("no-break space", "best", "kind.a 1 :: good\u00a0natured\n", [(1, "odd-character")]),
    ("typographic apostrophe", "best", "run.v 4 :: don’t stop\n", [(1, "odd-character")]),
    ("NUL", "best", "kind.a 1 :: gen\0tle\n", [(1, "nul")]),
    ("byte order mark", "best", "\ufeffkind.a 1 :: gentle\n", [(1, "bom")]),
    ("long line", "best", GOOD + "boat.n 2 :: " + "x" * 1_100_000 + "\n", [(2, "long-line")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "lines", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_finding(task: Task, lines: str, expected: list[tuple[int, str]]) -> None:
    assert found(lines, task) == sorted(expected, key=lambda pair: pair[0])


ACCENTED = """\
haut.a 1 :: élever 3;hausser 1;
bas.a 2 :: x 3;o'clock 2;le prix d'un 1;pn 1;
sharp.a 3 :: sharpness 2;pn 1;keen-eyed 2;
rare.a 4 :: été 1;
"""


def test_what_the_official_rules_change_is_named() -> None:
    gold = parse_gold(ACCENTED, Path("gold"))
    reference = Reference.of_gold("gold", gold)
    assert reference.changed == (
        ("1", "élever", "lever"), ("2", "x", None), ("3", "sharpness", None),
        ("4", "été", None),
    )  # fmt: skip
    lines = (
        "haut.a 1 ::: élever;lever;hausser\nbas.a 2 ::: x;le prix dun\n"
        "sharp.a 3 ::: sharpness;keen eyed\nrare.a 4 ::: été\n"
    )
    report = validate_submission(lines.encode(), NAME, "oot", reference)
    kept = ("gold-changed", "official-lost", "official-won")
    told = [(one.line, one.code, one.message) for one in report.findings if one.code in kept]
    assert told == [
        (0, "gold-changed", "4 gold entries of 4 items are not read as they stand by the official "
         "rules: 'élever' is read as 'lever' (item 1); 'x' is read as nothing (item 2); "
         "'sharpness' is read as nothing (item 3); …"),
        (1, "official-lost",
         "item 1: 'élever' stands in the gold, but the official rules give it nothing"),
        (1, "official-won", "item 1: 'lever' is right under the official rules alone"),
        (2, "official-lost",
         "item 2: 'x' stands in the gold, but the official rules give it nothing"),
        (3, "official-lost",
         "item 3: 'sharpness' stands in the gold, but the official rules give it nothing"),
    ]  # fmt: skip
    # What is named is what the scorer does: the wrong answer has three quarters of the credit.
    out = official(b"haut.a 1 :: lever\n", ACCENTED.encode(), "best").stdout
    assert b"precision = 75.00" in out


def test_every_code_is_seen_and_explained() -> None:
    seen = {code for *_, expected in CASES for _, code in expected}
    changed = {"gold-changed", "official-lost", "official-won"}
    assert seen | changed | {"missing-id", "encoding"} == set(CODES)
    for case in CASES:
        for finding in check(case[2], case[1]).findings:
            assert finding.message
            assert "\n" not in finding.message


def test_bytes_that_are_not_utf8() -> None:
    report = validate_submission(b"kind.a 1 :: gentle\nboat.n 2 :: b\xe9\n", NAME, "best")
    assert [(f.line, f.code) for f in report.findings] == [(2, "encoding")]


def test_missing_ids_and_coverage() -> None:
    report = check(GOOD)
    assert [f.message for f in report.findings if f.code == "missing-id"] == [
        "4 of 5 scored items have no line (2, 3, 4, 5); recall counts them as wrong"
    ]
    assert (report.lines, report.answered, report.scored) == (1, 1, 5)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"\x1f\x8b\x08\x00", "is gzip data"),
        ("kind.a 1 :: x".encode("utf-16"), "is UTF-16 text"),
        (b"kind.a 1 ::: gentle\n", r"lines with ':::', as oot has them.*--task oot"),
        (b"<xml/>\n", "holds no best answer; expected lines 'lexelt id :: answer;"),
    ],
)
def test_unusable(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        validate_submission(data, NAME, "best")


# What the findings claim, seen in the official scorer -----------------------


def score(lines: str, task: Task = "best") -> bytes:
    gold = MW_GOLD if task == "mw" else GOLD
    return official(lines.encode(), gold.encode(), task).stdout


BASE = "kind.a 1 :: gentle\nrun.v 4 :: sprint\n"
OOT = BASE.replace("::", ":::")


@pytest.mark.parametrize(
    ("task", "one", "other"),
    [
        ("best", BASE + "boat.n 2 :: \n", None),  # see the next test
        ("best", BASE + "boat.n 9 :: ship\n", BASE),
        ("best", BASE + "kind.a 1 :: nice\n", BASE),
        ("best", BASE + "rare.a 6 :: few\n", BASE),
        ("best", BASE + "town.n 7 :: city\n", BASE),
        ("best", BASE + "boat.n 2 :: good ship \n", BASE + "boat.n 2 :: nothing\n"),
        ("best", BASE + "boat.n 2 :: Ship\n", BASE + "boat.n 2 :: nothing\n"),
        ("best", BASE + "boat.n 2 :: ship\r\n", BASE + "boat.n 2 :: nothing\n"),
        ("best", BASE + "tune.n 3 :: x-y\n", BASE + "tune.n 3 :: x y\n"),
        ("best", BASE + "odd.a 5 :: non-standard\n", BASE + "odd.a 5 :: nothing\n"),
        ("best", BASE.replace("kind.a", "other.n"), BASE),
        ("best", "\ufeffsome text " + BASE, BASE),
        ("best", BASE + "boat.n 2 :: ;\n", BASE),
        ("oot", OOT.replace("gentle", "gentle;b;c;d;e;f;g;h;i;j;nice"),
         OOT.replace("gentle", "gentle;b;c;d;e;f;g;h;i;j")),
        ("mw", "run.v 4 :: run out of \n", "run.v 4 :: nothing\n"),
        ("mw", "run.v 4 :: run out of;run\n", "run.v 4 :: nothing\n"),
    ],
)  # fmt: skip
def test_claims_hold_in_the_official_scorer(task: Task, one: str, other: str | None) -> None:
    assert check(one, task).findings != check(other or BASE, task).findings
    if other is None:
        assert score(one, task) != score(BASE, task)
    else:
        assert score(one, task) == score(other, task)


def test_a_blank_answer_borrows_in_the_official_scorer() -> None:
    lines = "boat.n 2 :: gentle\nrare.a 6 :: x\nkind.a 1 :: \n"
    message = check(lines).findings[-1].message
    assert message.endswith("the official scorer gives it the answers of line 1 again")
    assert b"precision = 60.00" in score(lines), "3 of 5 people said gentle, of item 1"


counts = st.lists(
    st.tuples(st.sampled_from(["pn", "ab", "cd e", "f-g"]), st.integers(1, 3)), min_size=1
)


@given(st.lists(counts, min_size=1, max_size=6))
def test_scored_items_are_the_official_ones(lines: list[list[tuple[str, int]]]) -> None:
    text = "".join(
        f"w.n {number} :: " + "".join(f"{word} {count};" for word, count in answers) + "\n"
        for number, answers in enumerate(lines, start=1)
    )
    reference = Reference.of_gold("gold", parse_gold(text, Path("gold")))
    assert len(reference.scored) == read_official_gold(text).items


@pytest.mark.data
@pytest.mark.parametrize(("split", "scored"), [("test", 1696), ("trial", 295)])
def test_scored_items_of_the_real_gold(data_dir: Path, split: str, scored: int) -> None:
    data = load(f"semeval2007/{split}", [data_dir])
    assert len(Reference.of_dataset(data, "best").scored) == scored


# The command ------------------------------------------------------------------


def lexsub(*args: object) -> int:
    with pytest.raises(SystemExit) as stopped:
        main([str(arg) for arg in args])
    return int(stopped.value.code or 0)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = tmp_path / "a.best"
    items = load("tutorial/trial", ()).gold.items.values()
    clean.write_text("".join(f"{i.lexelt} {i.id} :: {next(iter(i.weights))}\n" for i in items))
    call = ("validate", clean, "--task", "best", "--data", "tutorial/trial")
    assert lexsub(*call) == 0
    out, err = capsys.readouterr()
    assert "[unscored-id]" in out
    assert "22 answer lines, 21 of 21 scored items answered; 0 errors, 0 warnings, 1 note" in err
    assert lexsub(*call, "--strict") == 1
    capsys.readouterr()

    faulty = tmp_path / "b.oot"
    faulty.write_text("match.n 1 ::: game;game\n")
    assert lexsub("validate", faulty, "--task", "oot", "--data", "tutorial/trial") == 1
    out, err = capsys.readouterr()
    assert f"{faulty}:1: error: [duplicate] item 1: answer 'game' stands 2 times" in out
    assert f"{faulty}: warning: [missing-id] 20 of 21" in out
    assert lexsub("validate", faulty, "--task", "oot", "--json") == 1
    record = json.loads(capsys.readouterr().out)
    assert record["counts"] == {"duplicate": 1}
    assert record["findings"][0]["line"] == 1


def test_command_reads_the_task_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a.oot", "x"), ("a.mw", "kind.a 1 :: x y\n"), ("a", "kind.a 1 ::: x\n"),
                       ("b", "kind.a 1 :: x\n"), ("b.oot", "kind.a 1 :: x\n")):  # fmt: skip
        (tmp_path / name).write_text(text)
    for name, said in (
        ("a.oot", "holds no oot answer; expected lines 'lexelt id ::: answer;answer'"),
        ("b", "does not say its task (lines of best and mw look alike); add --task"),
        ("b.oot", "holds no oot answer, but lines with '::', as best has them; expected "
                  "'lexelt id ::: answer;answer'"),
    ):  # fmt: skip
        assert lexsub("validate", tmp_path / name) == 2
        assert said in capsys.readouterr().err
    for name, task in (("a.mw", "mw"), ("a", "oot")):
        assert lexsub("validate", tmp_path / name, "--json") == 0
        assert json.loads(capsys.readouterr().out)["task"] == task


def test_data_is_a_folder_or_a_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--data`` is the folder of data sets as everywhere, and still takes what it took."""
    (tmp_path / "a.best").write_text("match.n 1 :: game\n")
    sets = tmp_path / "sets/tutorial"
    shutil.copytree(BUNDLED / "tutorial", sets)
    with (sets / "trial/gold.trial").open("a") as gold:
        gold.write("match.n 99 :: game 2;\n")
    said = []
    for call in (("--gold", "tutorial/trial", "--data", sets.parent),
                 ("--data", "tutorial/trial", "--data-dir", sets.parent),
                 ("--gold", "tutorial/trial"), ("--data", "tutorial/trial")):  # fmt: skip
        assert lexsub("validate", tmp_path / "a.best", *call) == 0  # warnings alone
        assert lexsub("validate", tmp_path / "a.best", *call, "--strict") == 1
        said.append(capsys.readouterr().err)
    assert ["1 of 22" in one for one in said] == [True, True, False, False]


def test_command_takes_a_gold_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "sys").write_text("kind.a 1 :: gentle\nrun.v 44 :: x\n")
    call = ("validate", tmp_path / "sys", "--task", "best", "--data", tmp_path / "gold")
    assert lexsub(*call) == 1
    assert f"{tmp_path}/sys:2: error: [unknown-id] id 44 is not in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (("none", "--task", "best"), "none: no such file"),
        ((".", "--task", "best"), ".: is a folder"),
        (("/dev/null", "--task", "best"), "/dev/null: is empty"),
        (("-", "--task", "oot", "--data", "tutorial/tst"), "did you mean test?"),
        (("-", "--task", "oot", "--data", "nowhere/gold"), "neither a file nor a data set"),
        (("-", "--task", "oot", "--gold", "."), "is a folder; expected a data set's split"),
        ((), "lexsub: validate: missing argument 'FILE...' (see lexsub validate --help)\n"),
    ],
)
def test_command_cannot_be_used(
    args: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lexsub("validate", *args) == 2
    out, err = capsys.readouterr()
    assert problem in err
    assert out == ""


def test_command_lists_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert lexsub("validate", "--codes") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(CODES)


@pytest.mark.data
def test_real_baseline(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = data_dir / "semeval2007" / "trial" / "BLoutof10.out"
    call = ("--task", "oot", "--data", "semeval2007/trial", "--data-dir", data_dir, "--quiet")
    assert lexsub("validate", file, *call) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "300 answer lines, 295 of 295 scored items answered; 0 errors, 0 warnings" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "kind.a 1 ::: gentle 3;nice 1;",
            "separator ':::' is that of oot; expected '::' in a gold",
        ),
        ("kind.a 1 :: gentle 3,nice 1;", "are parted by ','; expected semicolons"),
        ("kind.a 1 :: gentle 3 | nice 1", "are parted by '|'; expected semicolons"),
        ("kind.a 1 :: gentle;nice;", "answer 'gentle' has no count"),
    ],
)
def test_a_gold_with_other_signs_is_refused(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=r"^gold:1: ") as caught:
        parse_gold(line + "\n", Path("gold"))
    assert message in str(caught.value)


def test_fractions_and_commas_of_a_gold_stay() -> None:
    gold = parse_gold("kind.a 1 :: 5 3/4 pounds 1;well, well 2;10, 20 1;\n", Path("gold"))
    assert gold["1"].weights == {"5 3/4 pounds": 1, "well, well": 2, "10, 20": 1}
    reference = Reference("set", {"1": "kind.a"}, gold)
    answers = b"kind.a 1 ::: 5 3/4 pounds;well, well;10, 20\n"
    findings = validate_submission(answers, NAME, "oot", reference).findings
    assert not {"wrong-separator", "with-score"} & {finding.code for finding in findings}
