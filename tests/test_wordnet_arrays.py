"""What the index says beside the synsets is what the synsets say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.wordnet import WordNet
from lexsub.wordnet.arrays import Arrays, pack
from lexsub.wordnet.model import gloss_words
from lexsub.wordnet.opening import SHIPPED

KEYS = [5, 7, 100, 300_000_000, 399_999_999]
Above = dict[int, list[int]]


def steps_up(above: Above, start: int, farthest: int) -> dict[int, int]:
    """Steps to every synset above one, by key, followed one synset at a time."""
    found = {start: 0}
    for steps in range(1, farthest + 1):
        for key in [key for key, number in found.items() if number == steps - 1]:
            for other in above[key]:
                found.setdefault(other, steps)
    return found


@given(
    above=st.fixed_dictionaries({k: st.lists(st.sampled_from(KEYS), max_size=3) for k in KEYS}),
    starts=st.lists(st.sampled_from(KEYS), max_size=3),
    farthest=st.integers(0, 4),
)
def test_ancestors_of_several(above: Above, starts: list[int], farthest: int) -> None:
    arrays = Arrays(pack(above, dict.fromkeys(KEYS, ())).__getitem__)
    wanted: dict[int, int] = {}
    for start in starts:
        for key, steps in steps_up(above, start, farthest).items():
            number = KEYS.index(key)
            wanted[number] = min(steps, wanted.get(number, steps))
    found = arrays.ancestors([5, *starts], [0, *([1] * len(starts))], farthest)
    of_starts = found.owner == 1
    numbers = found.number[of_starts].tolist()
    assert dict(zip(numbers, found.steps[of_starts].tolist(), strict=True)) == wanted
    assert numbers == sorted(wanted)
    alone = {KEYS.index(key): steps for key, steps in steps_up(above, 5, farthest).items()}
    numbers, steps = found.number[~of_starts].tolist(), found.steps[~of_starts].tolist()
    assert dict(zip(numbers, steps, strict=True)) == alone


@given(
    glosses=st.fixed_dictionaries({k: st.lists(st.integers(0, 9), max_size=3) for k in KEYS}),
    keys=st.lists(st.sampled_from(KEYS), max_size=3),
)
def test_words_of_several_glosses(glosses: dict[int, list[int]], keys: list[int]) -> None:
    arrays = Arrays(pack(dict.fromkeys(KEYS, ()), glosses).__getitem__)
    numbers, owners = arrays.gloss_numbers(keys, range(len(keys)))
    told = [(number, owner) for owner, key in enumerate(keys) for number in glosses[key]]
    assert list(zip(numbers.tolist(), owners.tolist(), strict=True)) == told


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    return WordNet(SHIPPED)


def test_senses_and_words_of_glosses_without_synsets(wordnet: WordNet) -> None:
    for lemma, pos in [*wordnet.all_words()][::29]:
        synsets = wordnet.synsets(lemma, pos)
        senses = wordnet.senses(lemma.upper(), pos)
        assert list(senses.keys) == [synset.key for synset in synsets]
        assert list(senses.lexfiles) == [synset.lexfile for synset in synsets]
        assert list(senses.tagged) == [
            next(word.tagged for word in synset.words if word.lemma.lower() == lemma)
            for synset in synsets
        ]
        words = {word for synset in synsets for word in gloss_words(synset, wordnet.gloss(synset))}
        numbers = wordnet.gloss_numbers(senses.keys, range(len(senses.keys)))[0].tolist()
        assert {wordnet.gloss_number(word) for word in words} == {*numbers}
        assert {*map(wordnet.gloss_word, numbers)} == words
    assert wordnet.senses("no such word", "n") == ((), (), ())
    assert wordnet.gloss_number("no such word") is None
    assert not len(wordnet.gloss_numbers([], [])[0])


def test_many_words_are_found_as_each_alone(wordnet: WordNet) -> None:
    forms = [lemma for lemma, _ in [*wordnet.all_words()][::97]]
    assert len(forms) > 1_000
    for pos in "nvar":
        found = wordnet.all_senses([*forms, "no_such_word"], pos)
        assert found.keys() == {*forms}
        for form in forms:
            keys = [synset.key for synset in wordnet.synsets(form, pos)]
            assert list(found[form].keys) == keys


def test_ancestors_are_hypernyms_and_what_they_are_instances_of(wordnet: WordNet) -> None:
    synsets = [*wordnet.all_synsets("n"), *wordnet.all_synsets("v")]
    above = {s.key: [*s.targets("@"), *s.targets("@i")] for s in synsets}
    # Nouns come first, and verbs follow them, in the order of their keys.
    numbers = {key: number for number, key in enumerate(sorted(above))}
    for synset in synsets[::97]:
        wanted = {numbers[k]: s for k, s in steps_up(above, synset.key, 6).items()}
        found = wordnet.ancestors([synset.key], [0], 6)
        assert dict(zip(found.number.tolist(), found.steps.tolist(), strict=True)) == wanted
