"""Golds and answers as flat arrays, on which every measure is a short formula.

A :class:`Sheet` is one list of answers of one system, judged against a gold (:class:`GoldArrays`).
Substitutes are compared once, here; measures see numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import repeat
from operator import eq
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Gold, Lexelt
from lexsub.matching.policies import Normalisation
from lexsub.matching.seen import SeenItem, gold_under

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ragged:
    """Lists of substitutes, a list an item, all behind each other.

    Attributes:
        offsets: where an item's substitutes begin, and where the last ones end.
    """

    offsets: Ints

    _columns: ClassVar[tuple[str, ...]]
    """Arrays with a value a substitute."""

    @cached_property
    def owner(self) -> Ints:
        """The row to which each substitute belongs."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def rank(self) -> Ints:
        """The place of each substitute in its item's list, from 1."""
        return np.arange(len(self.owner)) - self.offsets[self.owner] + 1

    @cached_property
    def sizes(self) -> Ints:
        """The number of substitutes of each item."""
        return np.diff(self.offsets)

    def sum(self, values: Floats | Bools, first: int | None = None) -> Floats:
        """Sum values of substitutes by item, over the first few only where asked."""
        if first is not None:
            values = np.where(self.rank <= first, values, 0.0)
        return bincount(self.owner, values, len(self.sizes))

    def running(self, values: Floats) -> Floats:
        """Sum values over an item's substitutes up to and including each."""
        total = np.concatenate([[0.0], np.cumsum(values)])
        result: Floats = total[1:] - total[self.offsets[self.owner]]
        return result

    def keep(self, mask: Bools, **changed: Any) -> Self:
        """Return the lists with only the substitutes of a mask."""
        kept = np.bincount(self.owner, mask, len(self.sizes)).astype(np.int64)
        changed |= {name: getattr(self, name)[mask] for name in self._columns}
        return replace(self, offsets=np.concatenate([[0], np.cumsum(kept)]), **changed)


@dataclass(frozen=True, eq=False)
class GoldArrays(Ragged):
    """A gold as arrays; row i is its i-th item, whose substitutes are those that weigh anything.

    Attributes:
        gold: the gold it was made from.
        normalisation: the name of the policy.
        ids: item ids.
        targets: a number for each item's target (``lemma.pos``), the unit of resampling.
        pos: each item's (corrected) part of speech, "" where the lexelt names none.
        rows: what answers are compared with.
        scored: items with the two responses that best and oot ask for.
        has_mode: scored items with a mode.
        total: |H|, the sum of an item's weights.
        weights: gold weights above 0, falling inside each item.
        multiword: whether a gold substitute has a blank or a hyphen.
        letters: whether it has nothing but the letters a-z.
        is_multiword_item: items whose target is part of a multiword (mw alone).
    """

    gold: Gold
    normalisation: str
    ids: tuple[str, ...]
    targets: Ints
    pos: NDArray[np.str_]
    rows: tuple[SeenItem, ...]
    scored: Bools
    has_mode: Bools
    total: Floats
    weights: Floats
    multiword: Bools
    letters: Bools
    is_multiword_item: Bools

    _columns: ClassVar[tuple[str, ...]] = ("weights", "multiword", "letters")

    @cached_property
    def maximum(self) -> Floats:
        """The greatest weight of each item, 0 where there is none."""
        return self.sum(self.weights, 1)

    @cached_property
    def single_words(self) -> GoldArrays:
        """The gold without multiword (or hyphenated) substitutes."""
        return self.keep(~self.multiword)

    @cached_property
    def alphabetic(self) -> GoldArrays:
        """The gold with only the substitutes made of letters a-z."""
        return self.keep(self.letters)


def make_gold_arrays(
    gold: Gold,
    policy: Normalisation,
    *,
    single_words: bool = False,
    multiword_items: frozenset[str] = frozenset(),
) -> GoldArrays:
    """Read a gold under a normalisation.

    Args:
        gold: the gold.
        policy: the normalisation.
        single_words: read it without multiword substitutes (subset NMWS).
        multiword_items: ids of the items that count as multiword items (mw).
    """
    seen = tuple(gold_under(gold, policy, single_words=single_words).values())
    rows = [one.row for one in seen]
    names = [target_of(item.lexelt) for item in gold.items.values()]
    codes: dict[str, int] = {}
    targets = [codes.setdefault(name, len(codes)) for name, _ in names]
    substitutes = [sorted(row.weights.items(), key=lambda entry: -entry[1]) for row in rows]
    flat = [entry for entries in substitutes for entry in entries]
    return GoldArrays(
        gold=gold,
        normalisation=policy.name,
        ids=tuple(gold.items),
        targets=np.array(targets, np.int64),
        pos=np.array([pos for _, pos in names], np.str_),
        rows=seen,
        scored=np.array([row.scored for row in rows], bool),
        has_mode=np.array([row.scored and row.mode is not None for row in rows], bool),
        total=np.array([row.total for row in rows], float),
        offsets=offsets_of(substitutes),
        weights=np.array([weight for _, weight in flat], float),
        multiword=np.array([is_multiword(s) for s, _ in flat], bool),
        letters=np.array([is_letters(s) for s, _ in flat], bool),
        is_multiword_item=np.array([item_id in multiword_items for item_id in gold.items], bool),
    )


def bincount(groups: Ints, values: Floats | Bools, size: int) -> Floats:
    """Sum values by group number."""
    return np.bincount(groups, values, size).astype(np.float64, copy=False)


@lru_cache(maxsize=1 << 16)
def target_of(text: str) -> tuple[str, str]:
    """Return the target (``lemma.pos``) and part of speech that a lexelt names."""
    try:
        lexelt = Lexelt.parse(text)
    except ValueError:
        return text, ""
    return f"{lexelt.lemma}.{lexelt.pos}", lexelt.pos


def is_multiword(substitute: str) -> bool:
    """Return True if a substitute has a blank or a hyphen; most GAP papers drop those."""
    return " " in substitute or "-" in substitute


def is_letters(substitute: str) -> bool:
    """Return True if a substitute has letters a-z only; LexSubGen keeps no others."""
    return substitute.isascii() and substitute.isalpha()


def offsets_of(lists: Sequence[Sequence[object]]) -> Ints:
    """Return where each list begins when all stand behind each other, and where the last ends."""
    return np.concatenate([[0], np.cumsum([len(entries) for entries in lists], dtype=np.int64)])


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

    _columns = ("gains", "judged", "multiword", "letters", "repeated", "is_mode", "is_target")

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
