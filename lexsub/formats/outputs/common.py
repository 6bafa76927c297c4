"""What the readers of system outputs share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import FormatError, LexsubError
from lexsub.rankings import Ranked, Ranking


@dataclass
class Collector:
    """Collects rankings item by item; an item that comes twice is an error.

    Attributes:
        path: the file, for messages.
    """

    path: Path
    _lines: dict[str, int] = field(default_factory=dict)
    _rankings: list[Ranking] = field(default_factory=list)

    def add(
        self,
        line: int,
        item_id: str,
        lexelt: str,
        substitutes: Sequence[str],
        scores: Sequence[float] | None = None,
    ) -> None:
        """Add the answers of one item.

        Substitutes are trimmed and empty ones dropped; nothing else is changed, duplicates
        stay.  With scores they are put in falling order, ties in the order given; without,
        the places score 0, -1, -2 … .

        Raises:
            FormatError: the id came before, or a score is not a number.
        """
        if item_id in self._lines:
            first = f" (first on line {self._lines[item_id]})" if self._lines[item_id] else ""
            raise FormatError(self.path, line or None, f"id {item_id} stands twice{first}")
        self._lines[item_id] = line
        if scores is None:
            scores = [0.0 - place for place in range(len(substitutes))]
        for substitute, score in zip(substitutes, scores, strict=True):
            if math.isnan(score):
                raise FormatError(
                    self.path, line or None, f"item {item_id}: {substitute!r} has score NaN"
                )
        pairs = sorted(zip(substitutes, scores, strict=True), key=lambda pair: -pair[1])
        ranked = tuple(Ranked(name.strip(), score) for name, score in pairs if name.strip())
        self._rankings.append(Ranking(item_id, lexelt, ranked))

    def rankings(self, expected: str) -> list[Ranking]:
        """Return what was collected.

        Raises:
            FormatError: nothing was; ``expected`` says what a line looks like.
        """
        if not self._rankings:
            raise FormatError(self.path, None, f"holds no answers; expected {expected}")
        return self._rankings


def number(text: str, path: Path, line: int) -> float:
    """Read a score.

    Raises:
        FormatError: it is not a number.
    """
    try:
        return float(text)
    except ValueError as error:
        raise FormatError(path, line, f"score {text!r}; expected a number") from error


def written(
    rankings: Iterable[Ranking], top: int | None, forbidden: str, needs_lexelt: bool
) -> list[tuple[Ranking, tuple[Ranked, ...]]]:
    """Return each ranking with the entries to write: the first ``top`` of those it has.

    Rankings without any entry are left out: in every one of these formats silence is the
    way to say nothing (a blank answer trips the official scorer).

    Raises:
        LexsubError: a substitute holds a character that separates answers in the format, or
            an item has no lexelt and the format needs one.
    """
    rows = []
    for ranking in rankings:
        entries = ranking.ranked[:top]
        if not entries:
            continue
        if needs_lexelt and not ranking.lexelt:
            raise LexsubError(
                f"item {ranking.id} has no lexelt, which the output format needs: name the "
                "gold or data set with --gold"
            )
        for entry in entries:
            bad = next((mark for mark in forbidden if mark in entry.substitute), None)
            if bad is not None:
                raise LexsubError(
                    f"item {ranking.id}: substitute {entry.substitute!r} holds {bad!r}, which "
                    "separates answers in the output format: choose another with --to"
                )
        rows.append((ranking, entries))
    return rows
