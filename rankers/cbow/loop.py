"""One pass over a text: continuous bag of words with negative sampling, position by position."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from lexsub.compiling import compiled

LINE = -2
"""Stands before every line in place of a token's number."""

LONGEST = 100_000
"""Tokens of a line that are looked at."""


@cache
def learning() -> Any:
    """Return the compiled loop; see :func:`_learn`.

    Raises:
        ImportError: numba is not installed.
    """
    return compiled(_learn, fastmath=True)


def _learn(  # type: ignore[no-untyped-def]  # pragma: no cover - runs compiled
    ids, kept, drawn, words, contexts, places, negatives, rate, done, total, state
):  # fmt: skip
    """Learn from whole lines, in place, and leave the state of the draws behind.

    Args:
        ids: (tokens,) numbers of tokens, :data:`LINE` before every line, -1 for unknown ones.
        kept: (words,) chance that a token stays, of 65536 (subsampling).
        drawn: numbers of words as often as they are to be drawn as wrong ones.
        words: (words, dimensions) vectors of words that are predicted.
        contexts: (words, dimensions) vectors of words that predict.
        places: (2 × window + 1, dimensions) weights of the places around a word.
        negatives: wrong words for each right one.
        rate: learning rate at the beginning; it falls to 0 with the text.
        done: tokens before these.
        total: tokens of all passes.
        state: (1,) uint64, of a linear congruential generator (Knuth's MMIX).
    """
    window, width = len(places) // 2, words.shape[1]
    middle, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    line = np.empty(LONGEST, np.int32)
    seed, multiplier = state[0], np.uint64(6364136223846793005)
    increment, number = np.uint64(1442695040888963407), np.uint64(len(drawn))
    place = 0
    while place < len(ids):
        size, place = 0, place + 1
        while place < len(ids) and ids[place] != LINE:
            word = ids[place]
            place += 1
            if word >= 0 and size < LONGEST:
                seed = seed * multiplier + increment
                if seed >> np.uint64(48) < kept[word]:
                    line[size] = word
                    size += 1
        step = np.float32(rate * max(1 - (done + place) / total, 1e-4))
        for at in range(size):
            low, high = max(0, at - window), min(size, at + window + 1)
            if high - low < 2:
                continue
            share = np.float32(1 / (high - low - 1))
            middle[:] = 0
            error[:] = 0
            for other in range(low, high):
                if other != at:
                    context, weights = contexts[line[other]], places[other - at + window]
                    for k in range(width):
                        middle[k] += context[k] * weights[k] * share
            for draw in range(negatives + 1):
                word, wanted = line[at], np.float32(1)
                if draw:
                    seed = seed * multiplier + increment
                    word, wanted = drawn[(seed >> np.uint64(33)) % number], np.float32(0)
                    if word == line[at]:
                        continue
                own, score = words[word], np.float32(0)
                for k in range(width):
                    score += own[k] * middle[k]
                score = min(max(score, np.float32(-8)), np.float32(8))
                gain = step * (wanted - np.float32(1 / (1 + math.exp(-score))))
                for k in range(width):
                    error[k] += gain * own[k]
                    own[k] += gain * middle[k]
            for other in range(low, high):
                if other != at:
                    context, weights = contexts[line[other]], places[other - at + window]
                    for k in range(width):
                        before = context[k]
                        # As in word2vec, the error goes to each context word undivided.
                        context[k] += error[k] * weights[k]
                        weights[k] += error[k] * before * share
    state[0] = seed
