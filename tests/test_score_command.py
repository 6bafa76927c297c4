"""``lexsub score``: what it prints and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lexsub.cli.score import command, compare
from lexsub.errors import LexsubError

GOLD = """\
calm.a 1 :: still 3;quiet 2;at rest 1;
calm.a 2 :: still 2;serene 2;
path.n 3 :: trail 5;
path.n 4 :: track 1;
"""
MWGOLD = "path.n 3 :: garden path 3;\npath.n 4 :: bridle path 1;\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "gold": GOLD,
        "mwgold": MWGOLD,
        "mwids": "3  garden path\n",
        "MRsamples": "calm;a.man\n",
        "a.best": "calm.a 1 :: still\ncalm.a 2 :: serene\npath.n 3 :: way\npath.n 9 :: x\n",
        "a.oot": "calm.a 1 ::: still;at rest;x\npath.n 3 ::: trail\n",
        "a.mw": "path.n 3 :: garden path\npath.n 4 :: bridle path\n",
        "b.best": "calm.a 1 :: quiet\nnonsense\ncalm.a 1 :: still\n",
        "elsewhere/ratings": "calm.a 1 :: quiet 2;\n",
        "c.jsonl": '{"id": "1", "lexelt": "calm.a", "substitutes": ["quiet", "still"]}\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(command, list(arguments), input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_files_of_one_system_go_together(folder: Path) -> None:
    result = score("gold", "a.best", "a.oot", "a.mw", "--mwgold", "mwgold", "--format", "json")
    figures = {row["measure"]: row for row in json.loads(result.stdout)["figures"]}
    assert {row["system"] for row in figures.values()} == {"a"}
    assert figures["best-P"]["value"] == pytest.approx((3 / 6 + 2 / 4) / 3)
    assert figures["best-P"]["items"] == 3
    assert figures["best-P"]["skipped"] == {"fewer than two responses": 1}
    assert figures["oot-R"]["value"] == pytest.approx((4 / 6 + 1) / 3)
    assert figures["oot-P"]["attempted"] == 2
    assert figures["mw-detection-P"]["value"] == pytest.approx(1 / 2)
    assert figures["mw-identification-R"]["value"] == 1
    assert "answers to items without gold (best): 1" in result.stderr


def test_table_shows_systems_beside_each_other(folder: Path) -> None:
    result = score("gold", "a.best", "b.best", "--normalisation", "official", "--by-pos")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["measure", "items", "a", "b"]
    assert lines[1].startswith("best-P ")
    assert any(line.startswith("best-mode-R n ") for line in lines)
    assert "skipped 1: fewer than two responses (best-P and 3 more)" in result.stdout
    assert "b attempted 1 of 3 (best-P and 1 more)" in result.stdout
    # What all signatures have in common stands once.
    (common,) = (line for line in lines if line.startswith("all: ties:input|reads:best|data:gold|"))
    assert "|norm:official|subset:ALL|pos:all|" in common
    assert "best-P, best-R|items:3" in lines
    assert "lines not readable (best): 1" in result.stderr
    assert "second lines of an item (best): 1" in result.stderr


def test_subsets_are_named_by_what_they_hold(folder: Path) -> None:
    result = score(
        "gold", "a.best", "--subsets", "ALL NMWT NMWS RAND MAN", "--measures", "best-R",
        "--format", "tsv", "--no-interval",
    )  # fmt: skip
    rows = [line.split("\t") for line in result.stdout.splitlines()[1:]]
    assert {row[2]: (int(row[8]), float(row[4])) for row in rows} == {
        "ALL": (3, pytest.approx(1 / 3)),
        "NMWT": (2, pytest.approx(0.5)),
        "NMWS": (3, pytest.approx((3 / 5 + 2 / 4) / 3)),
        "RAND": (1, 0.0),
        "MAN": (2, pytest.approx(0.5)),
    }


def test_score_only_from_standard_input(folder: Path) -> None:
    result = score(
        "gold", "-", "--score-only", "--measures", "best-P best-1", stdin="path.n 3 :: trail\n"
    )
    assert result.stdout == "100.00\t0.3333\n"


def test_a_ranking_alone_stands_for_all_lists(folder: Path) -> None:
    result = score("gold", "c.jsonl", "--score-only", "--measures", "best-R oot-R P@1..2")
    assert result.stdout == "11.11\t27.78\t25.00\t25.00\n"


def test_figures_of_single_items(folder: Path) -> None:
    result = score("gold", "a.best", "--per-item", "--measures", "best-R")
    assert result.stdout.splitlines() == [
        "system\tmeasure\tid\tvalue", "a\tbest-R\t1\t0.5", "a\tbest-R\t2\t0.5", "a\tbest-R\t3\t0.0",
    ]  # fmt: skip


def test_latex_escapes_and_carries_signatures(folder: Path) -> None:
    (folder / "my_system.best").write_text("calm.a 1 :: still\n")
    result = score("gold", "my_system.best", "--format", "latex", "--measures", "best-R")
    assert "\n% Items: best-R 3\n% best-R|ties:input|reads:best|" in result.stdout
    assert r"system & best-R \\" in result.stdout
    assert r"my\_system & \textbf{16.67} [" in result.stdout


def test_two_golds_side_by_side(folder: Path) -> None:
    (folder / "ratings").write_text("calm.a 1 :: quiet 2.5;still 0.5;\npath.n 3 :: trail 3;\n")
    (folder / "b.best").write_text("calm.a 1 :: quiet\n")
    (folder / "a.best").write_text("calm.a 1 :: still\n")
    result = score("gold", "a.best", "b.best", "--second-gold", "ratings",
                   "--measures", "semdis-best")  # fmt: skip
    rows = [line.split("\t") for line in result.stdout.splitlines()[1:]]
    assert [(row[1], row[3], row[5], row[6]) for row in rows] == [
        ("b", "2", "1", "-1"), ("a", "1", "2", "+1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none", "a.best"], "none"),
        (["gold", "none.best"], "none.best: no such file"),
        (["gold", "tutorial/test"], "tutorial/test is a data set; expected a file of answers"),
        (["gold", "a.best", "--measures", "bets"], "unknown measure 'bets'; did you mean best"),
        (["gold", "a.best", "--measures", "P@x"], "is not readable; expected name"),
        (["gold", "a.best", "--measures", "best-P@2"], "takes no @k"),
        (["gold", "a.best", "--measures", "GAP(ties=none)"], "expected input or name or expected"),
        (["gold", "a.best", "--measures", "GAP(tie=name)"], "did you mean ties"),
        (["gold", "a.best", "--measures", "P@0"], "expected at least 1"),
        (["gold", "a.best", "--measures", "swords-F"], "weights up to 5"),
        (["gold", "a.best", "--subsets", "NMW"], "unknown subset 'NMW'; did you mean NMW"),
        (
            ["elsewhere/ratings", "a.best", "--subsets", "MAN"],
            "does not say the manually drawn words",
        ),
        (["gold", "a.mw"], "gold gold has no multiword part"),
        (["gold", "gold"], "is a gold"),
        (["gold", "a.best", "a.best"], "a.best is given twice"),
        (["gold", "a.best", "--resamples", "10"], "expected at least 100"),
    ],
)
def test_mistakes_are_one_clear_line(folder: Path, arguments: list[str], message: str) -> None:
    with pytest.raises(LexsubError) as caught:
        score(*arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_decimal_gold_and_official_reading(folder: Path) -> None:
    (folder / "ratings").write_text("calm.a 1 :: quiet 2.5;still 0.5;\n")
    with pytest.raises(LexsubError, match="reads whole counts"):
        score("ratings", "a.best", "--normalisation", "official")


def test_list_of_measures() -> None:
    listed = score("--list").stdout
    assert "GAP\n    GAP = " in listed
    assert "    ties=input (or name, expected)\n" in listed
    assert "best: best-P best-R best-mode-P best-mode-R" in listed


def test_ceiling_and_floor_of_a_pool_stand_in_the_table(folder: Path) -> None:
    result = score("gold", "--pool", "c.jsonl", "--measures", "oot-R GAP(ties=expected)",
                   "--no-interval")  # fmt: skip
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["measure", "items", "oracle", "random", "tied"]
    assert lines[1].split()[:3] == ["oot-R", "3", "27.78"]
    (folder / "pool").write_text("calm.a::quiet;loud\npath.n::trail\n")
    (folder / "french").write_text("chat.n::matou\n")
    with pytest.raises(LexsubError, match="french has candidates for none of the 4 items"):
        score("gold", "--pool", "french", "--measures", "oot-R")
    other = score("gold", "--pool", "pool", "--measures", "oot-R", "--score-only")
    assert other.stdout.splitlines()[0] == "44.44"
    with pytest.raises(LexsubError, match="no system is given"):
        score("gold")


def test_a_gold_file_that_is_not_there(folder: Path) -> None:
    with pytest.raises(LexsubError, match=r"goold: no such file, and unknown data set 'goold'"):
        score("goold", "a.best")
    with pytest.raises(LexsubError, match=r"^unknown split of tutorial 'tset'; did you mean test"):
        score("tutorial/tset", "a.best")


def test_few_targets_behind_an_interval_are_said(folder: Path) -> None:
    result = score("gold", "a.best", "--resamples", "100")
    assert (
        "a rests on 2 targets (best-P and 3 more): with fewer than 5 an interval or p says little"
    ) in result.stdout
    assert "rests on" not in score("gold", "a.best", "--no-interval").stdout
    words = "abcdef"
    (folder / "wide").write_text("".join(f"{w}.n {i} :: x 2;\n" for i, w in enumerate(words)))
    (folder / "all.best").write_text("".join(f"{w}.n {i} :: x\n" for i, w in enumerate(words)))
    (folder / "few.best").write_text("a.n 0 :: x\n")
    given = ("wide", "all.best", "few.best", "--measures", "best-P best-R", "--resamples", "100")
    said = "few rests on 1 target (best-P): with fewer"
    result = score(*given)
    assert said in result.stdout
    assert result.stdout.count("rests on") == 1, "recall rests on all six"
    figures = json.loads(score(*given, "--json").stdout)["figures"]
    assert [row["targets"] for row in figures] == [6, 6, 1, 6]
    compared = CliRunner().invoke(compare, list(given))
    assert said in compared.stdout
    assert "few attempted 1 of 6 (best-P and 1 more)" in compared.stdout
    assert compared.stdout.count("rests on") == 1


def test_rules_stand_under_the_table(folder: Path) -> None:
    for rules in ("clean", "official"):
        result = score("gold", "a.best", "--no-interval", "--normalisation", rules)
        assert f"\nrules: {rules}" in result.stdout


def test_duplicates_are_none_where_the_rules_drop_them(folder: Path) -> None:
    (folder / "twice.oot").write_text("calm.a 1 ::: still;still\n")
    both = ("--measures", "oot-R oot-R(duplicates=drop)", "--no-interval", "--json")
    for rules, expected in (("clean", {"drop"}), ("official", {"count", "drop"})):
        result = score("gold", "twice.oot", *both, "--normalisation", rules)
        figures = json.loads(result.stdout)["figures"]
        found = {row["signature"].partition("|duplicates:")[2].split("|")[0] for row in figures}
        assert found == expected
        assert len({row["value"] for row in figures}) == len(expected)


def test_an_oot_file_with_the_colons_of_best(folder: Path) -> None:
    (folder / "mine.oot").write_text("calm.a 1 :: still;quiet\n")
    said = r"mine.oot: holds no oot answer, but lines with '::', as best .*'lexelt id ::: answer"
    with pytest.raises(LexsubError, match=said):
        score("gold", "mine.oot")


def test_the_list_names_sets_and_has_no_markup() -> None:
    listed = score("--list").stdout
    assert "``" not in listed
    assert "\nsets of measures\n    best: best-P best-R" in listed


def test_files_that_do_not_fit_are_no_zeros(folder: Path) -> None:
    (folder / "other.best").write_text("calm.a 71 :: still\npath.n 72 :: trail\n")
    said = "other answers no item of gold: it has ids such as 71, the gold such as 1"
    with pytest.raises(LexsubError, match=said):
        score("gold", "other.best")
    with pytest.raises(LexsubError, match=said):
        CliRunner().invoke(
            compare, ["gold", "a.best", "other.best"], catch_exceptions=False, standalone_mode=False
        )
    with pytest.raises(LexsubError, match=r"a has no answers for best-P, .*: its files hold oot"):
        score("gold", "a.oot", "--measures", "best")
    # One that has some of the answers is scored on those.
    assert score("gold", "a.oot", "c.jsonl", "--measures", "oot-R GAP").exit_code == 0


def test_gold_stands_first_in_validate_too_and_official_says_what_is_swapped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lexsub.cli import main

    printed = []
    for arguments in (
        ["validate", "gold", "a.oot"],
        ["validate", "a.oot", "--gold", "gold"],
        ["official", "gold", "a.best", "-t", "best"],
        ["official", "a.best", "gold", "-t", "best"],
        ["official", "tutorial/test", "a.best", "-t", "best"],
        ["validate", "a.oot", "tutorial/test"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert "scored items answered" in printed[0].err
    assert "gold looks like a gold and a.best does not; the script's order" in printed[2].err
    assert "looks like" not in printed[3].err
    assert "tutorial/test is a data set" in printed[4].err
    assert "the order is SYSTEM GOLD" in printed[4].err
    assert "the order is GOLD FILE..." in printed[5].err


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_change_no_subset(mark: str, end: str, folder: Path) -> None:
    lists = {"mwids": "3  garden path\n1  calm water\n", "MRsamples": "calm;a.man\nnew;a.man\n"}
    found = []
    for first, last in (("", "\n"), (mark, end)):
        for name, text in lists.items():
            (folder / name).write_bytes((first + text.replace("\n", last)).encode())
        call = ["gold", "a.best", "--subsets", "ALL NMWT RAND MAN", "--no-interval"]
        found.append(CliRunner().invoke(command, call).output)
    assert found[0] == found[1]
    assert "best-P NMWT" in found[0]
    assert "best-P MAN" in found[0]
