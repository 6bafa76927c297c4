from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.datasets import Item, Lexelt
from lexsub.languages.english.context import article_before, fix_article, wants_an
from lexsub.languages.english.inflection import all_forms, inflect, tag_of
from lexsub.rankers.filling import fill_all
from lexsub.rankers.lm.header import LmHeader
from lexsub.rankers.lm.kenlm import KenlmModel
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.ranker import SlotScorer, all_slot_scores, fill_slot, slot_scores
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.rankings import Candidate
from lexsub.resources import Resources

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
        ("give up.v", "he [gave up] smoking", "VBD"),
        ("give up.v", "he had [given up] smoking", "VBN"),
        ("point of view.n", "two [points of view]", "NNS"),
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
        ("TV", "n", "NNS", "TVs"),
        ("MP", "n", "NNS", "MPs"),
        ("mother-in-law", "n", "NNS", "mothers-in-law"),
        ("passer-by", "n", "NNS", "passers-by"),
        ("passer by", "n", "NNS", "passers by"),
        ("sit-in", "n", "NNS", "sit-ins"),
        ("Englishman", "n", "NNS", "Englishmen"),
        ("German", "n", "NNS", "Germans"),
        ("human", "n", "NNS", "humans"),
        ("iPod", "n", "NNS", "iPods"),
        ("person", "n", "NNS", "people"),
        ("lie", "v", "VBN", "lain"),
        ("lie", "v", "VBD", "lay"),
        ("wake", "v", "VBN", "woken"),
        ("be", "v", "VBZ", "is"),
        ("be", "v", "VBD/plural", "were"),
        ("be born", "v", "VBD/plural", "were born"),
        ("be", "v", "VBP/first", "am"),
        ("walk", "v", "VBP/plural", "walk"),
    ],
)
def test_inflection(substitute: str, pos: str, tag: str, form: str) -> None:
    assert inflect(substitute, pos, tag) == form


@pytest.mark.parametrize(
    ("lexelt", "sentence", "substitute", "filled"),
    [
        ("exist.v", "Serious problems [exist] here.", "be", "Serious problems are here."),
        ("exist.v", "They [existed].", "be", "They were."),
        ("exist.v", "The list of problems [existed].", "be", "The list of problems was."),
        ("exist.v", "A problem [existed].", "be", "A problem was."),
        ("exist.v", "Tom and Ann [existed].", "be", "Tom and Ann were."),
        ("exist.v", "Only I [exist].", "be", "Only I am."),
        ("exist.v", "It may well [exist].", "be", "It may well be."),
        ("exist.v", "Problems don't really [exist].", "be", "Problems don't really be."),
        ("exist.v", "Do problems [exist]?", "be", "Do problems be?"),
        ("exist.v", "He wants to live and [exist].", "be", "He wants to live and be."),
        ("exist.v", "It [exists].", "have", "It has."),
        ("exist.v", "It [exists].", "be", "It is."),
        ("sit.v", "He had [sat] there.", "lie", "He had lain there."),
        ("give up.v", "He [gave up] smoking.", "quit", "He quit smoking."),
        ("give up.v", "He [gave up] smoking.", "forswear", "He forswore smoking."),
        ("set.n", "old [sets]", "TV", "old TVs"),
        ("old.a", "AN [OLD] MAN", "young", "A YOUNG MAN"),
        ("big.a", "A [BIG] MAN", "odd", "AN ODD MAN"),
        ("big.a", "A [big] man", "odd", "An odd man"),
        ("good.a", "a [good] friend", "honest", "an honest friend"),
        ("old.a", "an [old] idea", "unique", "a unique idea"),
        ("school.n", "a [school]", "university", "a university"),
        ("minute.n", "a [minute]", "hour", "an hour"),
    ],
)
def test_substitutes_in_their_sentence(
    lexelt: str, sentence: str, substitute: str, filled: str
) -> None:
    [found] = fill_all(item(lexelt, sentence), [substitute])
    assert found.text == filled


def words_of(text: str) -> list[str]:
    return text.split()


