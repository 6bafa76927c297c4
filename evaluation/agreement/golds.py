"""Two golds compared: correlation, origins, spread, frequency (Tanguy et al., 2016).

What annotators (gold 1) and systems proposed was judged again (gold 2), and the two scores of each
substitute in its sentence were compared: both are one pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexsub.datasets import GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.agreement import Report


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation, ties on mid-ranks.

    Attributes:
        rho: the coefficient, or None where one side is constant or there are fewer than 3 pairs.
        p: two-sided p-value by the t approximation, or None.
        pairs: how many pairs it is computed from.
        skipped: how many were left out because they lack a value.
    """

    rho: float | None
    p: float | None
    pairs: int
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class OriginColumn:
    """One column of table 1: how substitutes of one origin scored in gold 2.

    Attributes:
        origin: who proposed them.
        count: how many they are.
        bins: how many score in [0, 1), [1, 2), [2, 3) and exactly the top, 3.
    """

    origin: Origin
    count: int
    bins: tuple[int, int, int, int]

    @property
    def percent(self) -> tuple[float, ...]:
        """The bins as per cent of the column (0 where it is empty)."""
        return tuple(100 * size / self.count if self.count else 0.0 for size in self.bins)


@dataclass(frozen=True, slots=True)
class Box:
    """One box of figure 1: score 2 of the substitutes with one score 1.

    Quartiles interpolate linearly; whiskers reach the last value within 1.5 interquartile
    ranges of the box (Tukey) and at least its edge; what lies beyond is an outlier.
    """

    score1: float
    count: int
    mean: float
    low: float
    quartile1: float
    median: float
    quartile3: float
    high: float
    outliers: int


@dataclass(frozen=True, slots=True)
class RankSum:
    """Wilcoxon's rank-sum test of frequencies: substitutes new in gold 2 against old ones.

    Attributes:
        old: how many old substitutes have a frequency.
        new: how many new ones have one.
        skipped: how many were left out because they have none.
        median_old: median frequency of the old ones.
        median_new: median frequency of the new ones.
        z: the statistic; negative where new substitutes are rarer.
        p: two-sided p-value by the normal approximation.
    """

    old: int
    new: int
    skipped: int
    median_old: float
    median_new: float
    z: float
    p: float


def spearman(pairs: Sequence[tuple[float, float]], skipped: int = 0) -> Correlation:
    """Return Spearman's correlation of pairs."""
    left, right = [one for one, _ in pairs], [other for _, other in pairs]
    if len(pairs) < 3 or len(set(left)) == 1 or len(set(right)) == 1:
        return Correlation(None, None, len(pairs), skipped)
    from scipy.stats import spearmanr

    result = spearmanr(left, right)
    return Correlation(float(result.statistic), float(result.pvalue), len(pairs), skipped)


def score_correlation(rows: Iterable[PooledSubstitute], *, whole_pool: bool) -> Correlation:
    """Return the correlation of score 1 with score 2.

    Args:
        rows: the pool.
        whole_pool: over the whole pool, where a substitute missing from gold 1 scores 0
            there (.61 in the paper); else over the substitutes of gold 1 (.42).
    """
    return spearman([(row.score1, row.score2) for row in rows if whole_pool or row.score1 > 0])


def frequency_correlation(scored: Iterable[tuple[float, float | None]]) -> Correlation:
    """Return the correlation of scores with (log) frequency.

    Ranks are those of the frequencies as of their logarithms.  Substitutes without a
    frequency (None or 0) are left out and counted.
    """
    pairs = list(scored)
    kept = [(score, frequency) for score, frequency in pairs if frequency]
    return spearman(kept, len(pairs) - len(kept))


def by_origin(rows: Iterable[PooledSubstitute], top: float = 3) -> tuple[OriginColumn, ...]:
    """Return table 1: score 2 by origin, ``top`` being the highest possible rating.

    Raises:
        LexsubError: a score 2 outside 0 … top.
    """
    cells = {origin: [0, 0, 0, 0] for origin in ORIGINS}
    for row in rows:
        if not 0 <= row.score2 <= top:
            raise LexsubError(
                f"item {row.item}: {row.substitute!r} scores {row.score2:g}; expected 0 to {top:g} "
                "(the highest rating is --max-rating)"
            )
        if row.origin is not None:
            third = top / 3
            place = 3 if row.score2 == top else min(2, int(row.score2 / third))
            cells[row.origin][place] += 1
    return tuple(
        OriginColumn(origin, sum(bins), (bins[0], bins[1], bins[2], bins[3]))
        for origin, bins in cells.items()
    )


def boxes(rows: Iterable[PooledSubstitute]) -> tuple[Box, ...]:
    """Return figure 1: a box of score 2 for each value of score 1, 0 included."""
    import numpy as np

    groups: dict[float, list[float]] = {}
    for row in rows:
        groups.setdefault(row.score1, []).append(row.score2)
    drawn = []
    for score1, values in sorted(groups.items()):
        data = np.sort(np.array(values))
        first, median, third = (float(q) for q in np.quantile(data, [0.25, 0.5, 0.75]))
        reach = 1.5 * (third - first)
        inside = data[(data >= first - reach) & (data <= third + reach)]
        low, high = min(float(inside[0]), first), max(float(inside[-1]), third)
        size, outliers = len(values), len(values) - len(inside)
        drawn.append(
            Box(score1, size, float(data.mean()), low, first, median, third, high, outliers)
        )
    return tuple(drawn)


