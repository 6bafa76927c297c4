"""CBOW vectors: the loop against the gradient of its loss, and what a small text teaches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.rankers.cbow.model import FILE, Cbow, CompactCbowBuilder, open_cbow
from lexsub.rankers.cbow.training import LINE, CbowBuilder, learning
from lexsub.rankers.learned.features.words_around import CbowFeatures
from lexsub.rankings import Candidate
from lexsub.resources import Resources

NAMES = ("outputs", "contexts", "places")
# Word 1 stands between 0 and 2; 3 is always the wrong one.
ROUND, WRONG = {0: [1, 2], 1: [0, 2], 2: [0, 1]}, 3


def loss(outputs: Any, contexts: Any, places: Any) -> float:
    """Binary cross-entropy of the right and the wrong word of each place, in 64 bits."""
    total = 0.0
    for at, around in ROUND.items():
        middle = np.mean([contexts[other] * places[other - at + 2] for other in around], axis=0)
        total -= np.log(1 / (1 + np.exp(-outputs[at] @ middle)))
        total -= np.log(1 - 1 / (1 + np.exp(-outputs[WRONG] @ middle)))
    return float(total)


def test_a_step_goes_down_the_gradient() -> None:
    pytest.importorskip("numba")
    random = np.random.default_rng(1)
    start = [random.normal(size=shape) for shape in ((4, 3), (4, 3), (5, 3))]
    moved = [array.astype(np.float32) for array in start]
    rate = 1e-4  # so small that one word's step does not show in the next one's
    learning()(
        np.array([LINE, 0, 1, -1, 2], np.int32), np.full(4, 65536.0), np.array([WRONG], np.int32),
        *moved, 1, rate, 0, 10**9, np.array([1], np.uint64),
    )  # fmt: skip
    for which, (before, after) in enumerate(zip(start, moved, strict=True)):
        slope = np.zeros_like(before)
        for place in np.ndindex(before.shape):
            changed = [array.copy() for array in start]
            changed[which][place] += 1e-6
            slope[place] = (loss(*changed) - loss(*start)) / 1e-6
        # As in word2vec, a context word takes the whole error, not its share (here a half).
        slope *= 2 if NAMES[which] == "contexts" else 1
        assert (after - before) / rate == pytest.approx(-slope, abs=0.02), NAMES[which]


LEARNED = """
import hashlib, numpy as np
from lexsub.rankers.cbow.training import learning
random = np.random.default_rng(0)
text = random.integers(0, 50, 3000).astype(np.int32)
text[::25] = -2
arrays = [random.normal(size=(rows, 100)).astype(np.float32) for rows in (50, 50, 9)]
drawn = random.integers(0, 50, 500).astype(np.int32)
learning()(text, np.full(50, 65536.0), drawn, *arrays, 5, 0.05, 0, 3000, np.array([7], np.uint64))
print(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest())
"""


def test_processors_of_another_kind_learn_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    plain = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    command = [sys.executable, "-c", LEARNED]
    found = {
        subprocess.run(command, env=os.environ | other, capture_output=True, check=True).stdout
        for other in ({}, plain)
    }
    assert len(found) == 1


TEXT = [
    f"the {drink} in the old {vessel} was {taste} and we drank it at {meal}"
    for drink in ("wine", "beer", "ale", "milk")
    for vessel in ("cup", "mug", "glass")
    for taste in ("cold", "warm", "sour")
    for meal in ("noon", "night", "lunch")
] + [
    f"my {man} rode a {horse} over the {hill} to see his {man}"
    for man in ("brother", "father", "uncle", "cousin")
    for horse in ("horse", "pony", "mule")
    for hill in ("hill", "ridge", "pass")
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Cbow:
    pytest.importorskip("numba")
    return trained(tmp_path_factory.mktemp("cbow"))


def trained(folder: Path, **options: Any) -> Cbow:
    (folder / "text.txt").write_text("\n".join(TEXT) + "\n")
    out = folder / "model"
    out.mkdir()
    settings = {"dimensions": 16, "epochs": 25, "sample": 1.0, "window": 4, "negatives": 5}
    CbowBuilder((str(folder / "text.txt"),), **settings | options).build(Resources(), out)
    return open_cbow(out)


def test_words_of_one_slot_are_expected_there(model: Cbow) -> None:
    slot = model.expected("the", "in the old cup was cold")
    assert slot is not None
    words = ["wine", "beer", "mug", "lunch", "brother", "horse"]
    fits = model.mean(model.outputs, model.all_rows(words)) @ slot
    assert set(np.argsort(-fits)[:2].tolist()) == {0, 1}
    assert model.expected("zzz", "") is None


def test_features(model: Cbow, tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    text = "the wine in the old cup was cold"
    item = Item("1", Lexelt("wine", "n", "n"), text, 4, 8)
    candidates = [Candidate(one) for one in ("wine", "beer", "uncle", "old ale", "zigzag")]
    family = CbowFeatures(str(folder_of(model)))
    values = family.open(Resources()).values(item, candidates)
    found = dict(zip([one.name for one in family.features()], values.T, strict=True))
    slot = model.expected(text[:4], text[8:])
    own = model.outputs[[row for (row,) in map(model.rows, ("wine", "beer", "uncle"))]]
    assert found["fit"][:3] == pytest.approx(own @ slot, abs=1e-5)
    assert found["gain"][0] == pytest.approx(0, abs=1e-5)
    lengths = np.linalg.norm(own, axis=1)
    assert found["cosine"][:3] == pytest.approx(
        own @ slot / lengths / np.linalg.norm(slot), abs=1e-5
    )
    assert found["target"][:3] == pytest.approx(own @ own[0] / lengths / lengths[0], abs=1e-5)
    old_ale = model.outputs[[row for (row,) in map(model.rows, ("old", "ale"))]].mean(axis=0)
    assert found["fit"][3] == pytest.approx(old_ale @ slot, abs=1e-5)
    assert np.isnan(values[4]).all()
    assert found["target"][1] > found["target"][2]
    assert found["both"] == pytest.approx((found["lemma"] + found["cosine"]) / 2, nan_ok=True)


def folder_of(model: Cbow) -> Path:
    return Path(model.outputs.base.filename).parent  # type: ignore[union-attr]


def test_the_bytes_repeat(model: Cbow, tmp_path: Path) -> None:
    again = trained(tmp_path)
    for name in NAMES:
        assert getattr(again, name).tobytes() == getattr(model, name).tobytes()
    assert list(again.words) == list(model.words)
    assert model.words[0] in ("the", "my")


def test_refusals(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    with pytest.raises(LexsubError, match="no word of the corpus occurs 9999 times"):
        trained(tmp_path, minimum=9999)
    with pytest.raises(LexsubError, match="no CBOW model here"):
        open_cbow(tmp_path / "model")
    with pytest.raises(ValueError, match="window is 0; expected at least 1"):
        CbowBuilder(("x",), window=0)
    made = trained(tmp_path_of(tmp_path, "other"))
    folder = folder_of(made)
    np.save(folder / "places.npy", np.ones((2, 2), np.float32))
    with pytest.raises(LexsubError, match="train"):
        open_cbow(folder)
    assert (folder / FILE).is_file()


def tmp_path_of(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def test_a_compact_model_answers_as_the_whole_one(model: Cbow, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    builder = CompactCbowBuilder(str(folder_of(model)), words=20)
    builder.build(Resources(), tmp_path / "small")
    small = open_cbow(tmp_path / "small")
    assert list(small.words) == list(model.words)[:20]
    rows = np.arange(20)
    for mine, theirs in ((small.outputs, model.outputs), (small.contexts, model.contexts)):
        # Half a step of the greatest number of each row.
        allowed = np.abs(theirs[rows]).max(axis=1, keepdims=True) / 127 / 2 + 1e-6
        assert (np.abs(mine[rows] - theirs[rows]) <= allowed).all()
    slots = [one.expected("the", "in the old cup was cold") for one in (small, model)]
    assert slots[0] is not None
    assert slots[1] is not None
    lengths = [np.linalg.norm(slot) for slot in slots]
    assert slots[0] @ slots[1] / np.prod(lengths) > 0.999
    with pytest.raises(ValueError, match="words is -1"):
        CompactCbowBuilder(words=-1)
