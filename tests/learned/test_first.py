"""The family ``first`` and the ranker ``feature``: features of some candidates, or one alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import ConfigError
from lexsub.parts.base import FEATURES, RANKERS, Extractor
from lexsub.parts.build import build_part
from lexsub.parts.checked import ByTarget
from lexsub.rankers.learned.features.rankings import FirstExtractor
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DATA = Dataset("own", (), Gold("own", {}))
ITEM = Item("1", Lexelt.parse("bright.a"), "a bright lamp", 2, 8)
CANDIDATES = [Candidate(one) for one in ("well lit", "vivid", "brilliant", "bright-eyed", "pale")]
FORM = {"name": "form"}


@pytest.mark.parametrize("cheaper", ["order", "random"])
@pytest.mark.parametrize("first", [1, 3, 9])
def test_only_the_first_have_values(cheaper: str, first: int) -> None:
    family = build_part(
        FEATURES, {"name": "first", "family": FORM, "first": first, "ranker": cheaper}, "x"
    )
    found = family.open(Resources()).values(ITEM, CANDIDATES)
    scores = RANKERS[cheaper]().open(Resources(), DATA).scores(ITEM, CANDIDATES)
    asked = sorted(range(5), key=lambda place: -scores[place])[:first]
    alone = build_part(FEATURES, FORM, "x")
    assert family.features() == alone.features()
    for place, candidate in enumerate(CANDIDATES):
        # What the family form says of one candidate does not depend on the others.
        wanted = alone.open(Resources()).values(ITEM, [candidate])[0]
        expected = wanted if place in asked else np.full(len(wanted), np.nan)
        np.testing.assert_array_equal(found[place], expected)
    assert family.open(Resources()).values(ITEM, []).shape == (0, found.shape[1])


@dataclass
class Teller(Extractor):
    """An extractor that gets ready and says something."""

    ready: list[str] = field(default_factory=list)

    def prepare(self, items: Sequence[Item]) -> None:
        self.ready += [item.id for item in items]

    def values(self, item: Item, candidates: Sequence[Candidate]) -> np.ndarray:
        return np.array([[len(one.substitute)] for one in candidates], np.float32)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[list[str]]:
        return [[f"as {one.substitute}"] for one in candidates]


def test_it_gets_ready_and_gives_reasons_as_the_family_does() -> None:
    order = RANKERS["order"]().open(Resources(), DATA)
    teller = Teller()
    first = FirstExtractor(teller, order, 2, 1)
    first.prepare([ITEM])
    assert teller.ready == ["1"]
    assert first.reasons(ITEM, CANDIDATES) == [["as well lit"], ["as vivid"], (), (), ()]
    assert first.reasons(ITEM, []) == []
    silent = FirstExtractor(ByTarget(lambda *asked: np.zeros((len(asked[2]), 1))), order, 2, 1)
    silent.prepare([ITEM])
    assert silent.reasons(ITEM, CANDIDATES) == [()] * 5


def test_files_of_both(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("bright,vivid\n")
    family = build_part(
        FEATURES, {"name": "first", "family": {"name": "votes", "file": str(words),
                                               "format": "moby"}, "ranker": "order"}, "x"
    )  # fmt: skip
    assert list(family.inputs(Resources())) == [words]


def test_wrong_options() -> None:
    for table, told in (
        ({"family": FORM, "first": 0}, "expected at least 1"),
        ({"family": FORM, "ranker": "oracle"}, "looks at the gold"),
        ({"family": "forms"}, "did you mean form"),
    ):
        with pytest.raises(ConfigError, match=told):
            build_part(FEATURES, {"name": "first", **table}, "x")
    with pytest.raises(ConfigError, match="feature 'lenght' is none of"):
        build_part(RANKERS, {"name": "feature", "family": FORM, "feature": "lenght"}, "x")


def test_a_feature_as_ranker() -> None:
    alone = build_part(FEATURES, FORM, "x")
    values = alone.open(Resources()).values(ITEM, CANDIDATES)
    for column, feature in enumerate(alone.features()):
        ranker = build_part(
            RANKERS, {"name": "feature", "family": FORM, "feature": feature.name}, "x"
        )
        scorer = ranker.open(Resources(), DATA)
        assert scorer.scores(ITEM, CANDIDATES) == pytest.approx(values[:, column])
        assert scorer.parts(ITEM, CANDIDATES)[feature.name] == pytest.approx(values[:, column])
        assert scorer.scores(ITEM, []) == []


def test_what_has_no_value_stands_behind() -> None:
    few = {"name": "first", "family": FORM, "first": 2, "ranker": "order"}
    name = build_part(FEATURES, FORM, "x").features()[0].name
    ranker = build_part(RANKERS, {"name": "feature", "family": few, "feature": name}, "x")
    scores = ranker.open(Resources(), DATA).scores(ITEM, CANDIDATES)
    assert min(scores[:2]) > scores[2] > scores[3] > scores[4]