def frequency_test(
    rows: Iterable[PooledSubstitute], frequency: Callable[[PooledSubstitute], float | None]
) -> RankSum | None:
    """Compare the frequencies of new substitutes with those of old ones.

    Old are those of gold 1; new are those that systems alone proposed and gold 2 accepts
    (score above 0), since the others make no new gold.

    Returns:
        The test, or None where either side is empty.
    """
    old: list[float] = []
    new: list[float] = []
    skipped = 0
    for row in rows:
        if row.score1 == 0 and (row.origin != "systems only" or row.score2 <= 0):
            continue
        count = frequency(row)
        if not count:
            skipped += 1
        else:
            (old if row.score1 > 0 else new).append(count)
    if not old or not new:
        return None
    import numpy as np
    from scipy.stats import ranksums

    figures = np.median(old), np.median(new), *ranksums(new, old)
    return RankSum(len(old), len(new), skipped, *map(float, figures))


Origin = Literal["annotators only", "systems only", "both"]
ORIGINS: tuple[Origin, ...] = ("annotators only", "systems only", "both")


@dataclass(frozen=True, slots=True)
class PooledSubstitute:
    """A substitute of an item under both golds.

    Attributes:
        item: the item's id.
        lexelt: the target word type.
        substitute: the substitute.
        score1: its weight in gold 1, 0 where gold 1 does not have it.
        score2: its weight in gold 2, 0 where gold 2 does not have it.
        origin: who proposed it, or None where neither did (it is in gold 2 alone).
    """

    item: str
    lexelt: str
    substitute: str
    score1: float
    score2: float
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Pool:
    """The pool of two golds and some systems.

    Attributes:
        substitutes: by item in gold 1's order; within it gold 1, then systems, then gold 2.
        items: how many items both golds have.
        only_in_one: how many items one gold alone has; they are left out.
    """

    substitutes: tuple[PooledSubstitute, ...]
    items: int
    only_in_one: int


def pool(
    gold1: Mapping[str, GoldItem],
    gold2: Mapping[str, GoldItem],
    systems: Iterable[Mapping[str, Sequence[str]]] = (),
) -> Pool:
    """Pool the substitutes of two golds and of systems, item by item.

    Gold 2 files leave out substitutes rated 0, so one that was proposed and is not in gold 2
    scores 0 there; items that gold 2 lacks altogether were not judged and are left out.

    Args:
        gold1: what annotators proposed (weights above 0).
        gold2: the later judgement.
        systems: for each system its answers by item id, already cut as they were judged.
    """
    runs = list(systems)
    shared = [item_id for item_id in gold1 if item_id in gold2]
    rows: list[PooledSubstitute] = []
    for item_id in shared:
        annotated, judged = gold1[item_id].positive, gold2[item_id].weights
        answered = dict.fromkeys(name for run in runs for name in run.get(item_id, ()))
        for name in dict.fromkeys([*annotated, *answered, *judged]):
            origin: Origin | None = None
            if name in annotated:
                origin = "both" if name in answered else "annotators only"
            elif name in answered:
                origin = "systems only"
            scores = annotated.get(name, 0.0), judged.get(name, 0.0)
            rows.append(PooledSubstitute(item_id, gold1[item_id].lexelt, name, *scores, origin))
    return Pool(tuple(rows), len(shared), len(set(gold1) ^ set(gold2)))


@dataclass(frozen=True, slots=True, repr=False)
class GoldReport(Report):
    """Two golds compared (SemDis).

    ``origins`` is None without a system's answers, the frequency figures without a list.
    """

    items: int
    only_in_one: int
    substitutes: int
    in_gold1: Correlation
    whole_pool: Correlation
    boxes: tuple[Box, ...]
    origins: tuple[OriginColumn, ...] | None
    frequency1: Correlation | None
    frequency2: Correlation | None
    new_against_old: RankSum | None


def report_golds(
    gold1: Mapping[str, GoldItem],
    gold2: Mapping[str, GoldItem],
    systems: Iterable[Mapping[str, Sequence[str]]] = (),
    frequency: Callable[[PooledSubstitute], float | None] | None = None,
    top_rating: float = 3,
) -> GoldReport:
    """Return every figure that two golds give, with systems' answers and frequencies if given.

    Raises:
        LexsubError: the golds share no item, or gold 2 has a score above ``top_rating``.
    """
    runs = list(systems)
    pooled_golds = pool(gold1, gold2, runs)
    rows = pooled_golds.substitutes
    if not rows:
        raise LexsubError("the two golds share no item: expected golds of the same sentences")
    origins = by_origin(rows, top_rating) if runs else None
    first = second = test = None
    if frequency is not None:
        known = [(row, frequency(row)) for row in rows]
        first = frequency_correlation((row.score1, n) for row, n in known if row.score1 > 0)
        second = frequency_correlation((row.score2, n) for row, n in known)
        test = frequency_test(rows, frequency)
    sizes = pooled_golds.items, pooled_golds.only_in_one, len(rows)
    in_gold1, whole = (score_correlation(rows, whole_pool=one) for one in (False, True))
    return GoldReport(*sizes, in_gold1, whole, boxes(rows), origins, first, second, test)
