"""The family ``vectors`` against cosines of scipy, for a file of forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.rankers.learned.features.vectors import VectorFeatures
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.vectors.files import convert

distance = pytest.importorskip("scipy.spatial.distance")

# Frequent words first, as in the files of GloVe.
WORDS = ["the", "of", "go", "went", "walk", "walked", "stroll", "strolled", "out", "down",
         "street", "old", "town", "ship"]  # fmt: skip
TEXT = "Of the old town, she went down the cold street of the ship."
START = TEXT.index("went")
ITEM = Item("1", Lexelt("go", "v", "v"), TEXT, START, START + 4)
CANDIDATES = [Candidate(text) for text in ("walk", "stroll", "go out", "zigzag", "walk zigzag")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.save(tmp_path / "some.npy", np.random.default_rng(2).normal(size=(len(WORDS), 4)))
    (tmp_path / "some.txt").write_text("\n".join(WORDS) + "\n")
    out = tmp_path / "vectors"
    out.mkdir()
    convert(tmp_path / "some.npy", out)
    return out


def features(folder: Path, **options: object) -> dict[str, list[float]]:
    family = VectorFeatures(str(folder), **options)  # type: ignore[arg-type]
    values = family.open(Resources()).values(ITEM, CANDIDATES)
    names = [feature.name for feature in family.features()]
    return dict(zip(names, values.T.tolist(), strict=True))


def vector(folder: Path, *words: str) -> np.ndarray:
    rows = np.load(folder.parent / "some.npy")[[WORDS.index(word) for word in words]]
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).sum(axis=0)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(1 - distance.cosine(one, other))


@pytest.mark.parametrize(
    ("window", "reach", "stop", "near", "everything"),
    [
        # Unknown "she" and "cold" count as tokens, but have no say.
        (2, 0, 0, ["town", "down", "the"], ["town", "down", "the", "of", "the", "old", "street",
                                            "of", "the", "ship"]),
        (2, 3, 0, ["town", "down", "the"], ["town", "down", "the", "old"]),
        (2, 3, 2, ["town", "down"], ["town", "down", "old", "street"]),
        (1, 1, 2, ["down"], ["down"]),
        (0, 1, 2, [], ["down"]),
    ],
)  # fmt: skip
def test_the_context(
    folder: Path, window: int, reach: int, stop: int, near: list[str], everything: list[str]
) -> None:
    found = features(folder, window=window, reach=reach, stop=stop)
    target = vector(folder, "go")
    for place, words in enumerate([("walk",), ("stroll",), ("go", "out")]):
        own = vector(folder, *words)

        def mean(vector_: np.ndarray, others: list[str]) -> float:
            cosines = [cosine(vector_, vector(folder, other)) for other in others]
            return float(np.mean(cosines)) if cosines else float("nan")

        wanted = {
            "target": cosine(own, target),
            "near": mean(own, near),
            "near-gain": mean(own, near) - mean(target, near),
            "sentence": mean(own, everything),
            "sentence-gain": mean(own, everything) - mean(target, everything),
            "closest": max((cosine(own, vector(folder, w)) for w in near), default=float("nan")),
            "add": float(np.mean([cosine(own, target), *(cosine(own, vector(folder, w))
                                                         for w in near)])),
        }  # fmt: skip
        for name, value in wanted.items():
            assert found[name][place] == pytest.approx(value, abs=3e-6, nan_ok=True), name


def test_forms_and_words_without_a_vector(folder: Path) -> None:
    pytest.importorskip("lemminflect")
    found = features(folder, inflected=True)
    went = vector(folder, "went")
    forms = [("walked",), ("strolled",), ("went", "out")]
    for place, words in enumerate(forms):
        assert found["form"][place] == pytest.approx(cosine(vector(folder, *words), went), abs=3e-6)
    assert found["known"] == [1, 1, 1, 0, 1]
    assert np.isnan([values[3] for name, values in found.items() if name != "known"]).all()
    # Of a multiword, the words that are known speak for it.
    assert found["target"][4] == found["target"][0]
    assert "form" not in features(folder)


def test_numbers_below_0_are_refused() -> None:
    with pytest.raises(ValueError, match="reach is -1; expected at least 0"):
        VectorFeatures(reach=-1)
