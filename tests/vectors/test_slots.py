"""Vectors of words and slots: their products against the matrix itself, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lexsub.candidates.features.selection import SlotExtractor, SlotFeatures
from lexsub.candidates.vectors.slots import Slots, SlotsBuilder, open_slots
from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from tests.vectors.test_vectors import ROWS, information, thesaurus

__all__ = ["thesaurus"]

pytest.importorskip("sklearn")

CONTEXTS = sorted({f"of-{pos}\t{other}" for pos, _, contexts in ROWS for other in contexts})


def built(thesaurus: Path, **options: int) -> Slots:
    out = thesaurus.parent / "slots"
    out.mkdir()
    settings = {"word_tokens": 1, "context_words": 1, "iterations": 20, "dimensions": 50, **options}
    SlotsBuilder(str(thesaurus), **settings).build(Resources(), out)  # type: ignore[arg-type]
    return open_slots(out)


def weights() -> np.ndarray:
    counts = [[contexts.get(name.partition("\t")[2], 0) * name.startswith(f"of-{pos}\t")
               for name in CONTEXTS] for pos, _, contexts in ROWS]  # fmt: skip
    return information(np.array(counts, float), 0.75, 0.0)


def test_products_are_the_weights_where_no_dimension_is_left_out(thesaurus: Path) -> None:
    model = built(thesaurus)
    for (pos, word, _), row in zip(ROWS, weights(), strict=True):
        own = model.words_of([word], pos)
        slots = model.slots_of([tuple(name.split("\t")) for name in CONTEXTS])  # type: ignore[misc]
        assert (own @ slots.T)[0] == pytest.approx(row, abs=1e-4)
    assert model.slots.shape[1] <= len(ROWS)
    # Both sides share the singular values alike.
    lengths = [np.sort((side**2).sum(axis=0)) for side in (model.words, model.slots)]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-3)


def test_rare_words_and_slots_are_left_out(thesaurus: Path) -> None:
    model = built(thesaurus, word_tokens=11)
    assert sorted(model.word_names) == ["brick.n", "drink.v", "wine.n"]
    assert np.isnan(model.words_of(["beer", "wine"], "n")[:, 0]).tolist() == [True, False]
    out = thesaurus.parent / "fewer"
    out.mkdir()
    SlotsBuilder(str(thesaurus), word_tokens=1, context_words=2).build(Resources(), out)
    shared = [name for name, users in zip(CONTEXTS, (weights() > 0).T, strict=True)
              if users.sum() > 1]  # fmt: skip
    assert set(shared) <= set(open_slots(out).slot_names)
    assert "of-n\tlay" not in set(open_slots(out).slot_names)


def test_features(thesaurus: Path) -> None:
    model = built(thesaurus)
    item = Item("1", Lexelt("wine", "n", "n"), "She drank the red wine.", 18, 22)
    relations = [("of-n", "drink"), ("of-n", "red"), ("of-n", "never met")]
    candidates = [Candidate(word) for word in ("beer", "brick", "ale")]
    extractor = SlotExtractor(None, {item: relations}, model=model)
    values = extractor.values(item, candidates)
    found = dict(zip([one.name for one in SlotFeatures().features()], values.T, strict=True))
    cells = weights()[:, [CONTEXTS.index("of-n\tdrink"), CONTEXTS.index("of-n\tred")]]
    wine, beer, brick = cells[:3]
    for place, own in enumerate((beer, brick)):
        assert found["sum"][place] == pytest.approx(own.sum(), abs=1e-4)
        assert found["mean"][place] == pytest.approx(own.mean(), abs=1e-4)
        assert found["best"][place] == pytest.approx(own.max(), abs=1e-4)
        assert found["gain"][place] == pytest.approx(own.sum() - wine.sum(), abs=1e-4)
    assert np.isnan(values[2]).all()
    assert found["target"][0] > found["target"][1]
    assert found["both"][:2] == pytest.approx((found["cosine"] + found["target"])[:2])
    # Without a slot that is known, the target alone has a say.
    extractor = SlotExtractor(None, {item: []}, model=model)
    values = extractor.values(item, candidates)
    assert np.isnan(values[:, :5]).all()
    assert values[0, 6] == values[0, 5] == found["target"][0]


def test_refusals(thesaurus: Path, tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match="no word and slot are frequent enough"):
        built(thesaurus, word_tokens=9999)
    with pytest.raises(LexsubError, match=r'neither in \[models\].*kind = "slots"'):
        SlotFeatures(str(tmp_path / "none")).inputs(Resources())
    with pytest.raises(ValueError, match=r"alpha is 0\.0; expected more than 0"):
        SlotsBuilder("x", alpha=0.0)
