"""From dependency trees to grammatical relations between nouns, verbs, adjectives, adverbs.

The names are those of relation files, as seen from the word they are given to: ``dobj-of``,
``subj-of``, ``amod``, ``nn``, ``nn-of``, ``pred``, ``conj``, ``prep-PREP``,
``pobj-PREP-of-n|v``, ``dobj``, ``subj``, ``advmod``, ``amod-of``, ``pred-of``,
``advmod-of-v|a|n|r``.  Universal Dependencies and spaCy's English labels are both read; each
relation is given to both of its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Relation = tuple[str, str, str, str]
"""Part of speech, lemma, relation, other lemma."""

_POS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


class Token(NamedTuple):
    """A token of a parsed sentence.

    Attributes:
        lemma: its lemma.
        upos: its universal part of speech.
        head: index of its head in the sentence, -1 for the root.
        label: the dependency label (Universal Dependencies or spaCy's English ones).
    """

    lemma: str
    upos: str
    head: int
    label: str

    @property
    def pos(self) -> str:
        """n, v, a or r, or nothing."""
        return _POS.get(self.upos, "")


def grammatical_relations(sentence: Sequence[Token]) -> Iterator[Relation]:
    """Yield the relations of a sentence."""
    children: dict[int, list[Token]] = {}
    for token in sentence:
        children.setdefault(token.head, []).append(token)
    for index, token in enumerate(sentence):
        if token.head >= 0:
            head = sentence[token.head]
            yield from _direct(token, head)
            yield from _prepositional(token, head, sentence, children.get(index, ()))
        yield from _predicates(token, children.get(index, ()))


def _direct(token: Token, head: Token) -> Iterator[Relation]:
    match (token.label.lower(), token.pos, head.pos):
        case ("obj" | "dobj", "n", "v"):
            yield from _both(token, "dobj-of", head, "dobj")
        case ("nsubj", "n", "v"):
            yield from _both(token, "subj-of", head, "subj")
        case ("amod", "a", "n"):
            yield from _both(token, "amod-of", head, "amod")
        case ("compound" | "nn", "n", "n"):
            yield from _both(token, "nn-of", head, "nn")
        case ("advmod", "r", pos) if pos:
            yield from _both(token, f"advmod-of-{pos}", head, "advmod")
        case ("conj", pos, other) if pos and pos == other:
            yield from _both(token, "conj", head, "conj")


def _prepositional(
    token: Token, head: Token, sentence: Sequence[Token], children: Sequence[Token]
) -> Iterator[Relation]:
    """A noun behind a preposition: spaCy's prep → pobj, or obl and nmod with a case."""
    if token.pos != "n":
        return
    label = token.label.lower().partition(":")[0]
    if label == "pobj" and head.label.lower() == "prep" and head.head >= 0:
        governor, prepositions = sentence[head.head], [head]
    elif label in ("obl", "nmod"):
        governor = head
        prepositions = [c for c in children if c.label == "case" and c.upos == "ADP"]
    else:
        return
    if governor.pos in ("n", "v"):
        for preposition in prepositions[:1]:
            name = preposition.lemma
            yield from _both(token, f"pobj-{name}-of-{governor.pos}", governor, f"prep-{name}")


def _predicates(token: Token, children: Sequence[Token]) -> Iterator[Relation]:
    """What an adjective says of a noun: acomp beside nsubj, or a subject of the adjective."""
    subjects = [c for c in children if c.label == "nsubj" and c.pos == "n"]
    if token.pos == "a":
        adjectives = [token]
    else:
        adjectives = [c for c in children if c.label == "acomp" and c.pos == "a"]
    for subject in subjects:
        for adjective in adjectives:
            yield from _both(subject, "pred", adjective, "pred-of")


def _both(word: Token, name: str, other: Token, reverse: str) -> Iterator[Relation]:
    yield word.pos, word.lemma, name, other.lemma
    yield other.pos, other.lemma, reverse, word.lemma
