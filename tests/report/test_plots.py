"""Plots as files: what they show stands beside them, and the bytes are the same every time."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from lexsub.cli import main
from lexsub.cli.runs import KINDS
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.experiments.report.item_scores import ItemScores
from lexsub.experiments.report.plots import Kind, plot
from lexsub.experiments.report.runs import read_runs

MAGIC = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def item_scores(small_run: Path) -> ItemScores:
    return ItemScores.of(read_runs([small_run], ()))


def rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text().splitlines()))


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_the_same_bytes_every_time(
    item_scores: ItemScores, kind: str, tmp_path: Path
) -> None:
    form = ("svg", "pdf", "png")[KINDS.index(kind) % 3]
    once = plot(item_scores, kind, tmp_path / "once", form, (), "oot-R")
    again = plot(item_scores, kind, tmp_path / "again", form, (), "oot-R")
    assert [path.name for path in once] == [path.name for path in again]
    assert [path.suffix for path in once] == [f".{form}", ".csv"] * (len(once) // 2)
    for one, other in zip(once, again, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert once[0].read_bytes().startswith(MAGIC[form])


def test_data_beside_the_plots(item_scores: ItemScores, tmp_path: Path) -> None:
    plot(item_scores, "boundary", tmp_path, "svg", (), "oot-R")
    header, *lines = rows(tmp_path / "f-by-n.csv")
    assert header == ["series", "n, answers kept", "coverage F"]
    cuts = item_scores.cuts["wordnet"].f.mean(axis=0)
    assert [float(line[2]) for line in lines[:10]] == pytest.approx(cuts.tolist(), abs=1e-6)
    plot(item_scores, "compare", tmp_path, "svg", ("random", "wordnet"), "best-R")
    header, *lines = rows(tmp_path / "compare-random-wordnet.csv")
    assert header == ["id", "target", "best-R of random", "best-R of wordnet"]
    for column, name in ((2, "random"), (3, "wordnet")):
        mean = np.mean([float(line[column]) for line in lines])
        assert mean == pytest.approx(item_scores.scores.value(name, "best-R"), abs=1e-6)


def test_what_cannot_be_plotted_is_named(item_scores: ItemScores, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown system of the run 'wordnte'"):
        plot(item_scores, "compare", tmp_path, "svg", ("wordnte", "random"), "oot-R")
    with pytest.raises(UnknownNameError, match="unknown measure of items 'oot'"):
        plot(item_scores, "compare", tmp_path, "svg", (), "oot")
    with pytest.raises(LexsubError, match="1 systems to compare; expected two"):
        plot(item_scores, "compare", tmp_path, "svg", ("random",), "oot-R")


def test_the_command_names_what_it_wrote(
    small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert get_args(Kind) == KINDS
    with pytest.raises(SystemExit) as exit_:
        main(["plot", str(small_run), "--kind", "pos", "--out", str(tmp_path)])
    assert exit_.value.code == 0
    assert capsys.readouterr().out.split() == [
        str(tmp_path / name) for name in ("by-pos.svg", "by-pos.csv")
    ]
