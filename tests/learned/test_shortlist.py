"""The shortlist of a union: what is kept, and in which order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lexsub.candidates.combined import FAR, Shortlist
from lexsub.datasets import Item, Lexelt
from lexsub.errors import ConfigError
from lexsub.parts.base import SOURCES
from lexsub.parts.build import build_part
from lexsub.resources import Resources
from lexsub.vectors.files import convert

ITEM = Item("1", Lexelt("cup", "n", "n"), "a cup here", 2, 5)
VECTORS = {"cup": (1, 0), "mug": (0.8, 0.6), "bowl": (0.6, 0.8), "stone": (-1, 0)}


@pytest.fixture
def resources(tmp_path: Path) -> Resources:
    text = [f"{len(VECTORS)} 2", *(f"{word} {x} {y}" for word, (x, y) in VECTORS.items())]
    (tmp_path / "vectors.txt").write_text("\n".join(text) + "\n")
    (tmp_path / "vectors").mkdir()
    convert(tmp_path / "vectors.txt", tmp_path / "vectors", "auto", 0)
    (tmp_path / "one.txt").write_text("cup,stone,bowl,mug,unknown\n")
    (tmp_path / "two.txt").write_text("cup,unknown,stone\n")
    names = ("one.txt", "two.txt", "vectors")
    return Resources(paths={name.split(".")[0]: tmp_path / name for name in names})


def part(**options: object) -> Shortlist:
    sources = [
        {"name": "thesaurus-file", "label": name, "file": name, "format": "moby"}
        for name in ("one", "two")
    ]
    source = {"name": "union", "order": "sources", "sources": sources}
    table = {"name": "shortlist", "source": source, "frequency": "none", "vote": 0.0, **options}
    made = build_part(SOURCES, table, "candidates")
    assert isinstance(made, Shortlist)
    return made


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["mug", "bowl", "unknown", "stone"]),
        ({"keep": 2}, ["mug", "bowl"]),
        # stone and unknown stand in the second list, too: -1 + 3 and -.05 + 3.
        ({"without": {"name": "thesaurus-file", "file": "two", "format": "moby"}}, ["mug", "bowl"]),
        ({"votes": {"two": 3.0}}, ["unknown", "stone", "mug", "bowl"]),
    ],
)
def test_the_most_promising_first(
    options: dict[str, object], expected: list[str], resources: Resources
) -> None:
    found = part(**options).open(resources).candidates(ITEM)
    assert [candidate.substitute for candidate in found] == expected
    assert {o.source for c in found for o in c.origins if c.substitute == "stone"} <= {"one", "two"}


def test_the_cosine_is_numpys(resources: Resources) -> None:
    opened = part().open(resources)
    found = opened.source.candidates(ITEM)
    promise = opened._promise(ITEM, found)
    for candidate, value in zip(found, promise.tolist(), strict=True):
        vector = VECTORS.get(candidate.substitute)
        expected = FAR if vector is None else float(np.dot(vector, VECTORS["cup"]))
        assert value == pytest.approx(expected, abs=1e-6)


def test_nonsense_is_told() -> None:
    with pytest.raises(ConfigError, match="keep: found 0; expected at least 1"):
        part(keep=0)
    with pytest.raises(ConfigError, match="unknown candidate source 'nonsense'"):
        part(source="nonsense")
