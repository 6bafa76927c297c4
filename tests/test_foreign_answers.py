"""Other people's outputs as systems of a run, and in a report without a config."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import lexsub
from lexsub.candidates.given import Given
from lexsub.cli import main as run_main
from lexsub.datasets import Dataset
from lexsub.errors import ConfigError, LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.report import write_report
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.formats.jsonl import read_rankings
from lexsub.rankers.baselines import SourceScore
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources

MEASURES = ["best", "oot", "GAP", "coverage-F", "P@1"]

SYSTEMS: list[dict[str, Any]] = [
    {"name": "task", "answers": ["task.best", "task.oot"]},
    {"name": "ranked", "answers": "ranked.tsv"},
    {"name": "ten", "answers": {"oot": "ten.txt"}},
    {"name": "short", "answers": ["ranked.tsv"], "oot": {"name": "top-n", "n": 2}},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files as other programs write them: some answers right, some wrong, some twice, some none."""
    home = tmp_path_factory.mktemp("foreign")
    lines: dict[str, list[str]] = {"task.best": [], "task.oot": [], "ten.txt": [], "ranked.tsv": []}
    for place, item in enumerate(lexsub.load("tutorial/test").gold.items.values()):
        if place % 9 == 0:
            continue
        right = list(item.positive)
        some = [right[place % len(right)], "wrong", right[0]]
        lines["task.best"].append(f"{item.lexelt} {item.id} :: {';'.join(some[: 1 + place % 2])}")
        lines["task.oot"].append(f"{item.lexelt} {item.id} ::: {';'.join(some)}")
        lines["ten.txt"].append(f"{item.lexelt} {item.id} ::: {';'.join(['wrong', *right])}")
        scored = enumerate(dict.fromkeys(some))
        lines["ranked.tsv"] += [f"{item.id}\t{word}\t{-rank / 7}" for rank, word in scored]
    for name, rows in lines.items():
        (home / name).write_text("\n".join(rows) + "\n")
    return home


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    table = {"name": "x", "data": "tutorial/test", "measures": MEASURES, "systems": SYSTEMS}
    run_experiment(make_experiment(table, folder), folder / "run", Resources(), page=write_report)
    return folder / "run"


