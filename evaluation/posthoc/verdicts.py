"""What judges' verdicts come to: one verdict a substitute, shares by origin (table 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexsub.formats.judgements import ANNOTATORS, PooledRow

Verdict = Literal["good", "reasonable", "bad", "undecided"]
VERDICTS: tuple[Verdict, ...] = ("good", "reasonable", "bad", "undecided")
SYSTEMS = "systems"


@dataclass(frozen=True, slots=True)
class OriginRow:
    """One row of table 8: the substitutes of one origin by verdict.

    Attributes:
        origin: ``annotators``, ``systems`` (any of them) or one system's name.
        counts: how many of its substitutes got each verdict.
    """

    origin: str
    counts: Mapping[Verdict, int]

    @property
    def total(self) -> int:
        """How many substitutes this origin has."""
        return sum(self.counts.values())

    def percent(self, verdict: Verdict) -> float:
        """Return a verdict's share in per cent (0 for an origin without substitutes)."""
        return 100 * self.counts[verdict] / self.total if self.total else 0.0


def decide(verdicts: Sequence[str]) -> Verdict:
    """Return the verdict of several judges (McCarthy and Navigli, 2007, section 5.1).

    More than half of the judges decide.  Where no verdict has more than half, one good and
    one reasonable make reasonable, whatever the rest.  Anything else (good against bad by
    two judges, say, which three cannot produce) is undecided.
    """
    counts = Counter(verdicts)
    for verdict in VERDICTS[:3]:
        if 2 * counts[verdict] > len(verdicts):
            return verdict
    return "reasonable" if counts["good"] and counts["reasonable"] else "undecided"


def table_8(
    rows: Iterable[PooledRow], verdicts: Mapping[tuple[str, str], Verdict]
) -> list[OriginRow]:
    """Return verdicts by origin: annotators, systems together, then each system by name.

    A substitute of more than one origin counts in each row (the paper does not say; taking
    both rows as "substitutes of this source" is the reading that needs no third row).

    Args:
        rows: the pool.
        verdicts: the decision on each (item, substitute).
    """
    counts: dict[str, Counter[Verdict]] = {ANNOTATORS: Counter(), SYSTEMS: Counter()}
    for row in rows:
        systems = [origin for origin in row.origins if origin != ANNOTATORS]
        origins = [*row.origins, *([SYSTEMS] if systems else [])]
        for origin in origins:
            counts.setdefault(origin, Counter())[verdicts[row.item, row.substitute]] += 1
    names = [ANNOTATORS, SYSTEMS, *sorted(set(counts) - {ANNOTATORS, SYSTEMS})]
    return [
        OriginRow(name, {verdict: counts[name][verdict] for verdict in VERDICTS}) for name in names
    ]
