"""Feature families of one's own: workers find them, and a slip in one is one line."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.experiments.pipeline.makers.features import describe
from lexsub.parts.base import Feature, FeatureFamily
from lexsub.parts.checked import ByTarget
from lexsub.rankers.learned.matrix import Columns, Families, Matrix
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from tests import forked
from tests.caches import cache
from tests.test_plugins import lexsub, told

PLUGIN = '''
from dataclasses import dataclass

import numpy as np

from lexsub.parts.base import FEATURES, Feature, FeatureFamily
from lexsub.parts.checked import ByTarget


@FEATURES.register("vowels")
@dataclass(frozen=True)
class Vowels(FeatureFamily):
    """Vowels of a candidate."""

    label: str = "an option of this name does not hide the family's label"

    def features(self):
        return [Feature("number", "vowels")]

    def inputs(self, resources):
        return ()

    def open(self, resources):
        return ByTarget(vowels)


def vowels(lemma, pos, substitutes):
    return np.array([[sum(one.count(v) for v in "aeiou")] for one in substitutes], np.float32)
'''
CONFIG = """
name = "mine"
data = "tutorial/test"
plugins = ["vowels.py"]
[models.learned]
kind = "learned"
data = ["tutorial/test"]
folds = 2
learner = { name = "lambdarank", trees = 3, leaf = 2 }
features = ["form", "vowels"]
[[systems]]
name = "learned"
candidates = { name = "wordnet", frequency = "none" }
ranker = "learned"
"""


def test_workers_find_a_plugin_s_family(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    (tmp_path / "vowels.py").write_text(PLUGIN)
    (tmp_path / "mine.toml").write_text(CONFIG)
    rankings = []
    for workers in "21":
        run = ("run", "mine.toml", "--no-page", "--quiet", "--workers", workers, "--out", workers)
        call = lexsub if workers == "2" else told
        result = call(*run, cwd=tmp_path, LEXSUB_CACHE=str(cache(tmp_path, f"cache{workers}")))
        assert result.returncode == 0, result.stderr
        rankings.append((tmp_path / workers / "rankings/learned.jsonl").read_bytes())
    assert rankings[0] == rankings[1]


def test_of_two_runs_at_once_one_computes_the_features(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    # Whoever computes says so, and goes on when it is told to.
    slow = PLUGIN.replace(
        "def vowels(lemma, pos, substitutes):\n",
        "def vowels(lemma, pos, substitutes):\n"
        "    import os, pathlib, time\n"
        "    with open('computed', 'a') as file:\n"
        "        file.write(f'{os.getpid()}\\n')\n"
        "    until = time.time() + 60\n"
        "    while not pathlib.Path('go').exists() and time.time() < until:\n"
        "        time.sleep(0.01)\n",
    )
    (tmp_path / "vowels.py").write_text(slow)
    (tmp_path / "mine.toml").write_text(CONFIG)
    environment = {**os.environ, "LEXSUB_CACHE": str(cache(tmp_path, "cache"))}

    def start(out: str) -> forked.Started:
        call = ("run", "mine.toml", "--no-page", "--out", out)
        return forked.started("lexsub.cli", *call, cwd=tmp_path, environment=environment)

    first, computed = start("a"), tmp_path / "computed"
    while not computed.exists():
        assert not first.ended()
        time.sleep(0.01)
    second = start("b")
    while "another process is computing features at" not in second.told():
        assert not second.ended()
        time.sleep(0.01)
    (tmp_path / "go").touch()
    done = [run.wait() for run in (first, second)]
    assert [run.returncode for run in done] == [0, 0], [run.stderr for run in done]
    assert len(set(computed.read_text().split())) == 1
    assert not list(tmp_path.rglob(".*.lock"))


@dataclass(frozen=True)
class Given(FeatureFamily):
    """A family with given values, whatever the candidates."""

    values: Any

    def features(self) -> Sequence[Feature]:
        return [Feature("a", "one"), Feature("b", "two")]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        return ()

    def open(self, resources: Resources) -> ByTarget:
        return ByTarget(lambda *_: self.values)


ITEM = Item("7", Lexelt("a", "n", "n"), "a", 0, 1)
POOL = (Candidate("x"), Candidate("y"), Candidate("z"))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.zeros((3, 1)), "the shape (3, 1)"),
        (np.zeros((2, 2)), "the shape (2, 2)"),
        (np.zeros((1, 2)), "the shape (1, 2)"),
        (np.zeros(6), "the shape (6,)"),
        (None, "the shape ()"),
        ([["a", "b"]] * 3, "no numbers"),
        ([[1, 2], [3], [4, 5]], "no numbers"),
        (np.full((3, 2), np.inf), "not finite"),
        (np.full((3, 2), 1e300), "not finite"),
    ],
)
def test_a_slip_in_a_family_is_one_line(values: Any, expected: str) -> None:
    family = cast(FeatureFamily, Given(values))
    data = Dataset("some", (ITEM,), Gold("some", {}))
    opened = Matrix(Columns.of({"given": family}), Families(Resources(), data.name))
    for ask in (
        lambda: describe([family], Resources(), data, {"7": POOL}),
        lambda: opened.of(ITEM, POOL),
    ):
        with pytest.raises(LexsubError) as caught:
            ask()
        message = str(caught.value)
        assert message.startswith("feature family Given: its values of item 7 have ")
        assert expected in message
        assert "shape (3, 2)" in message
        assert "\n" not in message


def test_any_numbers_become_float32() -> None:
    family = cast(FeatureFamily, Given([[1, 2.5], [3, np.nan], [5, 6]]))
    data = Dataset("some", (ITEM,), Gold("some", {}))
    (found,) = describe([family], Resources(), data, {"7": POOL})
    assert found.values[0].dtype == np.float32
    assert found.values[0][:, 0].tolist() == [1, 3, 5]