def main(arguments: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        run_main(arguments)
    return ended.value.code


def test_a_run_scores_files_as_score_does(
    folder: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads((run / "scores.json").read_text())["systems"]
    ours = {
        (entry["system"], row["measure"]): row["value"]
        for entry in document
        for row in entry["figures"]
    }
    files = [str(folder / name) for name in ("task.best", "task.oot", "ranked.tsv", "ten.txt")]
    main(["score", "tutorial/test", *files, "--measures", " ".join(MEASURES), "--no-interval",
          "--json"])  # fmt: skip
    rows = json.loads(capsys.readouterr().out)["figures"]
    theirs = {(row["system"], row["measure"]): row["value"] for row in rows}
    theirs = {(name.removesuffix(".txt"), measure): value for (name, measure), value
              in theirs.items()}  # fmt: skip
    assert len(theirs) > 25
    assert theirs == pytest.approx({key: ours[key] for key in theirs})
    assert ours["short", "GAP"] == ours["ranked", "GAP"]
    assert ours["short", "oot-R"] < ours["ranked", "oot-R"]
    assert ("ten", "best-P") not in ours


def test_submissions_stand_in_the_run_as_they_were(folder: Path, run: Path) -> None:
    for name in ("task.best", "task.oot"):
        assert (run / name).read_bytes() == (folder / name).read_bytes()
    assert (run / "ten.oot").read_bytes() == (folder / "ten.txt").read_bytes()
    assert not (run / "ten.best").exists()
    ranked = {one.id: one for one in read_rankings(run / "rankings" / "task.jsonl")}
    _, first, *_ = (folder / "task.oot").read_text().split(" ")
    answers = (folder / "task.oot").read_text().split("\n")[0].partition(" ::: ")[2].split(";")
    assert ranked[first].top(10) == tuple(dict.fromkeys(answers))


def test_without_candidates_there_is_no_ceiling(run: Path) -> None:
    ceilings = json.loads((run / "scores.json").read_text())["ceilings"]
    assert {one["system"] for one in ceilings if one["figures"]} == {
        "ranked.ceiling", "short.ceiling",
    }  # fmt: skip
    table = (run / "tables" / "measures.csv").read_text()
    assert "task,ours" in table
    assert "task,ceiling" not in table
    page = (run / "report.html").read_text()
    held = page[page.index("What the candidates hold") : page.index("</section>",
                page.index("What the candidates hold"))]  # fmt: skip
    assert "ranked" in held
    assert "task" not in held


@pytest.mark.parametrize(
    "call",
    [
        ["report", "{run}", "--out", "{tmp}/page.html"],
        ["plot", "{run}", "--out", "{tmp}"],
        ["boundary", "{run}", "--tune", "cross-validation", "--resamples", "100"],
        ["explain", "{run}", "102", "--system", "task"],
        ["compare", "tutorial/test", "{run}/task.oot", "{run}/ten.oot", "--resamples", "100"],
    ],
    ids=lambda call: str(call[0]),
)
def test_every_command_that_reads_a_run_reads_this_one(
    call: list[str], run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [part.format(run=run, tmp=tmp_path) for part in call]
    assert main(arguments) == 0, capsys.readouterr().err
    assert "Traceback" not in capsys.readouterr().err


def test_plots_of_what_there_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = {"name": "x", "data": "tutorial/test", "systems": [SYSTEMS[2]]}
    run_experiment(make_experiment(table, folder), tmp_path / "run", Resources())
    assert main(["plot", str(tmp_path / "run")]) == 0
    out, err = capsys.readouterr()
    assert "f-by-n.svg" in out
    assert err.splitlines() == [
        "lexsub: compare: the run has one system alone",
        "lexsub: ceiling: the run has too few systems whose candidates are known",
        "lexsub: agreement: the run has too few systems whose answers are there",
    ]
    assert main(["plot", str(tmp_path / "run"), "--kind", "ceiling"]) == 2
    assert "candidates are known" in capsys.readouterr().err


def test_a_tuning_split_is_not_theirs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = {
        "name": "x", "data": "tutorial/test", "tuning": "tutorial/trial",
        "systems": [SYSTEMS[1], {"name": "own", "candidates": "wordnet"}],
    }  # fmt: skip
    run_experiment(make_experiment(table, folder), tmp_path / "run", Resources())
    assert main(["boundary", str(tmp_path / "run"), "--resamples", "100"]) == 0
    out, err = capsys.readouterr()
    assert "own F" in out
    assert "ranked F" not in out
    assert "left out" in err
    assert "ranked" in err
    command = ["boundary", str(tmp_path / "run"), "--system", "ranked", "--resamples", "100"]
    assert main(command) == 2
    assert "ranked has no rankings of a tuning split" in capsys.readouterr().err


def test_a_run_can_be_read_when_the_files_are_gone(folder: Path, run: Path, tmp_path: Path) -> None:
    config = (run / "config.toml").read_text().replace(str(folder), str(tmp_path / "gone"))
    made = make_experiment(tomllib.loads(config), run)
    assert [system.name for system in made.systems] == ["task", "ranked", "ten", "short"]
    again = make_experiment(tomllib.loads((run / "config.toml").read_text()), tmp_path)
    assert again.resolved() == tomllib.loads((run / "config.toml").read_text())


def test_another_file_is_another_stage(folder: Path, tmp_path: Path) -> None:
    answers = tmp_path / "mine.oot"
    answers.write_text((folder / "task.oot").read_text())
    table = {"name": "x", "data": "tutorial/test",
             "systems": [{"name": "mine", "answers": "mine.oot"}]}  # fmt: skip

    def recall() -> float:
        result = run_experiment(make_experiment(table, tmp_path), tmp_path / "run", Resources())
        return result.scores[0].figures["oot-R"].value

    before = recall()
    answers.write_text((folder / "ten.txt").read_text())
    assert recall() > before
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert str(answers) in manifest["inputs"]


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ({"answers": "gone.oot"}, "systems[0].answers: {0}/gone.oot: no such file"),
        ({"answers": 5}, "systems[0].answers: found 5; expected a file, a list of files, or"),
        ({"answers": []}, "systems[0].answers: found []; expected a file"),
        ({"answers": {"oots": "task.oot"}}, "systems[0].answers.oots: unknown kind of answers"),
        ({"answers": ["task.oot", "ten.txt"]}, "both hold oot answers"),
        ({"answers": "task.oot", "ranker": "order"}, "systems[0].ranker: stands beside answers"),
        ({"answers": "task.oot", "best": "top-n"}, "systems[0].best: stands beside answers"),
        ({"answers": "empty.oot"}, "empty.oot: is empty; expected lines"),
        ({"answers": "ranked.tsv", "oot": {"name": "tuned"}}, "files of answers are of the data"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_config(system: dict[str, Any], problem: str, folder: Path) -> None:
    (folder / "empty.oot").touch()
    table = {"name": "x", "data": "tutorial/test", "tuning": "tutorial/trial",
             "systems": [{"name": "a"} | system]}  # fmt: skip
    with pytest.raises(ConfigError) as caught:
        make_experiment(table, folder)
    assert problem.format(folder) in str(caught.value)


@pytest.mark.parametrize(
    ("answers", "content", "problem"),
    [
        ({"ranking": "a"}, "bright.a 7 ::: clever\n", "a: holds oot answers; expected rankings"),
        ({"oot": "a"}, "bright.a 7 :: clever\n", "holds no oot answer, but lines with '::'"),
        ({"oot": "a"}, "bright.a x7 ::: clever\n", "mine answers no item of tutorial/test"),
        ({"ranking": "a"}, "id\tsubstitute\n101\tclever\n101\n", "a:3: 1 columns; expected 2"),
        ({"ranking": "gone"}, "", "gone: no such file"),
    ],
)
def test_what_is_wrong_in_the_files(
    answers: dict[str, str], content: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "a").write_text(content)
    table = {"name": "x", "data": "tutorial/test",
             "systems": [{"name": "mine", "answers": answers}]}  # fmt: skip
    with pytest.raises(LexsubError) as caught:
        run_experiment(make_experiment(table, tmp_path), tmp_path / "run", Resources())
    assert problem in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_report_without_a_config(
    folder: Path, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    files = [str(folder / name) for name in ("task.best", "task.oot", "ten.txt")]
    assert main(["report", *files, "--gold", "tutorial/test", "--out", str(page)]) == 0
    assert "significant" in page.read_text()
    assert "task and ten.txt" in page.read_text()
    assert "eilings" not in page.read_text()
    # A gold's file: no sentences, all else; the same name in two folders.
    gold = tmp_path / "my.gold"
    text = "".join(
        f"{one.lexelt} {one.id} :: {';'.join(f'{s} {w:g}' for s, w in one.positive.items())};\n"
        for one in lexsub.load("tutorial/test").gold.items.values()
    )
    gold.write_text(text)
    (tmp_path / "task.oot").write_text((folder / "ten.txt").read_text())
    both = [str(folder / "task.oot"), str(tmp_path / "task.oot")]
    assert main(["report", *both, "--gold", str(gold), "--out", str(page)]) == 0
    assert "my.gold" in page.read_text()
    # Beside a run: its data.
    assert main(["report", str(run), str(tmp_path / "task.oot"), "--out", str(page)]) == 0
    assert "answers/task" in page.read_text()
    capsys.readouterr()
    assert main(["report", files[0]]) == 2
    assert "--gold semeval2007/test" in capsys.readouterr().err
    assert main(["report", files[0], "--gold", str(tmp_path / "no.gold")]) == 2
    assert "no.gold" in capsys.readouterr().err


def test_files_answer_no_sentence_of_ones_own(folder: Path, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('name = "x"\ndata = "tutorial/test"\n[[systems]]\nname = "a"\n'
                      f'answers = "{folder / "task.oot"}"\n')  # fmt: skip
    with pytest.raises(LexsubError, match="known by files of its answers alone"):
        open_suggester(str(config), "", Resources())


def test_given_candidates_are_ranked_by_any_ranker(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    item = lexsub.load("tutorial/test").items[0]
    file.write_text(f"{item.id}\tfirst\t1\n{item.id}\tsecond\t3\n{item.id}\tfirst\t0.5\n")
    pool = Given(str(file)).open(Resources()).candidates(item)
    assert [(one.substitute, one.origins[0].score) for one in pool] == [
        ("second", 3.0), ("first", 1.0),
    ]  # fmt: skip
    table = {"name": "given", "file": str(file)}
    (ranking, *rest) = lexsub.rank("tutorial/test", "source-score", table)
    assert ranking.top(5) == ("second", "first")
    assert not any(one.ranked for one in rest)


def test_source_score_takes_the_first_score_there_is() -> None:
    data = Dataset("none", (), lexsub.Gold("none", {}))
    pool = [
        Candidate("a", (Origin("s", 0), Origin("t", 0, "", 0.25))),
        Candidate("b", (Origin("s", 1),)),
        Candidate("c", (Origin("s", 2, "", 0.0), Origin("t", 2, "", 9.0))),
    ]
    item = lexsub.load("tutorial/test").items[0]
    assert SourceScore().open(Resources(), data).scores(item, pool) == [0.25, -1.0, 0.0]
