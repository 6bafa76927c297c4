"""Models, rankers and boundaries inside an experiment, on the tutorial set."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lexsub.cli import main
from lexsub.corpus.reader import CorpusReport
from lexsub.data.catalogue import tuning_for
from lexsub.errors import ConfigError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.results.boundaries import (
    Comparing,
    StrategyRow,
    choose,
    chosen_strategy,
    read_run,
    tuning_line,
)
from lexsub.formats.jsonl import read_rankings
from lexsub.parts.base import BUILDERS
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.files import sha256
from lexsub.wordnet.opening import SHIPPED
from lexsub.wordnet.reader import GLOSSES
from tests.tiny_wordnet import TINY, write_tiny

HERE = Path(__file__).parent
WORDNET = {"name": "wordnet", "frequency": "none"}


def config(**more: object) -> dict[str, object]:
    systems = [
        {"name": ranker, "candidates": WORDNET, "ranker": ranker}
        for ranker in ("lm", "ku", "bow", "cmlc", "order", "random")
    ]
    corpus = {"corpus": ["text"]}
    return {
        "name": "all-rankers",
        "data": "tutorial/test",
        "tuning": "tutorial/trial",
        "resources": {"text": str(HERE / "village.txt")},
        "models": {
            "lm": {"kind": "lm", "order": 3, "engine": "embedded", **corpus},
            "ku": {"kind": "lm", "order": 5, "smoothing": "one-count", **corpus},
            "bow": {"kind": "bow", "stop": 5, "minimum": 1, **corpus},
        },
        "systems": systems,
        **more,
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("kenlm")
    pytest.importorskip("lemminflect")
    folder = tmp_path_factory.mktemp("run")
    experiment = make_experiment(config(), folder)
    run_experiment(experiment, folder / "run", Resources())
    return folder / "run"


def test_every_ranker_ranks_the_same_candidates(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "run"
    experiment = make_experiment(config(workers=2, backend="threading"), tmp_path)
    run_experiment(experiment, other, Resources(), force=True)
    runs = [run, other]
    names = sorted(path.name for path in (runs[0] / "rankings").iterdir())
    assert len(names) == 12, "six systems, test and tuning rankings"
    for name in names:
        one, two = (run / "rankings" / name for run in runs)
        assert one.read_bytes() == two.read_bytes(), "bytes do not depend on the workers"
    pools = []
    for name in ("lm", "ku", "bow", "cmlc", "order"):
        ranked = read_rankings(runs[0] / "rankings" / f"{name}.jsonl")
        pools.append([sorted(entry.substitute for entry in r.ranked) for r in ranked])
    assert all(pool == pools[0] for pool in pools)
    notes = json.loads((runs[0] / "manifest.json").read_text())
    assert str(HERE / "village.txt") in json.dumps(notes), "the corpus is named in the manifest"


def lexsub(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert left.value.code in (0, None), capsys.readouterr().err
    return capsys.readouterr().out


def test_boundary_compares_every_strategy(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("sklearn")
    for tune in ("split", "cross-validation"):
        found = json.loads(
            lexsub(capsys, "boundary", run, "--system", "lm", "--tune", tune, "--folds", 3,
                   "--resamples", 200, "--plots", tmp_path / tune, "--format", "json")
        )  # fmt: skip
        rows = {row["strategy"]: row for row in found["strategies"]}
        [curve] = found["curves"]
        assert rows["oracle"]["f"] == pytest.approx(curve["optimal_f"])
        assert rows["oracle"]["gap_closed"] == pytest.approx(100)
        assert all(row["f"] <= rows["oracle"]["f"] + 1e-12 for row in rows.values())
        assert rows["tuned-top-n"]["difference"] == 0
        if tune == "split":
            nearest = min(abs(f - rows["tuned-top-n"]["f"]) for f in curve["f"])
            assert nearest < 1e-12, "one n for all items is a point of the curve"
        kinds = sorted(path.suffix for path in (tmp_path / tune).iterdir())
        assert kinds == [".png", ".png", ".svg", ".svg"]
    text = lexsub(capsys, "boundary", run, "--system", "lm", "--resamples", 200)
    assert "expected-f others" in text
    assert "by 7-fold cross-validation over the targets of tutorial/trial" in text
    assert f"{100 * rows['oracle']['f']:.1f}" in text, "in percent, as the curves"


def row(strategy: str, f: float, holm_p: float) -> StrategyRow:
    gain = f - 0.3
    return StrategyRow("s", strategy, 5, f, f, f, f, f, gain, gain, gain, holm_p / 5, holm_p, 0)


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        # The greatest F, where nothing says that it is more than chance.
        ([("tuned-top-n", 0.30, 1), ("tuned mass", 0.35, 0.06), ("oracle", 0.5, 0)], "tuned-top-n"),
        ([("tuned-top-n", 0.30, 1), ("tuned mass", 0.35, 0.04), ("oracle", 0.5, 0)], "tuned mass"),
        ([("tuned-top-n", 0.30, 1), ("tuned mass", 0.2, 0.01), ("oracle", 0.5, 0)], "tuned-top-n"),
        ([("tuned-top-n", 0.30, 1), ("a", 0.4, 0.2), ("b", 0.35, 0.01), ("c", 0.34, 0.01)], "b"),
    ],
)
def test_a_strategy_is_taken_that_is_reliably_better(
    rows: list[tuple[str, float, float]], chosen: str
) -> None:
    best = chosen_strategy([row(*one) for one in rows])
    assert best is not None
    assert best.strategy == chosen


def test_a_boundary_is_not_chosen_by_the_figures_of_the_data(run: Path) -> None:
    read = read_run(run, ())
    wrong = [row("tuned-top-n", 0.3, 1), row("tuned mass", 0.9, 0.0)]
    decide = partial(choose, how=Comparing(resamples=100))
    strategy, by = decide(read, "lm", wrong)
    assert strategy == "tuned-top-n", "21 items say nothing else"
    assert by == "7-fold cross-validation over the targets of tutorial/trial"
    assert tuning_line(read) == ""
    without = replace(read, tuning_gold=None, tuning={})
    strategy, by = decide(without, "lm", wrong)
    assert (strategy, "these very figures" in by) == ("tuned mass", True)
    assert 'tuning = "tutorial/trial"' in tuning_line(without)


def test_a_tuning_split_is_named_of_the_data_s_own_set() -> None:
    assert tuning_for("tutorial/test") == "tutorial/trial"
    assert tuning_for("semeval2007/test") == "semeval2007/trial"
    assert tuning_for("coinco/test") == "coinco/dev"
    assert tuning_for("mine.csv") == ""


def test_explain_adds_up(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = read_rankings(run / "rankings" / "lm.jsonl")[0].id
    found = json.loads(lexsub(capsys, "explain", run, item, "--format", "json"))
    by_name = {system["name"]: system for system in found["systems"]}
    cmlc = by_name["cmlc"]
    for place, candidate in enumerate(cmlc["candidates"]):
        parts = {name: values[place] for name, values in cmlc["parts"].items()}
        assert candidate["score"] == pytest.approx(parts["lm"] + 0.5 * parts["context"])
        assert candidate["gold"] == found["gold"].get(candidate["substitute"], 0)
    assert "gold" in lexsub(capsys, "explain", run, item, "--system", "bow")


def test_a_boundary_looks_at_another_system(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    system = {"name": "order", "candidates": WORDNET, "oot": {"name": "expected-f",
              "others": ["random"]}}  # fmt: skip
    random = {"name": "random", "candidates": WORDNET, "ranker": "random"}
    table = {"name": "x", "data": "tutorial/test", "systems": [system, random]}
    with pytest.raises(ConfigError, match="learns from a tuning split and the file names none"):
        make_experiment(table, tmp_path)
    table["tuning"] = "tutorial/trial"
    run_experiment(make_experiment(table, tmp_path), tmp_path / "run", Resources())
    assert (tmp_path / "run" / "order.oot").read_text().count("\n") > 5
    table["systems"] = [system]
    with pytest.raises(ConfigError, match="looks at system 'random'"):
        make_experiment(table, tmp_path)


def test_tables_stand_beside_published_rows(tmp_path: Path) -> None:
    tables = [
        {"name": "t1", "title": "T", "measures": "coverage-R", "by_pos": True,
         "published": {"order": [10, 20, 30, 40, 50]}},
        {"name": "t3", "title": "T", "measures": "coverage-F@1..3"},
    ]  # fmt: skip
    system = {"name": "order", "candidates": WORDNET}
    table = {"name": "x", "data": "tutorial/test", "systems": [system], "tables": tables}
    run_experiment(make_experiment(table, tmp_path), tmp_path / "run", Resources())
    lines = (tmp_path / "run" / "tables" / "t1.csv").read_text().splitlines()
    assert lines[0] == "system,kind,all,nouns,adjectives,verbs,adverbs"
    ours, published, gap = (line.split(",")[2:] for line in lines[1:])
    assert list(map(float, published)) == [10, 20, 30, 40, 50]
    for mine, theirs, difference in zip(ours, published, gap, strict=True):
        if mine:
            assert float(mine) - float(theirs) == pytest.approx(float(difference), abs=1e-3)
    by_n = (tmp_path / "run" / "tables" / "t3.csv").read_text().splitlines()
    assert by_n[0].count("coverage-F") == 3


def test_programs_that_train_are_inputs(tmp_path: Path) -> None:
    corpus = tmp_path / "text"
    corpus.write_text("a b\n")
    for name in ("lmplz", "build_binary"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)

    def names(**options: Any) -> list[str]:
        made = BUILDERS["lm"](corpus=(str(corpus),), lmplz=str(tmp_path), **options)
        return [path.name for path in made.inputs(Resources(cache=tmp_path))]

    assert names() == ["text", "lmplz", "build_binary"]
    assert names(engine="embedded") == ["text", "build_binary"]
    assert names(binary=False) == ["text", "lmplz"]
    assert names(smoothing="additive") == ["text"]


def test_glosses_are_a_corpus(tmp_path: Path) -> None:
    builder = BUILDERS["lm"](corpus=("wordnet-glosses",), engine="embedded", binary=False)
    tiny = Resources(paths={"wordnet": write_tiny(tmp_path / "tiny")}, cache=tmp_path / "cache")
    files = builder.inputs(tiny)
    assert sorted(path.name for path in files) == ["data.adj", "data.adv", "data.noun", "data.verb"]
    corpus, report = FromText(("wordnet-glosses",)).text(tiny), CorpusReport()
    written = [line for name in ("noun", "verb", "adj", "adv")
               for line in TINY[f"data.{name}"].splitlines() if line[0] != " "]  # fmt: skip
    assert [*corpus.lines(report)] == [line.partition(" | ")[2].strip() for line in written]
    assert report.lines == len(written)
    shipped = Resources(paths={"wordnet": SHIPPED})
    assert builder.inputs(shipped) == [SHIPPED, GLOSSES]
    # The figures of RESULTS.md and of the quickstart rest on these very words.
    text = "\n".join(FromText(("wordnet-glosses",)).text(shipped).lines())
    assert (
        sha256(text.encode()) == "1ef39eb8dd17506c644e219c1e05d8826f872d008a8e144bb10f793e7b5b2a23"
    )
