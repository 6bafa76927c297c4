"""The generator of coconuts keeps its promises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.corpus.tagged import TaggedSentence
from lexsub.errors import FormatError, LexsubError
from lexsub.experiments.papers.coconut.generation import Recipe, article, gather, make_coconuts
from lexsub.experiments.papers.coconut.sets import Coconut, Kind, read_coconuts, write_coconuts
from tests.coconut.texts import sentences

CORPUS = sentences(400, seed=3)
TAGS = {sentence.words: sentence.tags for sentence in CORPUS}
NOUNS = {
    word.lower()
    for sentence in CORPUS
    for word, tag in zip(sentence.words, sentence.tags, strict=True)
    if tag == "NN"
}
RECIPES = st.builds(
    Recipe,
    kind=st.sampled_from(["word", "sentence"]),
    number=st.integers(1, 12),
    size=st.integers(2, 9),
    weighted=st.booleans(),
    fakes=st.sampled_from(["sentences", "tokens"]),
    seed=st.integers(0, 10**6),
)


@given(RECIPES)
def test_one_real_sentence_and_fakes_that_differ_in_the_slot_alone(recipe: Recipe) -> None:
    coconuts = make_coconuts(gather(CORPUS, recipe), recipe)
    assert len(coconuts) == recipe.number
    for coconut in coconuts:
        texts = [utterance.text for utterance in coconut.utterances]
        assert len(texts) == len(set(texts)) == recipe.size
        real = [place for place, u in enumerate(coconut.utterances) if u.tokens in TAGS]
        assert real == [coconut.real], "exactly one sentence stands in the corpus"
        check_slots(coconut)
        if recipe.kind == "word":
            assert len({u.word.lower() for u in coconut.utterances}) == 1
        else:
            assert len({u.word for u in coconut.utterances}) == recipe.size
            assert len({u.tokens[u.slot + 1 :] for u in coconut.utterances}) == 1


def check_slots(coconut: Coconut) -> None:
    """The tag of the slot is NN; a fake's article fits; the rest is a sentence of the corpus."""
    for place, utterance in enumerate(coconut.utterances):
        tokens, slot = utterance.tokens, utterance.slot
        assert utterance.word.lower() in NOUNS
        before = tokens[slot - 1]
        if before in ("a", "an"):
            assert before == ("an" if utterance.word[0] in "aeiou" else "a")
        if place != coconut.real:
            sources = [
                words
                for words, tags in TAGS.items()
                if tags[slot] == "NN"
                and words[slot + 1 :] == tokens[slot + 1 :]
                and words[: slot - 1] == tokens[: slot - 1]
                and (words[slot - 1] == before or {words[slot - 1], before} == {"a", "an"})
            ]
            assert any(words[slot] != tokens[slot] for words in sources)
            assert all(utterance.word not in tokens[:i] + tokens[i + 1 :] for i in [slot])


@given(RECIPES)
def test_the_seed_decides(recipe: Recipe) -> None:
    material = gather(CORPUS, recipe)
    made = make_coconuts(material, recipe)
    assert make_coconuts(gather(CORPUS, recipe), recipe) == made
    other = make_coconuts(material, replace(recipe, seed=recipe.seed + 1))
    assert recipe.number < 4 or other != made


@pytest.mark.parametrize("kind", ["word", "sentence"])
def test_no_fake_is_a_sentence_of_the_corpus(kind: Kind) -> None:
    """Half of the frames stand in the corpus with either noun: those cannot become fakes."""
    frames = [("we", "saw", "the", noun, f"x{n}") for n in range(40) for noun in ("dog", "cat")
              if n % 2 or noun == "dog"]  # fmt: skip
    others = [("we", "saw", "the", f"noun{n}", f"y{n}") for n in range(10)]
    tagged = [TaggedSentence(words, ("PP", "V", "AT", "NN", "RB")) for words in frames + others]
    known = {sentence.words for sentence in tagged}
    recipe = Recipe(kind=kind, number=12)
    for coconut in make_coconuts(gather(tagged, recipe), recipe):
        assert sum(u.tokens in known for u in coconut.utterances) == 1, coconut


def test_no_fake_held_the_word_already() -> None:
    """Neither with the tag nor with another: "back" would otherwise stand twice."""
    tagged = [
        TaggedSentence(("his", "dog" if n < 20 else "back", "came", "back" if n % 2 else "home",
                        f"x{n}"), ("PP", "NN", "V", "RB", "X"))
        for n in range(40)
    ]  # fmt: skip
    recipe = Recipe(number=2, size=4)
    made = make_coconuts(gather(tagged, recipe), recipe)
    (probe,) = (c for c in made if c.utterances[0].word == "back")
    assert all(
        u.tokens.count("back") == 1 for p, u in enumerate(probe.utterances) if p != probe.real
    )


def test_no_probe_twice_before_all_had_their_turn() -> None:
    recipe = Recipe(number=100)
    probes = [c.utterances[0].word for c in make_coconuts(gather(CORPUS, recipe), recipe)]
    assert len(set(probes)) == len(probes), "there are more nouns than that"


