"""Cut where the expected coverage F is greatest, given how probable candidates are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.boundary.curves import LARGEST, Learned, Memory, sample
from lexsub.boundary.features import Others, features, width
from lexsub.datasets import Lexelt
from lexsub.errors import LexsubError, needing
from lexsub.parts.base import BoundaryContext
from lexsub.parts.limits import AboveZero, NotNegative, Positive
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]

NEEDS = ("scikit-learn", "learn", "boundary expected-f")
"""A library, the extra that brings it, and what wants it."""


@dataclass(frozen=True)
class Weights:
    """How much people's answers weigh, as met in the tuning split.

    Attributes:
        hit: probability of each weight 1, 2, … of a right candidate, shape (weights,).
        total: probability of each total 0, 1, … of an item, shape (totals,).
    """

    hit: Floats
    total: Floats

    @classmethod
    def of(cls, hits: Sequence[float], totals: Sequence[float]) -> Weights:
        """Return the shares of the (rounded) weights and totals met."""
        hit = np.bincount(np.maximum(1, np.rint(hits)).astype(int))[1:] if len(hits) else [1]
        total = np.bincount(np.maximum(1, np.rint(totals)).astype(int))
        return cls(np.asarray(hit) / np.sum(hit), total / total.sum())


def plug_in(chances: Floats, weights: Weights, penalty: float) -> Floats:
    """Return F of the expected sums for each cut: quick, and biased."""
    mean = float((np.arange(1, len(weights.hit) + 1) * weights.hit).sum())
    total = float((np.arange(len(weights.total)) * weights.total).sum())
    right = np.cumsum(chances) * mean
    wrong = np.cumsum(1 - chances)
    return 2 * right / (right + penalty * wrong + total)


def exact_table(weights: Weights, penalty: float, largest: int) -> Floats:
    """Return expected F by right and wrong answers, for :func:`exact`.

    A right answer has a weight drawn from ``weights.hit``, the item's total is drawn from those
    of ``weights.total`` that are at least the weight found.

    Args:
        weights: how much answers weigh.
        penalty: weight of a wrong answer in precision.
        largest: candidates of a ranking, at most.

    Returns:
        shape (largest + 1, largest + 1).
    """
    weight_found = np.arange(largest * len(weights.hit) + 1, dtype=np.float64)
    size = max(len(weights.total), len(weight_found))
    total = np.arange(size, dtype=np.float64)
    prior = np.zeros(size)
    prior[: len(weights.total)] = weights.total
    given = np.where(total[None, :] >= weight_found[:, None], prior[None, :], 0.0)
    # Where more was found than any total seen in training, the total is what was found.
    beyond = given.sum(axis=1) == 0
    given[beyond, weight_found[beyond].astype(int)] = 1.0
    given /= given.sum(axis=1, keepdims=True)
    wrong = np.arange(largest + 1, dtype=np.float64)
    below = weight_found[:, None, None] + penalty * wrong[None, :, None] + total[None, None, :]
    ratio = 2 * weight_found[:, None, None] / np.maximum(below, 1e-300)
    by_weight = (ratio * given[:, None, :]).sum(axis=2)
    # How much so many right answers weigh together does not depend on which they are.
    weight = np.zeros((largest + 1, len(weight_found)))
    weight[0, 0] = 1.0
    next_weight = np.concatenate([[0.0], weights.hit])
    for right in range(1, largest + 1):
        weight[right] = np.convolve(weight[right - 1], next_weight)[: len(weight_found)]
    return np.asarray(weight @ by_weight)


def exact(chances: Floats, values: Floats) -> Floats:
    """Return the exact expectation of F for each cut.

    Candidates are right independently of each other; the distribution of the number of right
    answers grows candidate by candidate.

    Args:
        chances: of the candidates of being right.
        values: as of :func:`exact_table`, made once for all rankings.
    """
    state = np.zeros(len(chances) + 1)
    state[0] = 1.0
    scores = np.zeros(len(chances))
    for n, chance in enumerate(chances, start=1):
        right = np.arange(n + 1)
        state[1 : n + 1] = (1 - chance) * state[1 : n + 1] + chance * state[:n]
        state[0] *= 1 - chance
        scores[n - 1] = state[: n + 1] @ values[right, n - right]
    return scores


STRENGTH = 1.0
"""Of the ridge penalty, in items."""


@dataclass(frozen=True)
class Sizes:
    """Groups of items by the total that a linear model expects of them.

    Attributes:
        weights: of the item's features, the last the constant.
        edges: expected totals at which the next group begins.
    """

    weights: Floats
    edges: Floats

    @classmethod
    def learn(
        cls,
        rankings: Sequence[Ranking],
        chances: Sequence[Floats],
        totals: Sequence[float],
        groups: int,
    ) -> tuple[Sizes, NDArray[np.int64]]:
        """Fit the model by ridge regression and part the items into groups of one size.

        Args:
            rankings: of items with gold.
            chances: of their first candidates of being right.
            totals: weight of all human answers of each item.
            groups: how many groups.

        Returns:
            The groups, and the group of each item.
        """
        x = np.stack([describe(r, c) for r, c in zip(rankings, chances, strict=True)])
        penalty = STRENGTH * np.eye(x.shape[1])
        penalty[-1, -1] = 0.0
        # The constant may take any value, so the system always has one solution but for it.
        weights = np.linalg.lstsq(x.T @ x + penalty, x.T @ np.array(totals), rcond=None)[0]
        edges = np.quantile(x @ weights, np.arange(1, groups) / groups)
        sizes = cls(weights, edges)
        return sizes, np.searchsorted(edges, x @ weights, side="right")

    def group(self, ranking: Ranking, chances: Floats) -> int:
        """Return the group of an item."""
        expected = float(describe(ranking, chances) @ self.weights)
        return int(np.searchsorted(self.edges, expected, side="right"))


def describe(ranking: Ranking, chances: Floats) -> Floats:
    """Return an item's features: chances (their sum, the first, their evenness), part of speech."""
    share = chances / max(chances.sum(), 1e-12)
    entropy = -(share * np.log(np.maximum(share, 1e-12))).sum()
    pos = Lexelt.parse(ranking.lexelt).pos
    first = chances[0] if len(chances) else 0.0
    return np.array([chances.sum(), first, entropy, *(float(pos == one) for one in "nvar"), 1.0])


