"""The features of WordNet, against what its synsets say one by one."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.rankers.learned.features.wordnet import RELATIONS, WordNetExtractor, WordNetFeatures
from lexsub.rankings import Candidate
from lexsub.wordnet import WordNet
from lexsub.wordnet.opening import SHIPPED

PAIRS = {
    "bright.a": ["shiny", "brilliant", "dim", "smart", "clever", "vivid", "no such word", "dog"],
    "draw.v": ["pull", "attract", "sketch", "get out", "drag", "push", "tie", "drawing"],
    "dog.n": ["hound", "animal", "cat", "chap", "puppy", "frankfurter", "chase", "Domestic Dog"],
    "carefully.r": ["cautiously", "careful", "carelessly"],
}
AT = {feature.name: column for column, feature in enumerate(WordNetFeatures().features())}


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    return WordNet(SHIPPED)


def flag(wordnet: WordNet, lexelt: Lexelt, relation: str, text: str) -> float:
    """1 / number of the target's first sense with a relation to a candidate."""
    signs = {"antonyms": "!", "derivations": "+"}
    keys = {synset.key for synset in wordnet.synsets(text, lexelt.pos)}
    for number, sense in enumerate(wordnet.synsets(lexelt.lemma, lexelt.pos), start=1):
        if relation in signs:
            related = any(
                pointer.symbol == signs[relation]
                and pointer.source_word
                and sense.words[pointer.source_word - 1].lemma == lexelt.lemma
                and wordnet.synset(pointer.target).words[pointer.target_word - 1].text == text
                for pointer in sense.pointers
            )
        else:
            others = [sense] if relation == "synonyms" else wordnet.related(sense, relation)
            related = any(other.key in keys for other in others)
        if related:
            return 1 / number
    return 0.0


@pytest.mark.parametrize("target", PAIRS)
def test_relations_and_words_of_glosses(wordnet: WordNet, target: str) -> None:
    lexelt = Lexelt.parse(target)
    text = "A young domestic animal that gives much light with the hunting instinct of xyz."
    item = Item("1", lexelt, text, len(text) - 4, len(text) - 1)
    candidates = [Candidate(text) for text in PAIRS[target]]
    values = WordNetExtractor(wordnet).values(item, candidates)
    met = 0
    for text, row in zip(PAIRS[target], values, strict=True):
        for relation in ("synonyms", *RELATIONS):
            wanted = flag(wordnet, lexelt, relation, text)
            met += wanted > 0
            assert row[AT[relation]] == np.float32(wanted), (text, relation)
        senses = wordnet.synsets(text, lexelt.pos)
        of_target = {synset.key for synset in wordnet.synsets(lexelt.lemma, lexelt.pos)}
        assert row[AT["shared"]] == sum(synset.key in of_target for synset in senses)
        assert row[AT["senses"]] == np.float32(np.log1p(len(senses)))
        said = {word.lemma.lower() for synset in senses[:5] for word in synset.words}
        for synset in senses[:5]:
            said |= set(re.findall(r"[a-z]+", wordnet.gloss(synset).lower()))
        there = {word for word in re.findall(r"[a-z]+", item.text.lower()) if len(word) > 3}
        assert row[AT["lesk-candidate"]] == len(there & said)
    assert met >= 2


def test_distance(wordnet: WordNet) -> None:
    item = Item("1", Lexelt.parse("dog.n"), "dog", 0, 3)
    found = WordNetExtractor(wordnet).values(item, [Candidate(t) for t in ("dog", "canine", "cat")])
    # dog and cat meet in carnivore, two steps up from either.
    assert found[:, AT["distance-first"]].tolist() == [1.0, 0.5, pytest.approx(1 / 5)]
    assert found[:, AT["depth"]].tolist() == [0.0, 0.0, -2.0]
