"""The candidate source ``lemmas``, over lists of forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.errors import ConfigError
from lexsub.formats.jsonl import write_rankings
from lexsub.parts.base import SOURCES
from lexsub.parts.build import build_part
from lexsub.rankings import Ranked, Ranking
from lexsub.resources import Resources

FORMS = ("Went", "walked", "strolls", "walk", "towards", "going", "zigzagging", "blue", "mice")


def proposed(tmp_path: Path, lexelt: str, **options: int) -> list[str]:
    ranked = tuple(Ranked(form, -float(n)) for n, form in enumerate(FORMS))
    write_rankings(tmp_path / "forms.jsonl", [Ranking("1", lexelt, ranked)])
    table = {"name": "lemmas", "source": {"name": "given", "file": str(tmp_path / "forms.jsonl")}}
    source = build_part(SOURCES, table | options, "x")
    item = Item("1", Lexelt.parse(lexelt), "They went out", 5, 9)
    found = source.open(Resources()).candidates(item)
    assert all(candidate.origins for candidate in found)
    return [candidate.substitute for candidate in found]


@pytest.mark.parametrize(
    ("lexelt", "lemmas"),
    [
        # The target's own forms go, and what WordNet does not have as a verb.
        ("go.v", ["walk", "stroll", "zigzag", "blue"]),
        ("walk.v", ["go", "stroll", "zigzag", "blue"]),
        ("rat.n", ["stroll", "walk", "going", "blue", "mouse"]),
    ],
)
def test_lemmas_of_the_targets_part_of_speech(
    tmp_path: Path, lexelt: str, lemmas: list[str]
) -> None:
    found = proposed(tmp_path, lexelt)
    assert found == lemmas
    assert proposed(tmp_path, lexelt, k=2) == lemmas[:2]


def test_wrong_options() -> None:
    with pytest.raises(ConfigError, match="k: found -1; expected at least 0"):
        build_part(SOURCES, {"name": "lemmas", "source": "wordnet", "k": -1}, "x")
    with pytest.raises(ConfigError, match="did you mean wordnet"):
        build_part(SOURCES, {"name": "lemmas", "source": "wordnte"}, "x")
