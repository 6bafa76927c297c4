"""The data of the item browser, as compact JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from lexsub.boundary.curves import LARGEST
from lexsub.datasets import Item
from lexsub.evaluation.comparison import ALPHA
from lexsub.experiments.report.breakdown import origins
from lexsub.experiments.report.item_scores import ITEM_MEASURES, ItemScores
from lexsub.experiments.report.runs import RunSystem
from lexsub.matching.seen import SeenItem

LISTED = (30, 20, 15, 12, LARGEST)
"""How many candidates of an item are listed: the first number that keeps the page small."""

BUDGET = 4_300_000
"""Bytes that the data may take where fewer listed candidates can help it: with the charts and
tables of a dozen systems, a page of 5 MB."""

SAMPLED = 10
"""One item of so many shows how much all would take."""

_SHORTER = (("nan", ""), (" inf", " "), (" -inf", " "), (" 0.", " ."), (" -0.", " -."))

PARTS = 8
"""Score parts shown of a system, at most."""


def browser_data(item_scores: ItemScores) -> tuple[str, int]:
    """Return the data as JSON, and how many candidates of each ranking they hold."""
    text, listed = "", LISTED[-1]
    for listed in LISTED:
        # A few items mostly suffice to see that all of them would make the page too large.
        if listed != LISTED[-1] and SAMPLED * _size(_text(item_scores, listed, SAMPLED)) > BUDGET:
            continue
        text = _text(item_scores, listed)
        if _size(text) <= BUDGET:
            break
    return text, listed


def _text(item_scores: ItemScores, listed: int, step: int = 1) -> str:
    document = _Builder(item_scores, listed).document(step)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


class _Builder:
    """Numbers names once, so that items can refer to them."""

    def __init__(self, item_scores: ItemScores, listed: int) -> None:
        self.item_scores = item_scores
        self.listed = listed
        self.systems = item_scores.reported.answering
        # Systems that only cut in another way have the ranking of an earlier one.
        lists = [(id(system.rankings), id(system.details)) for system in self.systems]
        self.first = [lists.index(one) for one in lists]
        self.origins: dict[str, int] = {}
        self.targets: dict[str, int] = {}
        self.answered = {
            (system.name, task): {one.id: len(one.substitutes) for one in submission.answers}
            for system in self.systems
            for task, submission in system.answers.items()
        }

    def document(self, step: int = 1) -> dict[str, Any]:
        """Return everything: names, and a list for each item, or for one of ``step`` items.

        An item: id, target (a number), the sentence before it, it, and after it, gold answers
        and their weights in turn, candidates with the right ones first, weights of the right
        ones, origins of each candidate (numbers), for each system its ranking or null, and
        its figures by measure in thousandths.  A ranking: how many candidates are best and oot
        answers, the candidates (numbers), their scores, how many there are in all, the places of
        the gold answers (0: no candidate), and a column for each score part; or, where another
        system before it has the same ranking, only the first two and the number of that system.
        Scores and score parts are text, which takes less room: :func:`_column`.
        """
        values = np.stack([self.item_scores.values[measure] for measure in ITEM_MEASURES])
        items = [
            self._item(item, values[:, :, row])
            for row, item in list(enumerate(self.item_scores.reported.data.items))[::step]
        ]
        return {
            "listed": self.listed,
            "measures": ITEM_MEASURES,
            "alpha": ALPHA,
            "systems": [[one.letter, one.name, part_names(one)] for one in self.systems],
            "targets": list(self.targets),
            "origins": list(self.origins),
            "items": items,
        }

    def _item(self, item: Item, values: np.ndarray[Any, Any]) -> list[Any]:
        gold = self.item_scores.gold.get(item.id)
        answers = gold.item.positive if gold else {}
        candidates = self._candidates(item, gold)
        places = {name: place for place, name in enumerate(candidates)}
        right = filter(None, gold.weights(list(places))) if gold else ()
        return [
            item.id,
            self.targets.setdefault(str(item.lexelt), len(self.targets)),
            item.text[: item.start],
            item.target,
            item.text[item.end :],
            [_short(x) for pair in answers.items() for x in pair],
            list(places),
            [_short(weight) for weight in right],
            [self._numbers(names) for names in candidates.values()],
            [self._entry(number, item, gold, places) for number in range(len(self.systems))],
            [list(map(_thousandths, figures)) for figures in values.T.tolist()],
        ]

    def _candidates(self, item: Item, gold: SeenItem | None) -> dict[str, tuple[str, ...]]:
        """Return the candidates that some system lists, right ones first, with their origins."""
        found: dict[str, tuple[str, ...]] = {}
        for system in self.systems:
            ranking = system.rankings.get(item.id)
            shown = ranking.ranked[: self.listed] if ranking else ()
            for entry, named in zip(shown, origins(system, item.id), strict=False):
                before = found.setdefault(entry.substitute, named)
                if before != named:
                    found[entry.substitute] = tuple(dict.fromkeys((*before, *named)))
        order = sorted(found, key=lambda name: not (gold and gold.weight(name)))
        return {name: _closest(found[name]) for name in order}

    def _numbers(self, names: Iterable[str]) -> int | list[int]:
        numbers = [self.origins.setdefault(name, len(self.origins)) for name in names]
        return numbers[0] if len(numbers) == 1 else numbers

    def _entry(
        self, number: int, item: Item, gold: SeenItem | None, places: Mapping[str, int]
    ) -> list[Any] | None:
        system, first = self.systems[number], self.first[number]
        if item.id not in system.rankings:
            return None
        answers = [
            self.answered.get((system.name, task), {}).get(item.id, 0) for task in ("best", "oot")
        ]
        if first < number:
            return [*answers, first]
        return [*answers, *self._ranking(system, item, gold, places)]

    def _ranking(
        self, system: RunSystem, item: Item, gold: SeenItem | None, places: Mapping[str, int]
    ) -> list[Any]:
        ranking = system.rankings[item.id]
        shown = ranking.ranked[: self.listed]
        rank: dict[str, int] = {}
        if gold:
            forms = gold.forms([entry.substitute for entry in ranking.ranked])
            # Backwards, so that of several places of a form the first one stays.
            rank = dict(zip(reversed(forms), range(len(forms), 0, -1), strict=True))
        details = system.details.get(item.id)
        columns = list(details.parts.values())[:PARTS] if details else []
        return [
            [places[entry.substitute] for entry in shown],
            _column(entry.score for entry in shown),
            len(ranking.ranked),
            [rank.get(form, 0) for form in gold.forms(list(gold.item.positive))] if gold else [],
            [_column(column[: self.listed]) for column in columns],
        ]


def part_names(system: RunSystem) -> list[str]:
    """Return the names of the score parts that are shown of a system."""
    first = next((one for one in system.details.values() if one.parts), None)
    return list(first.parts)[:PARTS] if first else []


@lru_cache(maxsize=1 << 12)
def _closest(names: tuple[str, ...]) -> tuple[str, ...]:
    """Drop a source without relation where another run names the one by which it proposed."""
    return tuple(n for n in names if not any(other.startswith(f"{n}: ") for other in names))


def _column(values: Iterable[float | None]) -> str:
    """Return numbers with four digits that count, parted by blanks; "" for no number.

    They are most of a page: without marks, and without the naught before the point.
    """
    numbers = tuple(math.nan if value is None else value for value in values)
    text = " %.4g" * len(numbers) % numbers
    for long, short in _SHORTER:
        text = text.replace(long, short)
    return text[1:]


def _short(value: object) -> object:
    """Return a number with four digits that count, whole where it is; None for no number."""
    if not isinstance(value, int | float):
        return value
    if not math.isfinite(value):
        return None
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded == int(rounded) else rounded


def _thousandths(value: float) -> int | None:
    return None if math.isnan(value) else round(1000 * value)