AN = words_of(
    "hour honest honour heir heirloom umbrella uncle unimportant uninformed unusual under "
    "ugly urn urge usher idea 8 80 8th 11 11th 18 1800s 11,000 x-ray MP FBI NBA SUV f-word "
    "élan eight earl onion only oneiric upon MRI unanimated"
)
A = words_of(
    "university unique unit union uniform use user usual utopia ubiquitous ukulele "
    "Ukrainian European eulogy ewe one once one-way UFO UK house hotel history hero human "
    "year yard woman 1 10 100 110 1,800 one-off unanimous Mr. Mrs. unison 7 b-side herb"
)


@pytest.mark.parametrize("word", [*AN, *A])
def test_articles_go_by_sound(word: str) -> None:
    wanted = "an" if word in AN else "a"
    assert article_before("a", word) == article_before("an", word) == wanted
    assert article_before("AN", word) == wanted.upper()
    assert wants_an(f"“{word}") == (word in AN)


def test_an_hour_is_as_good_as_a_minute(tmp_path: Path) -> None:
    """With both equally frequent in the text, neither is liked better for its article."""
    text = tmp_path / "text.txt"
    text.write_text("we waited an hour there .\nwe waited a minute there .\n" * 20)
    folder = tmp_path / "lm"
    folder.mkdir()
    builder = LanguageModelBuilder((str(text),), order=3, smoothing="one-count")
    builder.build(Resources(), folder)
    scorer = SlotScorer(open_model(folder), True, "sum")
    here = item("second.n", "we waited a [second] there .")
    hour, minute = scorer.scores(here, [Candidate("hour"), Candidate("minute")])
    assert hour == pytest.approx(minute, abs=1e-6)


def test_all_forms_begin_with_the_base() -> None:
    assert all_forms("give up", "v")[:1] == ["give up"]
    assert {"gave up", "given up", "gives up", "giving up"} <= set(all_forms("give up", "v"))
    assert all_forms("beautiful", "a") == ["beautiful"]


def test_windows_hold_what_the_n_grams_see() -> None:
    header = LmHeader("backoff", 3)
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
    header = LmHeader("backoff", 4)
    here = Item("1", Lexelt.parse("cow.n"), f"{left} cow {right}", len(left) + 1, len(left) + 4)
    slot = fill_slot(here, [Candidate("ox")], header)
    [text] = slot.texts
    before, behind = header.tokenise(left), header.tokenise(right)
    assert text.split() == [*fix_article(before[-3:], "ox"), "ox", *behind[:3]]
    assert slot.bos == (len(before) <= 3)
    assert slot.eos == (len(behind) < 3)


def test_sentence_ends_are_seen() -> None:
    slot = fill_slot(item("cow.n", "[Cows] ate."), [Candidate("horse")], LmHeader("backoff", 4))
    assert (slot.texts, slot.lefts) == (["horses ate ."], [""])
    assert (slot.bos, slot.eos) == (True, True)


def test_score_is_the_sum_of_the_covering_n_grams() -> None:
    pytest.importorskip("kenlm")
    folder = Path(__file__).parent / "recorded"
    model = KenlmModel(folder, LmHeader("backoff", 3, "order3.arpa"))
    here = item("horse.n", "was carried to the [mill] by a tired horse .")
    slot = fill_slot(here, [Candidate("river")], model.header)
    [score] = slot_scores(model, slot)
    whole = "to the river by a"
    grams = list(model._model.full_scores(whole, bos=False, eos=False))
    assert score == pytest.approx(math.fsum(g[0] for g in grams[2:]), abs=1e-5)


def test_several_windows_asked_at_once_score_alike() -> None:
    pytest.importorskip("kenlm")
    folder = Path(__file__).parent / "recorded"
    model = KenlmModel(folder, LmHeader("backoff", 3, "order3.arpa"))
    here = item("horse.n", "was carried to the [mill] by a tired horse .")
    candidates = [Candidate(word) for word in ("river", "old mill", "animal")]
    slots = [fill_slot(here, candidates, model.header, back=b, ahead=a)
             for b, a in ((0, 0), (1, 2), (2, 0), (0, 2))]  # fmt: skip
    slots.insert(1, fill_slot(here, [], model.header))
    for slot, scores in zip(slots, all_slot_scores(model, slots), strict=True):
        assert scores.tolist() == slot_scores(model, slot).tolist()


def test_a_place_prior_adds_its_share_and_is_shown() -> None:
    pytest.importorskip("kenlm")
    model = KenlmModel(Path(__file__).parent / "recorded", LmHeader("backoff", 3, "order3.arpa"))
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
