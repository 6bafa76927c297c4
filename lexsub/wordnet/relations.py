"""WordNet's relations by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lexsub.errors import UnknownNameError
from lexsub.wordnet.model import Synset, Word

if TYPE_CHECKING:
    from lexsub.wordnet.reader import WordNet

# wninput(5WN); the names are the manual's, plural where a synset may have several.
RELATIONS = {
    "antonyms": "!",
    "hypernyms": "@",
    "instance-hypernyms": "@i",
    "hyponyms": "~",
    "instance-hyponyms": "~i",
    "member-holonyms": "#m",
    "substance-holonyms": "#s",
    "part-holonyms": "#p",
    "member-meronyms": "%m",
    "substance-meronyms": "%s",
    "part-meronyms": "%p",
    "attributes": "=",
    "derivations": "+",
    "topic": ";c",
    "topic-members": "-c",
    "region": ";r",
    "region-members": "-r",
    "usage": ";u",
    "usage-members": "-u",
    "entailments": "*",
    "causes": ">",
    "see-also": "^",
    "verb-group": "$",
    "similar-to": "&",
    "participle-of": "<",
    "pertainyms": "\\",
}

# Two steps: up by the first relation, down by the second.
COMPOUND = {"co-hyponyms": ("@", "~"), "co-satellites": ("&", "&")}


def check_relation(name: str) -> None:
    """Make sure that a relation exists.

    Raises:
        UnknownNameError: it does not; lists the nearest names.
    """
    if name not in RELATIONS and name not in COMPOUND:
        raise UnknownNameError("WordNet relation", name, [*RELATIONS, *COMPOUND])


def relation_symbols(name: str) -> tuple[str, ...]:
    """Return the pointer signs of a relation, one a step.

    Raises:
        UnknownNameError: no such relation; lists the nearest names.
    """
    check_relation(name)
    return COMPOUND.get(name) or (RELATIONS[name],)


def related_words(
    wordnet: WordNet, synset: Synset, symbols: tuple[str, ...], lemma: str
) -> Iterator[tuple[Synset, Word]]:
    """Yield the words that a synset's pointers lead to, with their synsets, in file order.

    A pointer between synsets leads to all words of its target.  A pointer between words
    (antonyms, derivations …) counts only if it starts from ``lemma`` and leads to one word.

    Args:
        wordnet: the database.
        synset: where to start.
        symbols: the pointer signs of :func:`relation_symbols`.
        lemma: the word of ``synset`` that is meant, as WordNet's index writes it.
    """
    here = [synset]
    for symbol in symbols[:-1]:
        here = [wordnet.synset(key) for start in here for key in start.targets(symbol)]
    for start in here:
        for pointer in start.pointers:
            if pointer.symbol != symbols[-1]:
                continue
            if pointer.source_word:
                source = start.words[pointer.source_word - 1]
                if source.lemma.lower() != lemma:
                    continue
            if pointer.target == synset.key:
                continue
            target = wordnet.synset(pointer.target)
            if pointer.target_word:
                yield target, target.words[pointer.target_word - 1]
            else:
                for word in target.words:
                    yield target, word
