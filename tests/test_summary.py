"""What ``lexsub run`` prints: short, and still every figure of the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomli_w

from lexsub.cli import main
from lexsub.experiments.results.tables import (
    difference,
    for_paper,
    lettered,
    result_table,
    summary,
    with_pairs_marked,
)
from lexsub.tables import Number, Table
from lexsub.tables.terminal import to_text
from tests.caches import cache
from tests.report.runs import TUTORIAL

HEADERS = ("P", "R", "mode P", "mode R")


def row(name: str, kind: str, *values: float) -> tuple[str | Number, ...]:
    return (name, kind, *(Number(value, value - 1, value + 1) for value in values))


def short(*rows: tuple[str | Number, ...]) -> list[list[str]]:
    (table,) = summary("title", [result_table("best", "t: best", HEADERS, rows, ["note"])])
    assert table.title == "title"
    assert table.notes[1:] == ("note",)
    return [list(table.columns), *table.texts()]


def test_equal_figures_stand_once() -> None:
    shown = short(
        row("a", "ours", 1, 1, 2, 2), row("a", "ceiling", 5, 5, 6, 6),
        row("b", "ours", 3, 4, 2, 2), row("b", "ceiling", 5, 5, 6, 6),
        row("c", "ours", 1, 1, 2, 2), row("c", "ceiling", 7, 7, 8, 8),
    )  # fmt: skip
    assert shown == [
        ["best", "P / R", "mode P / R"],
        ["a, c", "1.00 [0.0, 2.0]", "2.00 [1.0, 3.0]"],
        ["b", "3.00 / 4.00 [3.0, 5.0]", "2.00 [1.0, 3.0]"],
        ["ceiling of the others", "5.00 [4.0, 6.0]", "6.00 [5.0, 7.0]"],
        ["ceiling of c", "7.00 [6.0, 8.0]", "8.00 [7.0, 9.0]"],
    ]
    assert short(row("a", "ours", 1, 1, 2, 2), row("a", "ceiling", 5, 5, 6, 6))[2][0] == "ceiling"


def test_of_two_ceilings_each_is_its_systems() -> None:
    shown = short(
        row("a", "ours", 1, 1, 2, 2), row("a", "ceiling", 5, 5, 6, 6),
        row("b", "ours", 3, 4, 2, 2), row("b", "ceiling", 7, 7, 8, 8),
    )  # fmt: skip
    assert [line[0] for line in shown[3:]] == ["ceiling of a", "ceiling of b"]


def test_a_precision_that_equals_the_recall_has_its_letters() -> None:
    rows = [
        row("a", "ours", 9, 9, 9, 9), row("b", "ours", 5, 5, 5, 4), row("c", "ours", 3, 3, 2, 2),
        row("a", "ceiling", 9, 9, 9, 9),
    ]  # fmt: skip
    letters = {name: (name.upper(), name) for name in "abc"}
    beaten = {("a", "best-R"): "B C", ("a", "best-mode-R"): "B C", ("b", "best-mode-R"): "C"}
    table = lettered(result_table("best", "t", HEADERS, rows), letters, beaten)
    marked = with_pairs_marked(table)
    found = [[one.marks for one in line[3:] if isinstance(one, Number)] for line in marked.rows]
    # B answers less than all of the items with a mode: its precision there is another figure.
    assert found == [["B C", "B C", "C", "B C"], ["", "", "", "C"], [""] * 4, [""] * 4]


def test_a_system_with_a_published_row_keeps_its_own() -> None:
    ours = row("a", "ours", 1, 1, 2, 2)
    theirs = row("Paper", "published", 2, 2, 2, 2)
    shown = short(ours, theirs, difference(ours, theirs), row("b", "ours", 1, 1, 2, 2))
    assert [line[0] for line in shown[1:]] == ["a", "Paper (published)", "difference", "b"]
    assert shown[3][1] == "-1.00"


def test_tables_of_ones_own_columns_stay_as_they_are() -> None:
    given = [
        result_table("tests", "Tests", ("A", "B"), [("x - y", "oot-R", Number(1), Number(2))]),
        Table("Other", ("word",), [["x"]], ("note",)),
    ]
    shown = summary("title", given)
    assert [list(map(str, one.columns)) for one in shown] == [list(one.columns) for one in given]
    assert [one.texts() for one in shown] == [one.texts() for one in given]


def test_the_command_prints_it_and_tells_of_stages_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    Path("small.toml").write_text(tomli_w.dumps(TUTORIAL))
    for option, told in (("--verbose", True), ("--no-page", False)):
        with pytest.raises(SystemExit) as stop:
            main(["run", "small.toml", option])
        assert stop.value.code == 0
        out, err = capsys.readouterr()
        assert ("scores     wordnet" in err) is told
        assert "cheat: looks at the gold" in err
        assert all(len(line) <= 80 for line in out.splitlines()[:-3])
        assert "P / R" in out
    scores = json.loads(next(Path("runs").glob("*/scores.json")).read_text())
    for system in scores["systems"]:
        for figure in system["figures"]:
            if figure["measure"] in ("best-R", "oot-R", "oot-mode-R"):
                assert f"{100 * figure['value']:.2f} [" in out


def test_a_narrow_terminal_gets_figures_without_intervals() -> None:
    rows = [row("a rather long name of a system", "ours", 11, 12, 13, 14)]
    (table,) = summary("t", [result_table("best", "t", HEADERS, rows)])
    assert "11.00 / 12.00 [" in to_text(table, 80)
    assert "[" not in to_text(table, 40).split("In brackets")[0]


def test_a_table_for_a_paper_has_systems_as_rows_and_each_ceiling_once() -> None:
    ours, theirs = row("a", "ours", 1, 2, 1, 2), row("Paper", "published", 2, 2, 2, 2)
    rows = [
        ours, theirs, difference(ours, theirs), row("a", "ceiling", 5, 5, 5, 5),
        row("b", "ours", 3, 1, 3, 1), row("b", "ceiling", 5, 5, 5, 5),
        row("c", "ceiling", 4, 4, 4, 4),
    ]  # fmt: skip
    table = result_table("best", "t", HEADERS, rows)
    letters = {"a": ("A", "a"), "b": ("B", "b")}
    paper = for_paper(lettered(table, letters, {("b", "best-P"): "A"}))
    assert list(paper.columns) == ["", "system", *HEADERS]
    assert [one[:2] for one in paper.rows] == [
        ("A", "a"), ("", "Paper (published)"), ("", "difference"), ("B", "b"),
        ("", "ceiling of the others"), ("", "ceiling of c"),
    ]  # fmt: skip
    best = [one.best for line in paper.rows for one in line[2:] if isinstance(one, Number)]
    assert best == [*[False, True] * 2, *[False] * 8, *[True, False] * 2, *[False] * 8]
    marked = paper.rows[3][2]
    assert isinstance(marked, Number)
    assert marked.marks == "A"
    other = result_table("own", "t", ("A",), [("x - y", "oot-R", Number(1))])
    assert for_paper(other).columns == other.columns
