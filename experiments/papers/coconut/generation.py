"""Making coconuts from a tagged corpus (Karlgren's plausible utterances).

Only words with one tag are exchanged, for words with the same tag.  What the paper leaves
open is decided here: words are drawn evenly over types (``weighted``: over tokens); a fake
never held the word put into it and is no sentence of the corpus; sentences are distinct and
5 to 40 tokens long; a word at the beginning of a sentence keeps the case it found there.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from lexsub.corpus.tagged import TaggedSentence
from lexsub.errors import LexsubError
from lexsub.experiments.papers.coconut.sets import Coconut, Kind, Utterance

VOWELS = "aeiou"

T = TypeVar("T")


@dataclass(frozen=True)
class Recipe:
    """How coconuts are made.

    Attributes:
        kind: ``word`` or ``sentence``.
        number: how many.
        size: sentences in each, the real one included.
        tag: the tag of the words that are exchanged, and only that (``NN`` is not ``NN-TL``).
        fakes: of word coconuts: ``sentences`` draws the sentence of a fake evenly among all, as
            the paper seems to; ``tokens`` draws it by its words with the tag.  The real one is
            drawn by its word, so it tends to be longer than sentences drawn evenly, which
            tells against it wherever scores are not divided by length.
        weighted: draw words as often as they occur, not each as often as any other.
        articles: repair a and an before an exchanged word, by its first letter.
        shortest: tokens of the shortest sentence taken.
        longest: tokens of the longest.
        pool: how many sentences of the corpus are held, a fair sample where it has more.
        seed: of everything random.
    """

    kind: Kind = "word"
    number: int = 46
    size: int = 8
    tag: str = "NN"
    fakes: Literal["sentences", "tokens"] = "sentences"
    weighted: bool = False
    articles: bool = True
    shortest: int = 5
    longest: int = 40
    pool: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.number < 1 or self.size < 2 or not 1 <= self.shortest <= self.longest:
            raise LexsubError(
                "expected number 1 or more, size 2 or more, and lengths that leave some sentence"
            )


@dataclass(frozen=True)
class Material:
    """The sentences coconuts are made from.

    Attributes:
        sentences: distinct sentences that have a word to exchange.
        slots: for each, the places of its words with the tag.
        forms: for each, all its words in lower case.
        words: words with the tag, lower case and in order, to the (sentence, place) pairs
            where they stand.
        known: digests of all usable sentences of the corpus: none of them is a fake.
    """

    sentences: Sequence[tuple[str, ...]]
    slots: Sequence[tuple[int, ...]]
    forms: Sequence[frozenset[str]]
    words: dict[str, list[tuple[int, int]]]
    known: Set[bytes]

    @cached_property
    def tokens(self) -> list[tuple[int, int]]:
        """The (sentence, place) pairs of all words with the tag."""
        return [(index, slot) for index, slots in enumerate(self.slots) for slot in slots]


def gather(corpus: Iterable[TaggedSentence], recipe: Recipe) -> Material:
    """Take the usable sentences of a corpus, at most ``recipe.pool`` of them.

    Raises:
        LexsubError: it has none.
    """
    rng = random.Random(f"pool {recipe.seed}")
    kept: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
    seen: set[bytes] = set()
    usable = 0
    tag = recipe.tag.upper()
    for sentence in corpus:
        if not recipe.shortest <= len(sentence.words) <= recipe.longest:
            continue
        slots = tuple(place for place, found in enumerate(sentence.tags) if found == tag)
        if not slots or (digest := _digest(sentence.words)) in seen:
            continue
        seen.add(digest)
        usable += 1
        if len(kept) < recipe.pool:
            kept.append((sentence.words, slots))
        elif (place := rng.randrange(usable)) < recipe.pool:
            kept[place] = (sentence.words, slots)
    if not kept:
        raise LexsubError(
            f"the corpus has no sentence of {recipe.shortest} to {recipe.longest} tokens with the "
            f"tag {recipe.tag}: name a tag of its own (--tag), or other lengths"
        )
    words: dict[str, list[tuple[int, int]]] = {}
    for index, (sentence_words, slots) in enumerate(kept):
        for place in slots:
            words.setdefault(sentence_words[place].lower(), []).append((index, place))
    return Material(
        [sentence_words for sentence_words, _ in kept],
        [slots for _, slots in kept],
        [frozenset(word.lower() for word in sentence_words) for sentence_words, _ in kept],
        dict(sorted(words.items())),
        seen,
    )


def make_coconuts(material: Material, recipe: Recipe) -> tuple[Coconut, ...]:
    """Make a set of coconuts; the same material and recipe give the same set.

    Raises:
        LexsubError: the material is too small for a coconut of this size.
    """
    rng = random.Random(f"{recipe.kind} {recipe.seed}")
    make = _words if recipe.kind == "word" else _sentences
    groups = make(material, recipe, rng)
    coconuts = []
    for number in range(1, recipe.number + 1):
        utterances = next(groups)
        real = utterances[0]
        rng.shuffle(utterances)
        name = f"{recipe.kind}-{number}"
        coconuts.append(Coconut(name, recipe.kind, tuple(utterances), utterances.index(real)))
    return tuple(coconuts)


def exchange(tokens: Sequence[str], place: int, word: str, articles: bool) -> Utterance:
    """Put a word into a sentence; it takes a capital where it begins the sentence in one."""
    fixed = list(tokens)
    capital = place == 0 and tokens[0][:1].isupper()
    fixed[place] = word[:1].upper() + word[1:] if capital else word
    if articles and place and fixed[place - 1].lower() in ("a", "an"):
        fixed[place - 1] = article(fixed[place - 1], word)
    return Utterance(tuple(fixed), place)


def article(given: str, word: str) -> str:
    """Return a or an as the first letter of a word asks; keeps the capital of the one given."""
    fitting = "an" if word[:1].lower() in VOWELS else "a"
    return fitting.capitalize() if given[:1].isupper() else fitting


def _digest(words: Sequence[str]) -> bytes:
    return hashlib.blake2b(" ".join(words).encode(), digest_size=16).digest()


def _words(material: Material, recipe: Recipe, rng: random.Random) -> Iterator[list[Utterance]]:
    """Yield word coconuts, the real sentence first; no probe again before all had their turn."""
    probes = [word for word, places in material.words.items() if len({i for i, _ in places}) > 1]
    if not probes:
        raise LexsubError("no word with the tag stands in two sentences: give more text")
    weights = [len(material.words[word]) for word in probes] if recipe.weighted else None
    while True:
        for probe in _shuffled(rng, probes, weights):
            index, place = rng.choice(material.words[probe])
            fakes = _with_word(material, recipe, rng, probe, index)
            problem = f"sentences can take the word {probe!r}"
            yield _filled(material, recipe, index, place, fakes, problem)


def _sentences(material: Material, recipe: Recipe, rng: random.Random) -> Iterator[list[Utterance]]:
    """Yield sentence coconuts, the real one first; no sentence twice before all had a turn."""
    words = list(material.words)
    weights = [len(material.words[word]) for word in words] if recipe.weighted else None
    while True:
        for index in _shuffled(rng, range(len(material.sentences)), None):
            place = rng.choice(material.slots[index])
            tokens, forms = material.sentences[index], material.forms[index]
            fakes = (
                None if word in forms else exchange(tokens, place, word, recipe.articles)
                for word in _shuffled(rng, words, weights)
            )
            problem = f"words with the tag {recipe.tag} make a fake of a sentence"
            yield _filled(material, recipe, index, place, fakes, problem)


def _filled(
    material: Material,
    recipe: Recipe,
    index: int,
    place: int,
    fakes: Iterable[Utterance | None],
    problem: str,
) -> list[Utterance]:
    """Return a real sentence and the first fakes that are fit for it, all of a coconut."""
    utterances = [Utterance(tuple(material.sentences[index]), place)]
    for fake in fakes:
        if len(utterances) == recipe.size:
            break
        if fake and fake not in utterances and _digest(fake.tokens) not in material.known:
            utterances.append(fake)
    if len(utterances) < recipe.size:
        raise LexsubError(
            f"only {len(utterances) - 1} {problem}; expected {recipe.size - 1}: give more text, "
            "or a smaller --size"
        )
    return utterances


def _with_word(
    material: Material, recipe: Recipe, rng: random.Random, probe: str, real: int
) -> Iterator[Utterance | None]:
    """Yield sentences with a word put into each, None in the place of one that is not fit."""
    used = {real}
    for index, slot in _places(material, recipe, rng):
        if index in used or probe in material.forms[index]:
            yield None
            continue
        used.add(index)
        yield exchange(material.sentences[index], slot, probe, recipe.articles)


def _places(material: Material, recipe: Recipe, rng: random.Random) -> Iterator[tuple[int, int]]:
    """Yield (sentence, slot) pairs for fakes in random order."""
    if recipe.fakes == "tokens":
        yield from (material.tokens[index] for index in _drawn(rng, len(material.tokens)))
        return
    for index in _drawn(rng, len(material.sentences)):
        yield index, rng.choice(material.slots[index])


def _shuffled(
    rng: random.Random, entries: Sequence[T], weights: Sequence[int] | None
) -> Iterator[T]:
    """Yield all entries in random order; with weights, likelier ones tend to come first."""
    if weights is None:
        yield from (entries[index] for index in _drawn(rng, len(entries)))
        return
    # Efraimidis and Spirakis (2006): the order of u ** (1 / w) is weighted sampling without
    # replacement.
    keys = [rng.random() ** (1 / weight) for weight in weights]
    yield from (entries[i] for i in sorted(range(len(entries)), key=lambda i: -keys[i]))


def _drawn(rng: random.Random, size: int) -> Iterator[int]:
    """Yield 0 … size - 1 in random order, made only as far as it is asked for."""
    # Fisher and Yates, on a list of the places that moved.
    moved: dict[int, int] = {}
    for last in range(size - 1, -1, -1):
        pick = rng.randrange(last + 1)
        yield moved.get(pick, pick)
        moved[pick] = moved.get(last, last)
