"""Features that compare many candidates at once, against one pair at a time."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.features.rows import Comparison, Rows
from lexsub.candidates.features.votes import Votes
from lexsub.candidates.thesaurus_index import open_index
from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.experiments.pipeline.makers.features import describe
from lexsub.parts.base import Extractor, Feature
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from tests.distributional import dense
from tests.distributional.test_measures import matrices, sparse


@pytest.mark.parametrize("measure", tuple(dense.MEASURES))
@settings(max_examples=30)
@example(counts=np.array([[2, 1, 0], [2, 1, 0], [4, 2, 0], [0, 0, 1]]))
@given(counts=matrices)
def test_measures_are_the_formulas(measure: str, counts: NDArray[np.int64]) -> None:
    relations = (np.arange(counts.shape[1]) % 2).astype(np.int16)
    expected = dense.neighbours(counts, relations, measure)
    space = SimpleNamespace(counts=sparse(counts, relations), words=range(len(counts)))
    rows = Rows(cast(Any, space))
    for target, values in enumerate(expected):
        others = np.array([word for word in range(len(counts)) if word != target], np.int64)
        beside = Comparison.of(rows, target, others)
        found = beside.values(parse_measure(measure).formula())
        wanted = [values.get(word, math.nan) for word in others.tolist()]
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
        seen = counts[others] > 0
        assert beside.tokens(beside.mine).tolist() == (seen @ counts[target]).tolist()
        included = counts[others] @ (counts[target] > 0)
        assert beside.tokens(beside.theirs).tolist() == included.tolist()


words = st.lists(st.text("abC", min_size=1, max_size=2), min_size=2, max_size=5)


@given(lines=st.lists(words, min_size=1, max_size=6), target=st.sampled_from(["a", "C", "bC", "z"]))
def test_votes_are_those_of_sets(
    lines: list[list[str]], target: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("votes") / "moby.txt"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    listed: dict[str, set[str]] = {}
    for first, *rest in lines:
        listed.setdefault(first.lower(), set()).update(text.lower() for text in rest)

    def above(word: str) -> set[str]:
        return {entry for entry, texts in listed.items() if word in texts}

    texts = (*sorted({text for line in lines for text in line}), "Zz")
    found = Votes(open_index(path, "moby", path.parent))(target, "n", texts)
    mine = listed.get(target.lower(), set())
    for text, row in zip(texts, found, strict=True):
        word = text.lower()
        theirs, over = listed.get(word, set()), above(word)
        both = len(above(target.lower()) & over)
        wanted = [
            word in mine, target.lower() in theirs, math.log1p(both),
            both / math.sqrt(max(len(above(target.lower())) * len(over), 1)),
            len(mine & theirs) / max(len(mine | theirs), 1),
            math.log1p(len(over)), math.log1p(len(theirs)),
        ]  # fmt: skip
        np.testing.assert_allclose(row, wanted, rtol=1e-6)


def test_no_candidates_have_no_votes(tmp_path: Path) -> None:
    (tmp_path / "moby.txt").write_text("a,b\n")
    assert Votes(open_index(tmp_path / "moby.txt", "moby", tmp_path))("a", "n", ()).shape == (0, 7)


@dataclass
class Counting(Extractor):
    """An extractor that says how many items it was told of together."""

    told: dict[Item, int] = field(default_factory=dict)

    def prepare(self, items: Sequence[Item]) -> None:
        self.told = dict.fromkeys(items, len(items))

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        return np.full((len(candidates), 1), self.told[item], np.float32)


def test_a_family_is_told_of_the_items_of_a_target_together() -> None:
    sentences = [("a", 2), ("b", 1), ("c", 3)]
    items = [
        Item(f"{lemma}{number}", Lexelt(lemma, "n", "n"), lemma, 0, 1)
        for lemma, times in sentences
        for number in range(times)
    ]
    family = SimpleNamespace(
        open=lambda resources: Counting(), features=lambda: [Feature("told", "items")]
    )
    data = Dataset("some", tuple(items), Gold("some", {}))
    pools = {item.id: (Candidate("x"),) for item in items}
    (found,) = describe([cast(Any, family)], Resources(), data, pools)
    assert [block[0, 0] for block in found.values] == [2, 2, 1, 3, 3, 3]


def test_inflecting_does_not_load_spacy() -> None:
    pytest.importorskip("spacy")
    code = (
        "import sys; from lexsub.languages.english.inflection import inflect; "
        "assert inflect('walk', 'v', 'VBD') == 'walked'; "
        "assert 'spacy' not in sys.modules; import spacy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@given(counts=matrices, data=st.data())
def test_counts_by_context(counts: NDArray[np.int64], data: st.DataObject) -> None:
    words, contexts = counts.shape
    names = {str(number): number for number in range(words)}
    table = SimpleNamespace(find_all=lambda texts: [names.get(text, -1) for text in texts])
    rows = Rows(cast(Any, SimpleNamespace(counts=sparse(counts), words=table)))
    asked = data.draw(st.lists(st.sampled_from([*names, "unknown"]), min_size=1, max_size=5))
    wanted = data.draw(st.lists(st.integers(0, contexts - 1), min_size=1, unique=True))
    entries, totals = rows.entries(rows.find(asked))
    full = np.vstack([counts, np.zeros((1, contexts), np.int64)])
    chosen = full[[names.get(word, words) for word in asked]]
    assert rows.seen(entries, len(asked), wanted).tolist() == chosen[:, wanted].tolist()
    assert totals.tolist() == chosen.sum(axis=1).tolist()