@dataclass(frozen=True)
class ExpectedF(Learned):
    """Learn how probably each candidate is right, then cut for the greatest expected F.

    A calibrated classifier gives each of the first candidates its chance of being in the
    gold, from the shape of the ranking (and what other systems think of it); the cut is the
    n that maximises the expectation of coverage F under the penalty.  Chosen and compared in
    the way of Jabbari, Hepple and Guthrie (2010), who leave the boundary open.

    Attributes:
        others: names of systems of the same run, over the same candidates, whose rankings
            are looked at too.
        learner: ``logistic`` regression, or ``isotonic``: an isotonic map of its score.
        expectation: ``exact``, or ``plug-in``: F of the expected sums.
        penalty: weight of a wrong answer in precision.
        largest: keep no more than this many.
        regularisation: strength of the logistic regression's L2 penalty.
        sizes: groups into which items fall by the number of human answers that their ranking
            makes one expect; each has totals of its own.  1 takes all items alike.
    """

    others: tuple[str, ...] = ()
    learner: Literal["logistic", "isotonic"] = "logistic"
    expectation: Literal["exact", "plug-in"] = "exact"
    penalty: NotNegative = 1.0
    largest: Positive = LARGEST
    regularisation: AboveZero = 10.0
    sizes: Positive = 1

    extras = (("sklearn", *NEEDS),)

    def fit(self, context: BoundaryContext) -> ExpectedCutter:
        """Learn chances and weights from the tuning split.

        Raises:
            LexsubError: no tuning split, or nothing to learn in it.
            MissingExtraError: scikit-learn is not installed.
        """
        seen = sample(context, "expected-f")
        given: Any = context.options.get("others", {})
        memory = Memory.of(context)
        rows = [self._features(r, given, memory) for r in seen.rankings]
        counted = [
            float(w) for judged in seen.outcomes for w in judged.right[: self.largest] if w > 0
        ]
        hits = [
            judged.right[: len(row)] > 0 for judged, row in zip(seen.outcomes, rows, strict=True)
        ]
        x, y = np.concatenate(rows), np.concatenate(hits)
        if y.all() or not y.any():
            raise LexsubError(
                f"boundary expected-f: of {len(y)} candidates of the tuning split "
                f"{'all' if y.any() else 'none'} are right; there is nothing to learn"
            )
        chances = learn(x, y, self.learner, self.regularisation)
        totals = np.array([judged.total for judged in seen.outcomes])
        chances_of = [chances(row) for row in rows]
        sizes, groups = Sizes.learn(seen.rankings, chances_of, totals.tolist(), self.sizes)
        weights = [
            Weights.of(counted, totals[groups == group].tolist()) for group in range(self.sizes)
        ]
        make = partial(self._features, given=given, memory=memory)
        return ExpectedCutter(chances, sizes, weights, self._expectations(weights), make)

    def kept(self, cutter: ExpectedCutter) -> dict[str, Any]:
        """Return what was learned as plain JSON values, for :meth:`again`."""
        steps = cutter.calibrated.steps
        return {
            "weights": cutter.calibrated.weights.tolist(),
            "bias": cutter.calibrated.bias,
            "steps": None if steps is None else [values.tolist() for values in steps],
            "sizes": [cutter.sizes.weights.tolist(), cutter.sizes.edges.tolist()],
            "groups": [[group.hit.tolist(), group.total.tolist()] for group in cutter.weights],
        }

    def again(self, kept: Mapping[str, Any]) -> ExpectedCutter:
        """Return the working boundary from what :meth:`kept` has returned.

        Raises:
            ValueError, KeyError, TypeError: it is something else.
        """

        def numbers(values: Any) -> Floats:
            array = np.asarray(values, np.float64)
            if array.ndim != 1 or not np.isfinite(array).all():
                raise ValueError("expected lists of finite numbers")
            return array

        steps = kept["steps"]
        first, second = (None, None) if steps is None else map(numbers, steps)
        chances = Chances(
            numbers(kept["weights"]),
            float(kept["bias"]),
            None if first is None or second is None else (first, second),
        )
        if len(chances.weights) != width(len(self.others)):
            raise ValueError(f"{len(chances.weights)} weights; expected {width(len(self.others))}")
        sizes = Sizes(*map(numbers, kept["sizes"]))
        weights = [Weights(*map(numbers, group)) for group in kept["groups"]]
        if len(weights) != self.sizes or len(sizes.edges) != self.sizes - 1:
            raise ValueError(f"{len(weights)} groups; expected {self.sizes}")
        # Chances and cut of one ranking are asked for one after the other, by a server for ever
        # new rankings: all but the last are forgotten.
        make = partial(self._features, given={}, memory=Memory(most=1))
        return ExpectedCutter(chances, sizes, weights, self._expectations(weights), make)

    def _expectations(self, weights: Sequence[Weights]) -> list[Callable[[Floats], Floats]]:
        if self.expectation == "exact":
            tables = [exact_table(group, self.penalty, self.largest) for group in weights]
            return [partial(exact, values=values) for values in tables]
        return [partial(plug_in, weights=group, penalty=self.penalty) for group in weights]

    def _features(self, ranking: Ranking, given: Others, memory: Memory) -> Floats:
        make = partial(features, ranking, self.others, given, self.largest)
        return memory.once(ranking, ("features", self.others, self.largest), make)


