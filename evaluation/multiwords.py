"""The mw task as arrays and sheets: every id that gold or systems name is a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from lexsub.evaluation.gold_arrays import GoldArrays, make_gold_arrays
from lexsub.evaluation.sheets import Answered, Sheet, make_sheet
from lexsub.golds import Gold, GoldItem, mode_of
from lexsub.matching import GoldRow, Normalisation, clean
from lexsub.matching.script import read_multiword_gold


def multiword_modes(gold: Gold, policy: Normalisation) -> dict[str, str]:
    """Return the multiword of each multiword item.

    An item counts if two people agree on a multiword and no other has as many votes.
    """
    if policy.name == "official":
        items = list(gold.multiwords.values())
        text = "".join(
            f"x.n {number} :: {item.source or _votes(item)}\n" for number, item in enumerate(items)
        )
        modes = read_multiword_gold(text).modes
        return {items[int(number)].id: mode for number, mode in modes.items()}
    found = {}
    for item in gold.multiwords.values():
        votes: dict[str, float] = {}
        for multiword, weight in item.weights.items():
            votes[clean(multiword)] = votes.get(clean(multiword), 0.0) + weight
        mode = mode_of(votes)
        if mode is not None and votes[mode] >= 2:
            found[item.id] = mode
    return found


def multiword_arrays(
    gold: Gold, policy: Normalisation, answered: Iterable[tuple[str, str]]
) -> GoldArrays:
    """Make the arrays of the mw task.

    Args:
        gold: the gold; its ``multiwords`` are the mw gold.
        policy: the normalisation.
        answered: (id, lexelt) of every mw answer of every system to be scored; an answer to
            an item without any gold is a multiword found where there is none.
    """
    items = dict(gold.items) | {
        item_id: item for item_id, item in gold.multiwords.items() if item_id not in gold.items
    }
    for item_id, lexelt in answered:
        items.setdefault(item_id, GoldItem(item_id, lexelt, {}))
    modes = multiword_modes(gold, policy)
    rows = _Modes(policy.name, modes)
    whole = replace(gold, items=items, mapping={})
    return make_gold_arrays(whole, rows, multiword_items=frozenset(modes))


def multiword_sheet(arrays: GoldArrays, answered: Mapping[str, Answered]) -> Sheet:
    """Judge a system's multiwords."""
    sheet = make_sheet(arrays, answered)
    if arrays.normalisation == "official":
        return sheet
    return replace(sheet, listed=np.array(sheet.attempted))


class _Modes(Normalisation):
    """Reads an mw gold: one answer, the multiword."""

    def __init__(self, name: str, modes: Mapping[str, str]) -> None:
        self.name = name
        self._modes = modes

    def rows(self, gold: Gold, *, single_words: bool = False) -> list[GoldRow]:
        return [self._row(self._modes.get(item_id)) for item_id in gold.items]

    def _row(self, mode: str | None) -> GoldRow:
        weights = {} if mode is None else {mode: 1.0}
        return GoldRow(weights, weights, frozenset(weights), float(len(weights)), mode, True)

    def answers(
        self, item: GoldItem, answers: Sequence[str], *, single_words: bool = False
    ) -> list[str]:
        given = list(answers)[:1]
        if self.name != "official":
            given = [clean(answer) for answer in given]
        return [answer for answer in given if answer.strip()]


def _votes(item: GoldItem) -> str:
    return "".join(f"{multiword} {weight:.0f};" for multiword, weight in item.weights.items())
