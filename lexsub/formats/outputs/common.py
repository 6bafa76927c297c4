"""What the readers of system outputs share."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import FormatError, LexsubError, Place
from lexsub.formats.semeval_lines import LONGEST_LINE
from lexsub.rankings import Ranked, Ranking

_COLONS = re.compile(":{2,4}")
_SURROGATES = re.compile("[\ud800-\udfff]")


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
        at: Place,
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
            raise at.fault(f"id {item_id} stands twice{first}")
        self._lines[item_id] = at.line
        if scores is None:
            scores = [0.0 - place for place in range(len(substitutes))]
        for substitute, score in zip(substitutes, scores, strict=True):
            if math.isnan(score):
                raise at.fault(f"item {item_id}: {substitute!r} has score NaN")
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


def number(text: str, at: Place) -> float:
    """Read a score.

    Raises:
        FormatError: it is not a number.
    """
    try:
        return float(text)
    except ValueError as error:
        raise at.fault(f"score {text!r}; expected a number") from error


def written(
    rankings: Iterable[Ranking],
    top: int | None,
    forbidden: str = "",
    *,
    lines: bool = False,
    scored: bool = True,
) -> list[tuple[Ranking, tuple[Ranked, ...]]]:
    """Return each ranking with the entries to write: the first ``top`` of those it has.

    Rankings without any entry are left out: in every one of these formats silence is the
    way to say nothing (a blank answer trips the official scorer).  What the format's reader
    would refuse, or read as something else, is refused here.

    Args:
        rankings: what to write.
        top: how many entries of each, or None for all.
        forbidden: characters that part answers, fields or lines in the format.
        lines: whether lexelt and id stand in one field, a blank between them.
        scored: whether the format has scores.

    Raises:
        LexsubError: an id, lexelt, substitute or score that the format cannot say, an id that
            stands twice, or no answer at all.
    """
    rows: dict[str, tuple[Ranking, tuple[Ranked, ...]]] = {}
    for ranking in rankings:
        entries = ranking.ranked[:top]
        if not entries:
            continue
        if lines and not ranking.lexelt:
            raise LexsubError(
                f"item {ranking.id} has no lexelt, which the output format needs: name the "
                "gold or data set with --gold"
            )
        if ranking.id in rows:
            raise LexsubError(f"id {ranking.id!r} stands twice; expected one ranking an item")
        _check_head(ranking, forbidden, lines)
        for entry in entries:
            _check_text(ranking, "substitute", entry.substitute, forbidden)
            if not entry.substitute or entry.substitute != entry.substitute.strip():
                raise _cannot(
                    ranking,
                    f"substitute {entry.substitute!r} is empty or begins or ends with a blank",
                )
        scores = [entry.score for entry in entries]
        if scored and not all(map(operator.ge, scores, [*scores[1:], -math.inf])):
            raise _cannot(ranking, f"scores {str(scores)[:80]} do not fall")
        rows[ranking.id] = (ranking, entries)
    if not rows:
        raise LexsubError("there is no answer to write; expected a substitute of one item or more")
    return list(rows.values())


def _check_head(ranking: Ranking, forbidden: str, lines: bool) -> None:
    _check_text(ranking, "id", ranking.id, forbidden)
    _check_text(ranking, "lexelt", ranking.lexelt, forbidden)
    if not ranking.id:
        raise _cannot(ranking, "the id is empty")
    if not lines:
        return
    if ranking.id.split() != [ranking.id] or _COLONS.fullmatch(ranking.id):
        raise _cannot(ranking, f"id {ranking.id!r} is no single word")
    words = ranking.lexelt.split()
    if (
        ranking.lexelt != " ".join(words)
        or ranking.lexelt.startswith("\ufeff")
        or any(map(_COLONS.fullmatch, words))
    ):
        raise _cannot(ranking, f"lexelt {ranking.lexelt!r} is no words with single blanks")


def _check_text(ranking: Ranking, what: str, text: str, forbidden: str) -> None:
    if bad := next((mark for mark in (*forbidden, "\0") if mark in text), None):
        raise _cannot(ranking, f"{what} {text!r} holds {bad!r}")
    if _SURROGATES.search(text):
        raise _cannot(ranking, f"{what} {text!r} holds half a character")


def _cannot(ranking: Ranking, problem: str) -> LexsubError:
    return LexsubError(
        f"item {ranking.id[:60]!r}: {problem}, which the output format cannot say: choose another "
        "with --to"
    )


def short_enough(line: str) -> str:
    """Return a line that is to be written.

    Raises:
        LexsubError: it is longer than readers take.
    """
    if len(line) > LONGEST_LINE:
        raise LexsubError(
            f"{line[:60]!r} … would be a line of {len(line)} characters; expected at most "
            f"{LONGEST_LINE}: keep fewer answers with --top"
        )
    return line
