from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.items import Item, Lexelt
from lexsub.rankings import Candidate
from rankers.inflection import all_forms, fix_article, inflect, tag_of
from rankers.lm.header import Header
from rankers.lm.kenlm_model import KenlmModel
from rankers.lm.ranker import SlotScorer
from rankers.lm.slots import fill_slot, slot_scores

pytest.importorskip("lemminflect")


def item(lexelt: str, sentence: str) -> Item:
    """Make an item from a sentence with the target in brackets."""
    before, _, rest = sentence.partition("[")
    target, _, behind = rest.partition("]")
    start = len(before)
    return Item("1", Lexelt.parse(lexelt), before + target + behind, start, start + len(target))


@pytest.mark.parametrize(
    ("lexelt", "sentence", "tag"),
    [
        ("sack.n", "two heavy [sacks]", "NNS"),
        ("sack.n", "a [Sack]", "NN"),
        ("carry.v", "the horse [carried] corn", "VBD"),
        ("carry.v", "corn is quickly [carried]", "VBN"),
        ("carry.v", "it [carries] corn", "VBZ"),
        ("carry.v", "[carrying] corn", "VBG"),
        ("travel.v", "they [travelled] home", "VBD"),
        ("strong.a", "a [stronger] horse", "JJR"),
        ("fast.r", "it ran [fastest]", "RBS"),
        ("go.v", "he [went] home", "VBD"),
        ("odd.a", "an [odder]", "JJR"),
        ("sack.n", "the [zzz]", "NN"),
    ],
)
def test_tag_of_the_target(lexelt: str, sentence: str, tag: str) -> None:
    assert tag_of(item(lexelt, sentence)) == tag


@pytest.mark.parametrize(
    ("substitute", "pos", "tag", "form"),
    [
        ("give up", "v", "VBD", "gave up"),
        ("point of view", "n", "NNS", "points of view"),
        ("coal scuttle", "n", "NNS", "coal scuttles"),
        ("big", "a", "JJR", "bigger"),
        ("happy", "a", "JJS", "happiest"),
        ("beautiful", "a", "JJR", "more beautiful"),
        ("well known", "a", "JJS", "most well known"),
        ("quickly", "r", "RBR", "more quickly"),
        ("glad", "a", "JJ", "glad"),
    ],
)
def test_inflection(substitute: str, pos: str, tag: str, form: str) -> None:
    assert inflect(substitute, pos, tag) == form


def test_all_forms_begin_with_the_base() -> None:
    assert all_forms("give up", "v")[:1] == ["give up"]
    assert {"gave up", "given up", "gives up", "giving up"} <= set(all_forms("give up", "v"))
    assert all_forms("beautiful", "a") == ["beautiful"]


def test_windows_hold_what_the_n_grams_see() -> None:
    header = Header("backoff", 3)
    here = item("animal.n", "Once there was an [animal] in the old mill.")
    slot = fill_slot(here, [Candidate("horse"), Candidate("old cow"), Candidate("ox")], header)
    assert list(slot.texts) == [
        "was a horse in the", "was an old cow in the", "was an ox in the",
    ]  # fmt: skip
    assert [slot.lefts[i] for i in slot.before] == ["was a", "was an", "was an"]
    assert list(slot.lengths) == [1, 2, 1]
    assert (slot.bos, slot.eos) == (False, False)


@given(st.text(alphabet="ab'nt .,-\x07 ", max_size=40), st.text(alphabet="ab'n .\x07", max_size=40))
def test_only_the_nearest_tokens_are_read(left: str, right: str) -> None:
    header = Header("backoff", 4)
    here = Item("1", Lexelt.parse("cow.n"), f"{left} cow {right}", len(left) + 1, len(left) + 4)
    slot = fill_slot(here, [Candidate("ox")], header)
    [text] = slot.texts
    before, behind = header.tokenise(left), header.tokenise(right)
    assert text.split() == [*fix_article(before[-3:], "ox"), "ox", *behind[:3]]
    assert slot.bos == (len(before) <= 3)
    assert slot.eos == (len(behind) < 3)


def test_sentence_ends_are_seen() -> None:
    slot = fill_slot(item("cow.n", "[Cows] ate."), [Candidate("horse")], Header("backoff", 4))
    assert (slot.texts, slot.lefts) == (["horses ate ."], [""])
    assert (slot.bos, slot.eos) == (True, True)


def test_score_is_the_sum_of_the_covering_n_grams() -> None:
    pytest.importorskip("kenlm")
    folder = Path(__file__).parent / "recorded"
    model = KenlmModel(folder, Header("backoff", 3, "order3.arpa"))
    here = item("horse.n", "was carried to the [mill] by a tired horse .")
    slot = fill_slot(here, [Candidate("river")], model.header)
    [score] = slot_scores(model, slot)
    whole = "to the river by a"
    grams = list(model._model.full_scores(whole, bos=False, eos=False))
    assert score == pytest.approx(math.fsum(g[0] for g in grams[2:]), abs=1e-5)


def test_a_place_prior_adds_its_share_and_is_shown() -> None:
    pytest.importorskip("kenlm")
    model = KenlmModel(Path(__file__).parent / "recorded", Header("backoff", 3, "order3.arpa"))
    here = item("horse.n", "was carried to the [mill] by a tired horse .")
    candidates = [Candidate(word) for word in ("river", "miller", "horse", "old mill")]
    plain = SlotScorer(model, True, "sum").scores(here, candidates)
    prior = SlotScorer(model, True, "sum", 1.5)
    expected = [s - 1.5 * math.log10(n) for n, s in enumerate(plain, start=1)]
    assert list(prior.scores(here, candidates)) == pytest.approx(expected)
    assert prior.parts(here, candidates)["place"] == pytest.approx(
        [0, -math.log10(2), -math.log10(3), -math.log10(4)]
    )
    assert prior.scores(here, []) == []
