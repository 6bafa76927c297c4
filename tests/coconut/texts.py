"""Tagged text made by rule, with or without a signal that a language model can learn."""

from __future__ import annotations

import random

from lexsub.corpus.tagged import TaggedSentence

# Each topic has its own nouns, verbs and adjectives: the signal.
TOPICS = 12
NOUNS = 10


def sentences(number: int, seed: int, *, shuffled: bool = False) -> list[TaggedSentence]:
    """Sentences such as "the v3x opened a n3e near the a3y n3b".

    Words of a sentence share a topic; ``shuffled`` draws every noun from any topic, so that
    context says nothing about it.
    """
    rng = random.Random(seed)
    made = []
    for _ in range(number):
        topic = rng.randrange(TOPICS)

        def noun(topic: int = topic) -> str:
            own = rng.randrange(TOPICS) if shuffled else topic
            return f"{'aeioubcdfg'[rng.randrange(NOUNS)]}n{own}"

        one, two = noun(), noun()
        words = [
            ("The", "AT"), (f"adj{topic}q{rng.randrange(4)}", "JJ"), (one, "NN"),
            (f"verb{topic}q{rng.randrange(4)}", "VBD"),
            ("an" if two[0] in "aeiou" else "a", "AT"), (two, "NN"),
            (f"prep{topic}", "IN"), ("it", "PPS"), (f"adv{topic}q{rng.randrange(6)}", "RB"),
            (".", "."),
        ]  # fmt: skip
        made.append(TaggedSentence(tuple(w for w, _ in words), tuple(t for _, t in words)))
    return made


def as_brown(tagged: list[TaggedSentence]) -> str:
    lines = (
        " ".join(f"{w}/{t.lower()}" for w, t in zip(s.words, s.tags, strict=True)) for s in tagged
    )
    return "\n".join(lines) + "\n"


def as_text(tagged: list[TaggedSentence]) -> str:
    return "\n".join(" ".join(s.words) for s in tagged) + "\n"
