"""What stands in a report, against the run's own files and figures worked out another way."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.boundary.curves import outcome
from lexsub.cli import main
from lexsub.errors import FormatError, LexsubError
from lexsub.evaluation.comparison import compare, marks
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.report import write_report
from lexsub.experiments.report.breakdown import by_gold_size, by_origin, by_pos, by_target, coverage
from lexsub.experiments.report.browser import _column
from lexsub.experiments.report.charts import scatter_grid
from lexsub.experiments.report.curves import calibration_charts, coverage_charts, sweep_charts
from lexsub.experiments.report.item_scores import ItemScores, agreement, pair_tests
from lexsub.experiments.report.page import report_page, score_tables
from lexsub.experiments.report.runs import read_runs
from lexsub.experiments.results.boundaries import RunRankings as BoundaryRun
from lexsub.experiments.results.boundaries import curves
from lexsub.experiments.results.config_tables import TESTED
from lexsub.formats.jsonl import read_rankings
from lexsub.resources import Resources
from lexsub.tables.value import letter
from tests.report.runs import TUTORIAL


@pytest.fixture(scope="module")
def item_scores(small_run: Path) -> ItemScores:
    return ItemScores.of(read_runs([small_run], ()))


@pytest.fixture(scope="module")
def page(item_scores: ItemScores) -> str:
    return report_page(item_scores.reported)


def page_data(page: str) -> dict[str, Any]:
    text = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    data: dict[str, Any] = json.loads(text)
    return data


def test_the_run_writes_what_the_command_writes(
    small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["report", str(small_run), "--out", str(tmp_path / "again.html")])
    assert exit_.value.code == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "again.html")
    again = (tmp_path / "again.html").read_bytes()
    assert again == (small_run / "report.html").read_bytes()
    assert str(small_run).encode() not in again
    assert b"http://" not in again.replace(b"http://www.w3.org/", b"")


def test_tables_are_those_of_the_run(item_scores: ItemScores, small_run: Path) -> None:
    document = json.loads((small_run / "scores.json").read_text())
    tables = {table.name: table for table in score_tables(item_scores.reported, {})}
    figures = {
        (entry["system"], one["measure"]): one["value"]
        for entry in (*document["systems"], *document["ceilings"])
        for one in entry["figures"]
    }
    for task, table in tables.items():
        for _, label, kind, *cells in table.rows:
            # The candidates are the same for all, and so is the ceiling.
            ours = [system["system"] for system in document["systems"]]
            assert label == "all systems" if kind == "ceiling" else label in ours
            names = [f"{name}.ceiling" for name in ours] if kind == "ceiling" else [label]
            for name in names:
                wanted = [figures[name, f"{task}-{m}"] for m in ("P", "R", "mode-P", "mode-R")]
                assert [cell.text for cell in cells] == [f"{100 * value:.2f}" for value in wanted]
        assert [row[2] for row in table.rows] == ["ours"] * 3 + ["ceiling"]


def test_marks_name_the_systems_that_are_beaten(item_scores: ItemScores) -> None:
    reported = item_scores.reported
    comparison = pair_tests(reported)
    expected = compare(reported.data.gold, reported.answers(), TESTED)
    assert comparison == expected
    found = marks(comparison, {system.name: system.letter for system in reported.systems})
    significant = {
        (row.first if row.difference > 0 else row.second, row.measure)
        for row in expected.rows
        if row.holm_p < 0.05
    }
    assert set(found) == significant != set()
    assert found["wordnet", "oot-R"] == "B"


def test_items_hold_every_figure(item_scores: ItemScores, page: str) -> None:
    data = page_data(page)
    scores = evaluate(
        item_scores.reported.data.gold, item_scores.reported.answers(), data["measures"],
        interval=None,
    )  # fmt: skip
    for number, (_, name, _) in enumerate(data["systems"]):
        for place, measure in enumerate(data["measures"]):
            values = [item[10][number][place] for item in data["items"]]
            known = [value for value in values if value is not None]
            figure = scores.figure(name, measure)
            assert len(known) == figure.items
            assert np.mean(known) / 1000 == pytest.approx(figure.value, abs=5e-4)


def test_items_hold_every_ranking(item_scores: ItemScores, page: str, small_run: Path) -> None:
    data = page_data(page)
    for number, (_, name, parts) in enumerate(data["systems"]):
        rankings = {r.id: r for r in read_rankings(small_run / "rankings" / f"{name}.jsonl")}
        assert parts == (["place"] if name == "wordnet" else ["drawn"])
        for item in data["items"]:
            best, oot, order, scores, total, places, columns = item[9][number]
            ranking = rankings[item[0]]
            assert [item[6][c] for c in order] == list(ranking.top(data["listed"]))
            shown = [float(one) for one in scores.split()]
            assert shown == pytest.approx([e.score for e in ranking.ranked][:30], rel=1e-3)
            assert (total, best, oot) == (len(ranking.ranked), min(1, total), min(10, total))
            assert len(columns) == len(parts) or not total
            # The right ones come first in the list of candidates, with their weights.
            gold = dict(zip(item[5][::2], item[5][1::2], strict=True))
            for answer, place in zip(gold, places, strict=True):
                if place:
                    found = ranking.ranked[place - 1].substitute
                    assert found.replace("-", " ") == answer.replace("-", " ")
                    worth = item_scores.gold[item[0]].weight(found)
                    assert worth == (0 if answer == "pn" else gold[answer])
                    if place <= data["listed"] and worth:
                        # The right ones stand first among the candidates, with their weights.
                        assert item[7][item[6].index(found)] == worth
            assert sum(item[7]) <= sum(gold.values())


@given(st.lists(st.none() | st.floats(), min_size=1))
def test_columns_hold_four_digits_of_every_number(values: list[float | None]) -> None:
    shown = _column(values).split(" ")
    for one, value in zip(shown, values, strict=True):
        if value is None or not math.isfinite(value):
            assert one == ""
        else:
            assert float(one) == float(f"{value:.4g}")
            assert not one.startswith(("0.", "-0."))


def test_a_ranking_that_is_only_cut_otherwise_is_held_once(tmp_path: Path) -> None:
    (first, *_) = TUTORIAL["systems"]  # type: ignore[misc]
    cut = {**first, "name": "cut", "oot": {"name": "top-n", "n": 3}}
    table = TUTORIAL | {"systems": [first, {**first, "name": "other", "ranker": "random"}, cut]}
    run_experiment(make_experiment(table, Path()), tmp_path / "run", Resources(), page=write_report)
    items = page_data((tmp_path / "run" / "report.html").read_text())["items"]
    for item in items:
        whole, other, twin = item[9]
        assert len(whole) == len(other) == 7
        assert twin == [whole[0], min(3, whole[4]), 0]


def test_curves_are_those_of_the_boundary_command(item_scores: ItemScores) -> None:
    systems = {s.name: list(s.rankings.values()) for s in item_scores.reported.answering}
    expected = curves(
        BoundaryRun("tutorial/test", item_scores.reported.data.gold, None, systems, {}),
        list(systems),
    )
    by_n, pr = coverage_charts(item_scores)
    for one, line, points, sweep in zip(
        expected, by_n.series, pr.series, sweep_charts(item_scores), strict=True
    ):
        assert [y for _, y in line.points] == pytest.approx(list(one.f))
        assert [x for x, _ in points.points] == pytest.approx(list(one.recall))
        assert [y for _, y in points.points] == pytest.approx(list(one.precision))
        assert sweep.series[0].points == line.points
        for series in sweep.series[1:]:
            cuts = [x for x, _ in series.points]
            assert cuts == sorted(cuts)
            # With the lowest threshold all of the ten are kept: F is that of n = 10.
            assert series.points[-1][1] == pytest.approx(one.f[-1])


def test_calibration_counts_right_candidates(item_scores: ItemScores) -> None:
    by_score, by_chance = calibration_charts(item_scores)
    for system, line in zip(item_scores.reported.answering, by_score.series, strict=True):
        found = (outcome(system.rankings[item.id], gold) for item, gold in item_scores.scored)
        right = np.concatenate([one.right > 0 for one in found])
        assert np.mean([y for _, y in line.points]) == pytest.approx(right.mean(), abs=0.01)
    assert by_chance.diagonal
    assert all(0 <= x <= 1 and 0 <= y <= 1 for s in by_chance.series for x, y in s.points)


def test_agreement_against_single_items(item_scores: ItemScores) -> None:
    same, overlap, correlation, either = agreement(item_scores)
    first, second = (
        {a.id: {s.replace("-", " ") for s in a.substitutes} for a in system.answers["oot"].answers}
        for system in item_scores.reported.answering
    )
    shared = first.keys() & second.keys()
    jaccard = [len(first[i] & second[i]) / len(first[i] | second[i]) for i in shared]
    assert overlap.values[0, 1] == pytest.approx(100 * np.mean(jaccard), abs=0.5)
    assert np.diag(same.values) == pytest.approx(100)
    x, y = item_scores.values["oot-R"]
    known = ~np.isnan(x)
    covariance = ((x - x[known].mean()) * (y - y[known].mean()))[known].mean()
    assert correlation.values[0, 1] == pytest.approx(
        100 * covariance / x[known].std() / y[known].std()
    )
    hits = np.mean((x[known] > 0) | (y[known] > 0))
    assert either.values[0, 1] == pytest.approx(100 * hits)


def test_groups_add_up(item_scores: ItemScores) -> None:
    for system, name in enumerate(item_scores.names):
        whole = item_scores.scores.figure(name, "oot-R")
        for groups in (by_pos(item_scores), by_target(item_scores), by_gold_size(item_scores)):
            assert sum(group.items for group in groups) == whole.items
            total = sum(group.items * group.values[system] for group in groups)
            assert total / whole.items == pytest.approx(100 * whole.value)
        for group in by_pos(item_scores):
            figure = item_scores.scores.figure(name, "oot-R", pos=group.name)
            assert group.values[system] == pytest.approx(100 * figure.value)


def test_origins_are_counted_once_each(item_scores: ItemScores) -> None:
    rows = [row for row in by_origin(item_scores) if row.system.name == "wordnet"]
    assert len(rows) > 1
    assert all(row.origin.startswith("wordnet: ") for row in rows)
    scored = {item.id for item, _ in item_scores.scored}
    system = item_scores.reported.answering[0]
    sizes = [len(ranking.ranked) for i, ranking in system.rankings.items() if i in scored]
    assert sum(row.candidates for row in rows) == sum(sizes)
    assert coverage(item_scores)[0].mean == pytest.approx(np.mean(sizes))
    right = sum(row.candidates * row.right / 100 for row in rows)
    assert right == pytest.approx(
        sum(
            entry.substitute.replace("-", " ")
            in {answer.replace("-", " ") for answer in gold.row.weights}
            for item, gold in item_scores.scored
            for entry in system.rankings[item.id].ranked
        )
    )


def test_bubbles_count_items() -> None:
    x = np.array([0.0, 0.0, 0.5, 1.0, math.nan])
    svg = str(scatter_grid(x, np.array([0.0, 0.0, 0.26, 1.0, 1.0]), "title <b>"))
    found = {
        circle.get("data-cell"): float(circle.get("r", ""))
        for circle in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
        if float(circle.get("r", "")) > 0
    }
    assert found == {"0,0": 15.0, "10,5": 10.6, "20,20": 10.6}
    assert "title &lt;b&gt;" in svg


def test_markup_is_never_a_tag(hostile: tuple[Path, Path]) -> None:
    page = (hostile[0] / "report.html").read_text()
    assert Counter(page.lower().split("<script")[i][:1] for i in (1, 2)) == Counter(" >")
    assert page.lower().count("<script") == page.lower().count("</script") == 2
    assert "<img" not in page
    assert "49" not in page_data(page)["items"][0][2]


def test_lines_of_script_cannot_be_broken(small_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(small_run, tmp_path / "run")
    path = run / "rankings" / "wordnet.jsonl"
    first, *rest = path.read_text().splitlines()
    row = json.loads(first)
    row["substitutes"][:3] = ["\u2028</script>", "\ud800", "\u0000&"]
    path.write_text("\n".join([json.dumps(row), *rest]) + "\n")
    write_report([run], tmp_path / "page.html", ())
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "\u2028" not in page
    assert page.count("</script>") == 2
    assert {"\u2028</script>", "?", "\u0000&"} <= set(page_data(page)["items"][0][6])


def test_systems_that_look_at_the_gold_show_their_scores_only(
    item_scores: ItemScores, page: str
) -> None:
    assert [system.name for system in item_scores.reported.systems] == [
        "wordnet",
        "random",
        "cheat",
    ]
    assert [system.name for system in item_scores.reported.answering] == ["wordnet", "random"]
    assert "did not write its answers" in page


def test_runs_on_the_same_data_share_a_page(small_run: Path, tmp_path: Path) -> None:
    other = shutil.copytree(small_run, tmp_path / "other")
    reported = read_runs([small_run, other], ())
    names = [system.name for system in reported.answering]
    assert names == ["small/wordnet", "small/random", "other/wordnet", "other/random"]
    assert [system.letter for system in reported.systems] == list("ABCDEF")
    (oot,) = (table for table in score_tables(reported, {}) if table.name == "oot")
    assert [row[0] for row in oot.rows if row[2] == "ours"] == list("ABCDEF")


def test_comparisons_of_the_config_are_on_the_page(page: str, tmp_path: Path) -> None:
    assert 'id="asked"' not in page, "a run that asks for none has no section"
    comparison = {"name": "why", "title": "Is it <b>better</b>?", "measures": "oot-R best-R",
                  "systems": ["wordnet", "random"], "resamples": 100}  # fmt: skip
    table = {**TUTORIAL, "comparisons": [comparison]}
    run_experiment(make_experiment(table, Path()), tmp_path / "run", Resources(), page=write_report)
    made = (tmp_path / "run/report.html").read_text("utf-8")
    section = made.partition('<section aria-labelledby="asked">')[2].partition("</section>")[0]
    assert "<h3>Is it &lt;b&gt;better&lt;/b&gt;?</h3>" in section
    (kept,) = json.loads((tmp_path / "run/scores.json").read_text())["comparisons"]
    rows = re.findall('<tr><th scope="row">.*</tr>', section)
    assert len(rows) == len(kept["rows"]) == 2
    for row, shown in zip(kept["rows"], rows, strict=True):
        cells = re.sub("<[^>]+>", " ", shown).replace("\u2212", "-").split()
        assert cells[:3] == ["wordnet", "random", row["measure"]]
        values = [float(cell) for cell in cells[3:6]]
        expected = [100 * row[key] for key in ("first_value", "second_value", "difference")]
        assert values == pytest.approx(expected, abs=0.006)
    assert kept["hypothesis"].splitlines()[0] in section
    broken = json.loads((tmp_path / "run/scores.json").read_text())
    del broken["comparisons"][0]["rows"][0]["holm_p"]
    (tmp_path / "run/scores.json").write_text(json.dumps(broken))
    with pytest.raises(FormatError, match=r"scores.json: holds a comparison that is none"):
        read_runs([tmp_path / "run"], [])


def test_letters_go_on_behind_z() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 52, 702)] == ["A", "Z", "AA", "AB", "BA", "AAA"]


def test_what_is_no_run_is_named(
    small_run: Path, hostile: tuple[Path, Path], tmp_path: Path
) -> None:
    run, data = hostile
    with pytest.raises(LexsubError, match=r"config\.toml: no such file"):
        read_runs([tmp_path], ())
    with pytest.raises(LexsubError, match="expected runs on the same data"):
        read_runs([small_run, run], (data,))
    with pytest.raises(LexsubError, match="given twice"):
        read_runs([small_run, small_run], ())
    broken = shutil.copytree(small_run, tmp_path / "broken")
    for name, text, message in (
        ("scores.json", "{}", "not a run's scores"),
        ("scores.json", "[", "not a run's scores"),
        ("manifest.json", "[]", "not a manifest"),
        ("details/wordnet.jsonl", '{"id": 1}\n', r"jsonl:1: .*expected"),
    ):
        whole = (broken / name).read_text()
        (broken / name).write_text(text)
        with pytest.raises(LexsubError, match=message):
            read_runs([broken], ())
        (broken / name).write_text(whole)
    scores = json.loads((broken / "scores.json").read_text()) | {"gold_sha256": "0" * 64}
    (broken / "scores.json").write_text(json.dumps(scores))
    with pytest.raises(LexsubError, match="another gold"):
        read_runs([broken], ())
