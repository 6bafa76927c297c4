"""Register-adapted ranking: the sentence decides whose model counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Item, Lexelt
from lexsub.errors import ConfigError, FormatError, LexsubError
from lexsub.parts.base import BUILDERS, RANKERS
from lexsub.parts.build import build_part
from lexsub.rankers.registers import RegisterBuilder, RegisterRanker, open_registers
from lexsub.rankings import Candidate
from lexsub.resources import Resources

HOME = "mum baked a cake in the garden\nmum made a sweet dish in the garden\n"
WORK = "the valve of the pump made a loud noise\nthe pump made a sharp report of the valve\n"


@pytest.fixture
def resources(tmp_path: Path) -> Resources:
    """Two registers, an n-gram model of each, and the model that tells them apart."""
    models = {}
    for name, text in (("home", HOME), ("work", WORK)):
        (tmp_path / f"{name}.txt").write_text(text * 20)
    given = Resources(cache=tmp_path / "cache", paths={"h": tmp_path / "home.txt"})
    tables = {
        "home": {"name": "lm", "corpus": ["h"], "order": 2, "smoothing": "additive"},
        "work": {"name": "lm", "corpus": [str(tmp_path / "work.txt")], "order": 2,
                 "smoothing": "additive"},
        "registers": {"name": "registers", "frequent": 4, "excluded": 4,
                      "texts": {"home": ["h"], "work": [str(tmp_path / "work.txt")]}},
    }  # fmt: skip
    for name, table in tables.items():
        folder = tmp_path / "models" / name
        folder.mkdir(parents=True)
        builder = build_part(BUILDERS, table, "models")
        assert builder.inputs(given)
        builder.build(given, folder)
        models[name] = folder
    return replace(given, models=models)


def ranker(**more: object) -> RegisterRanker:
    lm = {"name": "lm", "inflected": False}
    table = {"home": {**lm, "model": "home"}, "work": {**lm, "model": "work"}}
    part: RegisterRanker = build_part(
        RANKERS, {"name": "registers", "rankers": table, **more}, "ranker"
    )
    return part


def item(text: str) -> Item:
    start = text.index("thing")
    return Item("1", Lexelt("thing", "n", "n"), text, start, start + 5)


CANDIDATES = [Candidate("cake"), Candidate("noise")]


def test_the_sentence_decides(resources: Resources) -> None:
    scorer = ranker().open(resources, load("tutorial/test", []))
    home, work = item("mum of the garden saw a thing"), item("a valve of the pump saw a thing")
    cake, noise = scorer.scores(home, CANDIDATES)
    assert cake > noise
    parts = scorer.parts(work, CANDIDATES)
    assert parts["P(work)"][0] > 0.9
    assert scorer.parts(home, CANDIDATES)["P(home)"][0] > 0.9


def test_it_is_the_mixture(resources: Resources) -> None:
    for weights in ("posterior", "equal"):
        scorer = ranker(weights=weights).open(resources, load("tutorial/test", []))
        for text in ("mum saw a thing", "a thing", "the pump and the garden of a thing"):
            parts = scorer.parts(item(text), CANDIDATES)
            expected = np.log10(sum(
                np.array(parts[f"P({name})"]) * 10.0 ** np.array(parts[name])
                for name in ("home", "work")
            ))  # fmt: skip
            assert scorer.scores(item(text), CANDIDATES) == pytest.approx(expected.tolist())
            if weights == "equal" or text == "a thing":
                assert parts["P(home)"] == [0.5, 0.5]
    assert scorer.scores(item("a thing"), []) == []


def test_words_are_kept_with_the_model(resources: Resources) -> None:
    model = open_registers(resources.models["registers"])
    assert model.registers == ("home", "work")
    assert {w for w, k in model.places.items() if k == 0} == {"mum", "in", "garden"}
    assert model.posterior("Mum!")[0] > 0.5 > model.posterior("Of the")[0]
    (resources.models["registers"] / "registers.json").write_text('{"words": {}, "shares": [[1]]}')
    with pytest.raises(FormatError, match=r"registers\.json: is damaged"):
        open_registers(resources.models["registers"])
    (resources.models["registers"] / "digests.json").unlink()
    with pytest.raises(FormatError, match="no register model"):
        open_registers(resources.models["registers"])


def test_faults_are_named(resources: Resources) -> None:
    with pytest.raises(ConfigError, match=r"rankers\.home\.name: unknown ranker 'ml'"):
        ranker(rankers={"home": "ml"})
    with pytest.raises(ConfigError, match="expected at least 2 entries"):
        build_part(BUILDERS, {"name": "registers", "texts": {"a": ["b"]}}, "m")
    with pytest.raises(LexsubError, match="model 'registers' knows home, work"):
        ranker(rankers={"home": "random"}).open(resources, load("tutorial/test", []))
    same = RegisterBuilder({"a": ("h",), "b": ("h",)})
    with pytest.raises(LexsubError, match="no word distinguishes register 'a'"):
        same.build(resources, resources.models["registers"])