@dataclass(frozen=True, slots=True)
class ExpectedCutter:
    """Cuts by what was learned."""

    calibrated: Chances
    sizes: Sizes
    weights: Sequence[Weights]
    expect: Sequence[Callable[[Floats], Floats]]
    features: Callable[[Ranking], Floats]

    def chances(self, ranking: Ranking) -> Floats:
        """Return the chance of each of the first candidates of being in the gold."""
        return self.calibrated(self.features(ranking))

    def cut(self, ranking: Ranking) -> int:
        """Return the n of the greatest expected F, the smaller of equals."""
        if not ranking.ranked:
            return 0
        chances = self.chances(ranking)
        expect = self.expect[self.sizes.group(ranking, chances)]
        return int(expect(chances).argmax()) + 1


@dataclass(frozen=True, slots=True)
class Chances:
    """From features to the chance of being right.

    Attributes:
        weights: of the features.
        bias: what is added.
        steps: of an isotonic map of the sum, (sums, chances); None for the logistic one.
    """

    weights: Floats
    bias: float
    steps: tuple[Floats, Floats] | None = None

    def __call__(self, row: Floats) -> Floats:
        """Return the chances of candidates; features of shape (candidates, features)."""
        sums = row @ self.weights + self.bias
        if self.steps is not None:
            return np.interp(sums, *self.steps)
        # Not by scipy, whose import takes longer than a sentence.
        with np.errstate(over="ignore"):
            chances: Floats = 1 / (1 + np.exp(-sums))
        return chances


def learn(x: Floats, y: NDArray[np.bool_], learner: str, regularisation: float) -> Chances:
    """Return a function from features to the chance of being right.

    Args:
        x: features, shape (candidates, features).
        y: which candidates are right.
        learner: ``logistic`` or ``isotonic``; see :class:`ExpectedF`.
        regularisation: strength of the L2 penalty.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    with needing(*NEEDS):
        from sklearn.isotonic import IsotonicRegression
        from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=1 / regularisation, max_iter=2000)
    # With so few numbers one thread is faster than several.
    with threadpool_limits(1):
        model.fit((x - mean) / scale, y)
    # As one product: asking the library item by item costs more than the arithmetic.
    weights = model.coef_[0] / scale
    bias = float(model.intercept_[0] - mean @ weights)
    if learner == "logistic":
        return Chances(weights, bias)
    steps = IsotonicRegression(out_of_bounds="clip").fit(x @ weights + bias, y)
    return Chances(weights, bias, (steps.X_thresholds_, steps.y_thresholds_))