def test_weighted_probes_are_the_frequent_ones() -> None:
    rare = [
        TaggedSentence(("we", "saw", "the", f"rare{i // 2}", "once", str(i)),
                       ("PP", "V", "AT", "NN", "RB", "CD"))
        for i in range(400)
    ]  # fmt: skip
    common = [
        TaggedSentence(("we", "saw", "the", "dog", "there", str(i)),
                       ("PP", "V", "AT", "NN", "RB", "CD"))
        for i in range(4000)
    ]  # fmt: skip
    first = {}
    material = gather(rare + common, Recipe())
    for weighted in (True, False):
        words = []
        for seed in range(30):
            recipe = Recipe(number=1, weighted=weighted, seed=seed)
            (made,) = make_coconuts(material, recipe)
            words.append(made.utterances[0].word)
        first[weighted] = words.count("dog")
    assert first[True] >= 20
    assert first[False] <= 3


def test_fakes_drawn_by_tokens_are_as_long_as_the_real_ones() -> None:
    tagged = []
    for number in range(600):
        pairs = 1 if number % 2 else 6
        words = [w for k in range(pairs) for w in (f"n{(number * 7 + k * 31) % 50}", f"w{number}")]
        tagged.append(TaggedSentence((*words, "x", "y", "z"), ("NN", "V") * pairs + ("R",) * 3))
    lengths = {}
    for fakes in ("sentences", "tokens"):
        recipe = Recipe(number=50, fakes=fakes)  # type: ignore[arg-type]
        made = make_coconuts(gather(tagged, recipe), recipe)
        fake = [len(u.tokens) for c in made for p, u in enumerate(c.utterances) if p != c.real]
        lengths[fakes] = sum(fake) / len(fake)
    # Of the tokens 6 in 7 stand in the long sentences, of the sentences every other is long.
    assert lengths["sentences"] < 11 < 12.5 < lengths["tokens"]


def test_only_the_tag_itself_counts() -> None:
    tagged = [
        TaggedSentence((f"W{i}", "dog", "Title", "ran", "off"), ("NN-TL", "NN", "NN-HL", "V", "R"))
        for i in range(20)
    ]  # fmt: skip
    material = gather(tagged, Recipe())
    assert list(material.words) == ["dog"]


def test_a_capital_stays_at_the_beginning() -> None:
    tagged = [
        TaggedSentence((word.title(), "is", "what", f"{word}{n}", "has"), ("NN", *"ABCD"))
        for n in range(3)
        for word in ("tea", "milk", "beer")
    ]  # fmt: skip
    recipe = Recipe(number=3, size=3)
    for coconut in make_coconuts(gather(tagged, recipe), recipe):
        assert all(u.tokens[0][0].isupper() for u in coconut.utterances)


def test_articles_may_be_left_alone() -> None:
    recipe = Recipe(kind="sentence", number=40, articles=False)
    changed = 0
    for coconut in make_coconuts(gather(CORPUS, recipe), recipe):
        befores = {u.tokens[: u.slot] for u in coconut.utterances}
        assert len(befores) == 1
        changed += any(
            before[-1:] in (("a",), ("an",)) and article(before[-1], u.word) != before[-1]
            for u in coconut.utterances
            for before in [u.tokens[: u.slot]]
        )
    assert changed, "some fakes would have wanted the other article"


def test_article_goes_by_the_first_letter() -> None:
    assert [article("a", "hour"), article("A", "egg"), article("an", "union")] == ["a", "An", "an"]


def test_the_pool_is_a_sample_of_the_whole_corpus() -> None:
    material = gather(CORPUS, Recipe(pool=50, seed=1))
    assert len(material.sentences) == 50
    places = [i for i, s in enumerate(CORPUS) if s.words in set(material.sentences)]
    assert min(places) < 100
    assert max(places) > 300


@pytest.mark.parametrize(
    ("corpus", "recipe", "message"),
    [
        (CORPUS, Recipe(tag="XX"), "with the tag XX"),
        (CORPUS[:1], Recipe(), "stands in two sentences"),
        (CORPUS[:20], Recipe(size=30), "smaller --size"),
        (CORPUS[:2], Recipe(kind="sentence"), "words with the tag NN"),
    ],
)
def test_too_little_text_is_said(
    corpus: list[TaggedSentence], recipe: Recipe, message: str
) -> None:
    with pytest.raises(LexsubError, match=message):
        make_coconuts(gather(corpus, recipe), recipe)


@given(RECIPES)
def test_files_hold_the_whole_set(tmp_path_factory: pytest.TempPathFactory, recipe: Recipe) -> None:
    path = tmp_path_factory.mktemp("sets") / "set.tsv"
    made = make_coconuts(gather(CORPUS, recipe), recipe)
    write_coconuts(path, made)
    assert read_coconuts(path) == made


HEADER = "coconut\tkind\tsentence\treal\tslot\ttext\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", "s.tsv:1: header"),
        (HEADER + "w\tword\t1\t1\t0\n", "s.tsv:2: 5 fields"),
        (HEADER + "w\tverse\t1\t1\t0\ta b\n", "kind 'verse'"),
        (HEADER + "w\tword\t2\t1\t0\ta b\n", "sentence '2'; expected 1"),
        (HEADER + "w\tword\t1\tyes\t0\ta b\n", "real is 'yes'"),
        (HEADER + "w\tword\t1\t1\t2\ta b\n", "slot '2'"),
        (HEADER + "w\tword\t1\t1\t0\ta  b\n", "single blanks"),
        (HEADER + "w\tword\t1\t1\t0\ta b\nw\tword\t2\t1\t0\tc b\n", "2 of them real"),
    ],
)
def test_bad_sets_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "s.tsv"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_coconuts(path)
