"""Runs from end to end on the tutorial set: files, reuse, kills, workers, oracles."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from threadpoolctl import threadpool_info

from lexsub.cli import main
from lexsub.data.catalogue import BUNDLED
from lexsub.errors import LexsubError
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.reading import make_experiment, read_experiment
from lexsub.experiments.pipeline.runner import Result, run_experiment
from lexsub.experiments.report import write_report
from lexsub.experiments.report.runs import read_runs
from lexsub.experiments.results.run_folder import folders_of
from lexsub.experiments.results.scoring import EXPLAINED
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.parallel import in_blocks
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders
from lexsub.wordnet import inputs as wordnet_files
from tests import forked
from tests.caches import cache
from tests.conftest import ROOT

TABLE = {
    "name": "small",
    "data": "tutorial/test",
    "seed": 7,
    "systems": [
        {"name": "wordnet", "candidates": {"name": "wordnet", "frequency": "semcor"}},
        {"name": "random", "candidates": {"name": "wordnet"}, "ranker": "random"},
    ],
}


def experiment(**changes: object) -> Experiment:
    return make_experiment(TABLE | changes, Path())


def run(tmp_path: Path, name: str, made: Experiment, **options: Any) -> Result:
    resources = Resources(cache=cache(tmp_path))
    return run_experiment(made, tmp_path / name, resources, **({"page": write_report} | options))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a run but its manifest, which holds times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


def test_a_run_writes_its_folder(tmp_path: Path) -> None:
    result = run(tmp_path, "run", experiment())
    names = set(contents(result.folder))
    assert {
        "config.toml", "scores.json", "rankings/wordnet.jsonl", "rankings/random.jsonl",
        "wordnet.best", "wordnet.oot", "random.best", "random.oot",
        "tables/best.md", "tables/best.tex", "tables/best.csv", "tables/oot.md",
    } <= names  # fmt: skip
    assert not any(name.endswith(".part") for name in names)
    again = read_experiment(result.folder / "config.toml")
    assert again.resolved() == experiment().resolved()
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["seed"] == 7
    assert {str(path) for path in wordnet_files(Resources())} <= manifest["inputs"].keys()
    assert all(len(digest) == 64 for digest in manifest["inputs"].values())
    assert {stage["stage"] for stage in manifest["stages"]} >= {"candidates", "rankings", "answers"}
    assert manifest["libraries"]["numpy"] == version("numpy")
    assert not manifest["libraries"].keys() & {"lightgbm", "rich"}, "no part of this run needs them"
    assert {stage["of"] for stage in manifest["stages"]} >= {"wordnet", "random oot"}


def test_whole_rankings_are_kept_and_answers_are_their_heads(tmp_path: Path) -> None:
    result = run(tmp_path, "run", experiment())
    rankings = {r.id: r for r in read_rankings(result.folder / "rankings/wordnet.jsonl")}
    assert max(len(ranking.ranked) for ranking in rankings.values()) > 10
    assert len(rankings) == len(result.data.items)
    for answer in read_submission(result.folder / "wordnet.oot", "oot").answers:
        assert answer.substitutes == rankings[answer.id].top(10)
    for answer in read_submission(result.folder / "wordnet.best", "best").answers:
        assert answer.substitutes == rankings[answer.id].top(1)


def test_ceiling_is_not_below_any_system_of_the_same_candidates(tmp_path: Path) -> None:
    result = run(tmp_path, "run", experiment())
    for ours, ceiling in zip(result.scores, result.ceilings, strict=True):
        for task in ceiling.tasks:
            cells = ours.task_cells(task)
            for mine, most in zip(cells, ceiling.task_cells(task), strict=True):
                assert mine is not None
                assert most is not None
                assert mine.value <= most.value


COMPARISON = {"name": "tests", "title": "Is it better?", "systems": ["wordnet", "random"],
              "resamples": 500}  # fmt: skip


def test_comparisons_of_the_config_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measures = "oot-R best-R"
    result = run(tmp_path, "run", experiment(comparisons=[COMPARISON | {"measures": measures}]))
    assert "**Is it better?**" in result.tables
    assert "Null hypothesis of approximate randomisation" in result.tables
    (kept,) = json.loads((result.folder / "scores.json").read_text())["comparisons"]
    assert [row["measure"] for row in kept["rows"]] == measures.split()
    files = [str(result.folder / f"{name}.oot") for name in ("wordnet", "random")]
    with pytest.raises(SystemExit):
        main(["compare", "tutorial/test", *files, "--measures", "oot-R", "--json",
              "--resamples", "500", "--seed", "7"])  # fmt: skip
    (told,) = json.loads(capsys.readouterr().out)["rows"]
    # Holm's correction is over a table, and the command's has one row.
    same = {key for key in told if key not in ("first", "second", "holm_p", "signature")}
    assert {key: told[key] for key in same} == {key: kept["rows"][0][key] for key in same}
    lines = (result.folder / "tables" / "tests.csv").read_text().splitlines()
    assert lines[0].startswith("systems,measure,A,A low")
    assert [line.split(",")[:2] for line in lines[1:]] == [
        ["wordnet - random", name] for name in measures.split()
    ]


def test_second_run_reuses_every_stage_and_changes_no_byte(tmp_path: Path) -> None:
    first = contents(run(tmp_path, "run", experiment()).folder)
    lines: list[str] = []
    result = run_experiment(
        experiment(),
        tmp_path / "run",
        Resources(cache=cache(tmp_path)),
        report=lines.append,
        page=write_report,
    )
    assert lines
    assert all(line.endswith("reused") for line in lines)
    assert contents(result.folder) == first


def test_a_byte_flipped_in_any_kept_file_changes_no_output(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = contents(run(tmp_path, "run", experiment()).folder)
    kept = [path for path in (tmp_path / "cache" / "stages").rglob("*") if path.is_file()]
    assert any(path.name == "figures.json" for path in kept)
    for path in kept:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 4
        path.write_bytes(data)
    assert contents(run(tmp_path, "run", experiment()).folder) == first
    told = [record.getMessage() for record in caplog.records]
    assert len([one for one in told if "the stage is made again" in one]) == len(kept) / 2


def test_force_and_an_empty_cache_give_the_same_bytes(tmp_path: Path) -> None:
    first = contents(run(tmp_path, "one", experiment()).folder)
    assert contents(run(tmp_path, "two", experiment(), force=True).folder) == first
    elsewhere = Resources(cache=cache(tmp_path, "other"))
    assert (
        contents(
            run_experiment(experiment(), tmp_path / "three", elsewhere, page=write_report).folder
        )
        == first
    )


@pytest.mark.parametrize(("workers", "backend"), [(2, "loky"), (3, "threading"), (2, "sequential")])
def test_workers_change_no_byte(tmp_path: Path, workers: int, backend: str) -> None:
    one = contents(run(tmp_path, "one", experiment(), force=True).folder)
    many = experiment(workers=workers, backend=backend)
    two = contents(run(tmp_path, "two", many, force=True).folder)
    del one["config.toml"], two["config.toml"]
    assert one == two


def test_a_run_without_a_page_differs_in_nothing_else(tmp_path: Path) -> None:
    whole = contents(run(tmp_path, "run", experiment()).folder)
    bare = contents(run(tmp_path, "run", experiment(), page=None).folder)
    shown = {name for name in whole if name == "report.html" or name.startswith("details/")}
    assert len(shown) > 1, "what an earlier run showed is there to be taken away"
    assert set(whole) - set(bare) == shown
    assert all(whole[name] == bytes_ for name, bytes_ in bare.items())


def test_details_are_the_same_whether_made_with_the_ranking_or_after_it(tmp_path: Path) -> None:
    together = contents(run(tmp_path, "run", experiment(name="one")).folder)
    elsewhere = replace(Resources(), cache=cache(tmp_path, "other"))
    made = experiment(name="one")
    run_experiment(made, tmp_path / "later", elsewhere)
    later = run_experiment(made, tmp_path / "later", elsewhere, page=write_report)
    after = contents(later.folder)
    shown = [name for name in together if name.startswith("details/")]
    assert shown
    for name in shown:
        assert after[name] == together[name]
        for row in map(json.loads, after[name].decode().splitlines()):
            assert all(len(column) <= EXPLAINED for column in row["parts"].values())


def test_seed_decides_the_random_system_alone(tmp_path: Path) -> None:
    one = contents(run(tmp_path, "one", experiment()).folder)
    two = contents(run(tmp_path, "two", experiment(seed=8)).folder)
    assert one["rankings/random.jsonl"] != two["rankings/random.jsonl"]
    assert one["rankings/wordnet.jsonl"] == two["rankings/wordnet.jsonl"]


def test_an_oracle_writes_no_submission_unless_allowed(tmp_path: Path) -> None:
    systems = [{"name": "best-there-is", "candidates": "wordnet", "ranker": "oracle"}]
    result = run(tmp_path, "run", experiment(systems=systems))
    assert not (result.folder / "best-there-is.oot").exists()
    assert result.scores[0].figures["oot-R"].value > 0
    run(tmp_path, "run", experiment(systems=systems), allow_oracle=True)
    assert (result.folder / "best-there-is.oot").is_file()


def test_killed_runs_resume_to_the_same_bytes(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    import tomli_w

    config.write_text(tomli_w.dumps(experiment().resolved()))
    whole = contents(run_experiment(
        read_experiment(config), tmp_path / "whole", Resources(cache=cache(tmp_path, "c1")),
        page=write_report,
    ).folder)  # fmt: skip
    environment = os.environ | {"LEXSUB_CACHE": str(cache(tmp_path, "c2"))}
    stages = tmp_path / "c2" / "stages"
    killed = 0
    while True:
        call = ("run", str(config), "--out", str(tmp_path / "run"))
        process = forked.started("lexsub.cli", *call, cwd=ROOT, environment=environment)
        # Each gets a few stages further, so that the kills fall into different ones.
        goal = len(list(stages.glob("*/*"))) + 3
        while not process.ended() and len(list(stages.glob("*/*"))) < goal:
            time.sleep(0.005)
        if process.ended():
            break
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait().returncode == -signal.SIGKILL
        killed += 1
    assert killed
    assert process.wait().returncode == 0
    assert contents(tmp_path / "run") == whole


def test_command_prints_tables_and_where_to_look(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "lexsub", "run", "quickstart", "--out", str(tmp_path / "run")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    for system in ("wordnet", "bow", "lm", "cmlc", "ku", "random", "lm-expected-f"):
        assert f"\n{system}" in result.stdout or f", {system}" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"Everything is in {tmp_path / 'run'}")
    # On a terminal of eighty columns longer lines are wrapped.
    shown = [line.replace(str(tmp_path), "runs") for line in result.stdout.splitlines()]
    shown += result.stderr.splitlines()
    assert sum(max(1, math.ceil(len(line) / 80)) for line in shown) <= 40


def test_unwritable_out_folder_is_one_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    out = str(blocked / "run")
    result = forked.lexsub("run", "quickstart", "--out", out, cwd=ROOT, environment=os.environ)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert f"{blocked / 'run'}: cannot be written: {blocked} is not a directory" in result.stderr


def test_resources_are_found_beside_the_data_and_by_option(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    listed = tmp_path / "lists" / "freq.num"
    listed.parent.mkdir()
    listed.write_text("good\t9\nglad\t3\n")
    table = TABLE | {
        "resources": {"bnc-forms": "lists/freq.num"},
        "systems": [{"name": "s", "candidates": {"name": "wordnet", "frequency": "bnc-forms"}}],
    }
    config = tmp_path / "elsewhere" / "config.toml"
    config.parent.mkdir()
    import tomli_w

    config.write_text(tomli_w.dumps(table))
    made = Resources(data=(tmp_path / "data",), cache=cache(tmp_path))
    run_experiment(read_experiment(config), tmp_path / "run", made, page=write_report)
    assert str(listed) in (tmp_path / "run" / "manifest.json").read_text()
    other = tmp_path / "other.num"
    other.write_text("good\t1\n")
    result = forked.lexsub(
        "run", str(config), "--out", str(tmp_path / "run2"), "--resource", f"bnc-forms={other}",
        cwd=ROOT, environment=os.environ,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert str(other) in (tmp_path / "run2" / "manifest.json").read_text()


def test_a_run_knows_the_data_folders_it_was_made_with(tmp_path: Path) -> None:
    sets, run_folder = tmp_path / "sets", tmp_path / "run"
    shutil.copytree(BUNDLED / "tutorial", sets / "tutorial")
    for gold in (sets / "tutorial").rglob("gold*"):
        # Another gold than that of the set that comes along.
        gold.write_text(gold.read_text().replace(" 2;", " 3;"))
    run_experiment(experiment(), run_folder, Resources(data=(sets,), cache=cache(tmp_path)))
    with pytest.raises(LexsubError, match="was scored against another gold"):
        read_runs([run_folder], data_folders())
    assert folders_of([run_folder], None) == (sets, *data_folders())
    assert read_runs([run_folder], folders_of([run_folder], None)).runs
    assert folders_of([run_folder], tmp_path) == (tmp_path, sets, *data_folders())
    first = read_rankings(run_folder / "rankings" / "random.jsonl")[0]
    with pytest.raises(SystemExit) as stop:
        main(["explain", str(run_folder), first.id])
    assert not stop.value.code
    # What a manifest of somebody else's says is no trap.
    path = run_folder / "manifest.json"
    for odd in (None, 3, ["nowhere", "\0"], [1]):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"data": odd}))
        assert folders_of([run_folder], None) == data_folders()
    assert folders_of([tmp_path], None) == data_folders()


def test_a_resource_that_no_part_asks_for_is_named(tmp_path: Path) -> None:
    lines: list[str] = []
    resources = Resources(cache=cache(tmp_path))
    made = experiment(resources={"wordnt": "somewhere"})
    run_experiment(made, tmp_path / "run", resources, report=lines.append)
    assert "resource wordnt was asked for by no part" in lines[-1]
    assert not any("resource wordnet" in line for line in lines)


def test_a_run_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    made = experiment(resources={"wordnet": "nowhere"})
    with pytest.raises(LexsubError):
        run(tmp_path, "run", made)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_products_of_matrices_have_one_thread_whoever_works(workers: int) -> None:
    def threads(entries: Iterable[int]) -> list[tuple[int, ...]]:
        import numpy as np
        from threadpoolctl import threadpool_info

        np.ones((2, 2)) @ np.ones((2, 2))
        pools = [one for one in threadpool_info() if one["user_api"] == "blas"]
        return [tuple(one["num_threads"] for one in pools) for _ in entries]

    before = threadpool_info()
    for used in in_blocks(threads, [1, 2, 3], Resources(workers=workers), "threads"):
        assert set(used) == {1}
    assert threadpool_info() == before, "what others do with their threads is theirs"
