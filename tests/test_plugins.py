"""Parts of one's own: found from outside the tree, sent to workers, named when they fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

RANKER = '''
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from rankers import RANKERS


@RANKERS.register("NAME")
@dataclass(frozen=True)
class Shortest:
    """Shorter words first."""

    sign: int = -1
    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        return ()

    def open(self, resources: Resources, data: Dataset) -> "Shortest":
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [self.sign * len(c.substitute) for c in candidates]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        return {"letters": [len(c.substitute) for c in candidates]}
'''
MEASURE = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.measure import Measure
from evaluation.registry import MEASURES


@MEASURES.register("answered")
@dataclass(frozen=True)
class Answered(Measure):
    """Share of the items that have an answer."""

    name: ClassVar[str] = "answered"
    reads: ClassVar[str] = "best"
    reference: ClassVar[str] = "here"

    def statistics(self, sheet):
        n = len(sheet.table.ids)
        return np.stack([sheet.attempted.astype(float), np.ones(n)], axis=1)
'''
CONFIG = """
name = "mine"
data = "tutorial/test"
plugins = ["shortest.py"]
[[systems]]
name = "short"
candidates = { name = "gold-pool", gold = "tutorial/test" }
ranker = "shortest"
"""


def lexsub(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {"LEXSUB_CACHE": str(cwd / "cache")}
    own["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environment.pop("PATHS", "")])])
    return subprocess.run(
        [sys.executable, "-m", "lexsub", *arguments],
        cwd=cwd, env=os.environ | own | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_config_names_a_file_and_workers_get_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there/shortest.py").write_text(RANKER.replace("NAME", "shortest"))
    (tmp_path / "there/mine.toml").write_text(CONFIG)
    run = ("run", "there/mine.toml", "--out", "out", "--allow-oracle")
    result = lexsub(*run, "--workers", "2", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    for line in (tmp_path / "out/rankings/short.jsonl").read_text().splitlines():
        words = json.loads(line)["substitutes"]
        assert [len(w) for w in words] == sorted(len(w) for w in words)
    # The run's own folder finds the plugin again.
    rows = map(json.loads, (tmp_path / "out/rankings/short.jsonl").read_text().splitlines())
    item = next(row["id"] for row in rows if row["substitutes"])
    result = lexsub("explain", "out", item, cwd=tmp_path)
    assert "letters" in result.stdout, result.stderr
    # A changed plugin is a changed stage.
    (tmp_path / "there/shortest.py").write_text(
        RANKER.replace("NAME", "shortest").replace("self.sign *", "2 * self.sign *")
    )
    result = lexsub(*run, cwd=tmp_path)
    assert "rankings   short: reused" not in result.stderr
    assert "rankings   short: " in result.stderr


@pytest.mark.parametrize("way", ["option", "variable", "entry point"])
def test_a_measure_is_found(tmp_path: Path, way: str) -> None:
    (tmp_path / "gold").write_text("calm.a 1 :: still 3;quiet 2;\ncalm.a 2 :: still 2;mild 2;\n")
    (tmp_path / "a.best").write_text("calm.a 1 :: still\n")
    place = tmp_path / "site"
    place.mkdir()
    (place / "my_measures.py").write_text(MEASURE)
    call = ["score", "gold", "a.best", "--measures", "answered", "--score-only"]
    environment = {}
    if way == "option":
        call += ["--plugin", "site/my_measures.py"]
    elif way == "variable":
        environment["LEXSUB_PLUGINS"] = str(place / "my_measures.py")
    else:
        info = place / "my_measures-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-measures\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[lexsub.parts]\nmine = my_measures\n")
        environment["PATHS"] = str(place)
    result = lexsub(*call, cwd=tmp_path, **environment)
    assert (result.stdout, result.stderr) == ("50.00\n", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RANKER.replace("NAME", "random"), "there is another ranker 'random'; choose another name"),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero"),
        ("import nowhere_at_all", "cannot be imported: No module named 'nowhere_at_all'"),
        (None, "no such file; expected a plugin"),
    ],
)
def test_a_bad_plugin_is_named_in_one_line(tmp_path: Path, text: str | None, expected: str) -> None:
    if text is not None:
        (tmp_path / "bad.py").write_text(text)
    config = CONFIG.replace("shortest.py", "bad.py").replace('"shortest"', '"order"')
    (tmp_path / "mine.toml").write_text(config)
    result = lexsub("run", "mine.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "bad.py" in result.stderr
    assert expected in result.stderr


def test_an_unknown_module_is_named(tmp_path: Path) -> None:
    call = ("score", "--plugin", "no_such_module", "--list")
    result = lexsub(*call, cwd=tmp_path)
    assert result.returncode == 2
    assert "plugin no_such_module: no such module" in result.stderr
