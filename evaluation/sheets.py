"""Answers as flat arrays, on which every measure is a short formula.

A :class:`Sheet` is one list of answers of one system, judged against a gold (the arrays of
:mod:`lexsub.evaluation.gold_arrays`).  Substitutes are compared once, here; measures see numbers
only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from operator import eq
from typing import Any, ClassVar

import numpy as np

from lexsub.evaluation.gold_arrays import (
    Bools,
    Floats,
    GoldArrays,
    Ragged,
    is_letters,
    is_multiword,
    offsets_of,
)
from lexsub.matching.seen import SeenItem


@dataclass(frozen=True, eq=False)
class Sheet(Ragged):
    """One list of answers of one system, judged.

    Attributes:
        gold: the gold.
        offsets: where an item's answers begin, and where the last ones end.
        gains: gold weight of each answer, 0 for a wrong one.
        judged: whether the answer was judged at all (of SWORDS: also refused).
        multiword: whether it has a blank or hyphen.
        letters: whether it has nothing but the letters a-z.
        repeated: whether the same answer stands before it.
        is_mode: whether it is the item's mode.
        is_target: whether it is the target itself, where the gold says how that is written.
        tied: whether the system scored it like the answer before it.
        listed: items the system has a line for, an empty one included.
    """

    gold: GoldArrays
    gains: Floats
    judged: Bools
    multiword: Bools
    letters: Bools
    repeated: Bools
    is_mode: Bools
    is_target: Bools
    tied: Bools
    listed: Bools

    _columns: ClassVar[tuple[str, ...]] = (
        "gains",
        "judged",
        "multiword",
        "letters",
        "repeated",
        "is_mode",
        "is_target",
    )

    @cached_property
    def attempted(self) -> Bools:
        """Items with at least one answer."""
        return self.sizes > 0

    @cached_property
    def hits(self) -> Floats:
        """1 for each answer in the gold, 0 for each other."""
        return (self.gains > 0).astype(float)

    @cached_property
    def unique(self) -> Sheet:
        """The same without repeated answers."""
        return self.keep(~self.repeated) if self.repeated.any() else self

    @cached_property
    def single_words(self) -> Sheet:
        """The same without repeated or multiword answers, against single-word gold."""
        unique = self.unique
        return unique.keep(~unique.multiword, gold=self.gold.single_words)

    @cached_property
    def alphabetic(self) -> Sheet:
        """The same without repeated answers or answers with signs, against such gold."""
        unique = self.unique
        return unique.keep(unique.letters, gold=self.gold.alphabetic)

    @cached_property
    def judged_only(self) -> Sheet:
        """The same with the judged answers only (the lenient setting of SWORDS)."""
        unique = self.unique
        return unique.keep(unique.judged)

    def first(self, n: int) -> Sheet:
        """The first ``n`` answers of each item."""
        return self if self.sizes.max(initial=0) <= n else self.keep(self.rank <= n)

    def any(self, flags: Bools) -> Bools:
        """Return for each item whether a flag holds for any of its answers."""
        return self.sum(flags) > 0

    def best_of(self, values: Floats) -> Floats:
        """The greatest value among each item's answers, 0 where it has none (values ≥ 0)."""
        result = np.zeros(len(self.gold.ids))
        np.maximum.at(result, self.owner, values)
        return result

    def keep(self, mask: Bools, **changed: Any) -> Sheet:
        """The same with some of the answers."""
        # An answer stays tied only with the one that now stands before it.
        group = np.cumsum(~self.tied)[mask]
        tied = np.concatenate([[False], group[1:] == group[:-1]]) if len(group) else mask[:0]
        return super().keep(mask, tied=tied, **changed)


@dataclass(frozen=True, slots=True)
class Answered:
    """A system's answers to one item.

    Attributes:
        answers: best first.
        scores: their scores, falling, where the system gives any.
    """

    answers: Sequence[str]
    scores: Sequence[float] | None = None


def make_sheet(
    gold: GoldArrays, answered: Mapping[str, Answered], *, by_name: bool = False
) -> Sheet:
    """Judge a system's answers.

    Args:
        gold: the gold; it says under which policy, and whether multiwords are dropped.
        answered: answers by item id; ids the gold lacks are passed over.
        by_name: order answers of equal score by name first.
    """
    lists: list[list[str]] = []
    gains: list[float] = []
    judged: list[bool] = []
    is_mode: list[bool] = []
    is_target: list[bool] = []
    repeated: list[bool] = []
    tied: list[bool] = []
    for seen in gold.rows:
        given = answered.get(seen.item.id)
        if given is None or not given.answers or not seen.row.answerable:
            lists.append([])
            continue
        raw, scores = _ordered(given, by_name)
        answers = seen.answers(raw)
        tied += [False] * len(answers) if scores is None else _ties(seen, raw, scores, answers)
        row = seen.row
        lookup = row.lookup
        gains += map(lookup.get, answers, repeat(0.0))
        judged += map(row.judged.__contains__, answers)
        is_mode += map(eq, answers, repeat(row.mode))
        is_target += map(eq, answers, repeat(row.target or None))
        if len(set(answers)) < len(answers):
            repeated += [answer in answers[:place] for place, answer in enumerate(answers)]
        else:
            repeated += [False] * len(answers)
        lists.append(answers)
    flat = [answer for answers in lists for answer in answers]
    return Sheet(
        gold=gold,
        offsets=offsets_of(lists),
        gains=np.array(gains, float),
        judged=np.array(judged, bool),
        multiword=np.array(list(map(is_multiword, flat)), bool),
        letters=np.array(list(map(is_letters, flat)), bool),
        repeated=np.array(repeated, bool),
        is_mode=np.array(is_mode, bool),
        is_target=np.array(is_target, bool),
        tied=np.array(tied, bool),
        listed=np.array([item_id in answered for item_id in gold.ids], bool),
    )


def _ordered(given: Answered, by_name: bool) -> tuple[Sequence[str], Sequence[float] | None]:
    if given.scores is None or not by_name:
        return given.answers, given.scores
    pairs = zip(given.answers, given.scores, strict=True)
    ordered = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    return [answer for answer, _ in ordered], [score for _, score in ordered]


def _ties(
    seen: SeenItem, raw: Sequence[str], scores: Sequence[float], answers: Sequence[str]
) -> list[bool]:
    # The policy may have dropped or merged answers: look each one's score up again.
    if len(answers) == len(raw):
        values: list[float] = list(scores)
    else:
        score_of: dict[str, float] = {}
        for answer, score in zip(raw, scores, strict=True):
            if form := seen.form(answer):
                score_of.setdefault(form, score)
        values = [score_of[answer] for answer in answers]
    return [False, *map(eq, values[1:], values)][: len(values)]
