"""Golds and systems brought together: every measure's statistics, computed once each.

Of the mw task every id that gold or systems name is a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lexsub.datasets import Gold, GoldItem, mode_of
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.evaluation.answers import System, list_for, read_system
from lexsub.evaluation.measure import Counted, Measure, Reads
from lexsub.evaluation.sheets import Bools, Floats, GoldArrays, Sheet, make_gold_arrays, make_sheet
from lexsub.matching.policies import GoldRow, Normalisation, clean
from lexsub.matching.script import SUBSETS, read_multiword_gold


def _statistics(measure: Measure, sheet: Sheet) -> Floats:
    """Return a measure's statistics in the shape that all that follows relies on.

    Raises:
        LexsubError: the measure (of a plugin) returns another.
    """
    statistics = np.asarray(measure.statistics(sheet))
    items = len(sheet.gold.ids)
    least = 2 if type(measure).value is Measure.value else 1
    if statistics.ndim != 2 or statistics.shape[0] != items or statistics.shape[1] < least:
        raise LexsubError(
            f"measure {measure}: its statistics have the shape {statistics.shape}; expected "
            f"({items}, columns), a row an item"
            + (", and two columns" if least == 2 else "")
            + " (see docs/how-to/measure.md)"
        )
    if statistics.dtype.kind not in "biuf":
        raise LexsubError(
            f"measure {measure}: its statistics are {statistics.dtype}; expected numbers"
        )
    return statistics.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class Judged:
    """One measure of one system on one subset.

    Attributes:
        gold: the gold whose items are the rows.
        statistics: shape (items, columns); rows of items not counted are 0.
        counted: which items count, and why the others do not.
        attempted: counted items with an answer.
    """

    gold: GoldArrays
    statistics: Floats
    counted: Counted
    attempted: Bools

    @property
    def targets(self) -> int:
        """The targets with a counted item that adds anything to the sums."""
        return len(np.unique(self.gold.targets[self.statistics.any(axis=1)]))

    def of_pos(self, pos: str) -> Judged:
        """Return the figures of the items of one part of speech."""
        mask = self.counted.mask & (self.gold.pos == pos)
        statistics = np.where(mask[:, None], self.statistics, 0.0)
        return Judged(self.gold, statistics, Counted(mask), self.attempted & mask)


class Judge:
    """Judges systems against a gold under one normalisation, and remembers what it compared."""

    def __init__(self, gold: Gold, policy: Normalisation, systems: Mapping[str, System]) -> None:
        self.gold = gold
        self.policy = policy
        self.systems = {name: read_system(name, system) for name, system in systems.items()}
        self._arrays: dict[tuple[bool, bool], GoldArrays] = {}
        self._sheets: dict[tuple[str, Reads, bool, bool], Sheet] = {}

    def arrays(self, *, single_words: bool = False, mw: bool = False) -> GoldArrays:
        """Return the gold as arrays."""
        key = (single_words, mw)
        if key not in self._arrays:
            self._arrays[key] = (
                self._multiword_arrays()
                if mw
                else make_gold_arrays(self.gold, self.policy, single_words=single_words)
            )
        return self._arrays[key]

    def judge(self, system: str, measure: Measure, subset: str = "ALL") -> Judged | None:
        """Return a measure's statistics, or None where the system has no such list.

        Raises:
            UnknownNameError: no such subset.
            LexsubError: a gold that does not know the subset, or has no mw part.
        """
        mw = measure.reads == "mw"
        single_words = subset == "NMWS" and not mw
        arrays = self.arrays(single_words=single_words, mw=mw)
        within = self.subset(arrays, subset)
        measure.check(arrays)
        by_name = getattr(measure, "ties", "") == "name"
        sheet = self._sheet(system, measure.reads, single_words, by_name)
        if sheet is None:
            return None
        counted = Counted.of(arrays, measure.criteria, within)
        statistics = np.where(counted.mask[:, None], _statistics(measure, sheet), 0.0)
        return Judged(arrays, statistics, counted, sheet.attempted & counted.mask)

    def subset(self, arrays: GoldArrays, name: str) -> Bools:
        """Return which items belong to a subset, named by what it holds."""
        everything = np.ones(len(arrays.ids), bool)
        if name in ("ALL", "NMWS"):
            return everything
        if name == "NMWT":
            self._needs(name, self.gold.multiword_ids, "which items are multiwords (mwids)")
            return np.array(
                [item_id not in self.gold.multiword_ids for item_id in arrays.ids], bool
            )
        if name in ("RAND", "MAN"):
            self._needs(name, self.gold.manual_words, "the manually drawn words (MRsamples)")
            manual = np.array(
                [item.lexelt in self.gold.manual_words for item in arrays.gold.items.values()], bool
            )
            return manual if name == "MAN" else ~manual
        raise UnknownNameError("subset", name, SUBSETS)

    def notes(self, system: str) -> dict[str, int]:
        """Return what was passed over in a system's files, with how often."""
        tasks_of: dict[tuple[str, int], list[str]] = {}
        for task, lines in self.systems[system].items():
            notes = dict(lines.notes)
            unknown = sum(item_id not in self.gold.items for item_id in lines.answered)
            if unknown and task != "mw":
                notes["answers to items without gold"] = unknown
            for what, count in notes.items():
                tasks_of.setdefault((what, count), []).append(task)
        return {f"{what} ({', '.join(tasks)})": count for (what, count), tasks in tasks_of.items()}

    def _sheet(self, system: str, reads: Reads, single: bool, by_name: bool) -> Sheet | None:
        key = (system, reads, single, by_name)
        if key not in self._sheets:
            lines, mw = list_for(self.systems[system], reads), reads == "mw"
            if lines is None:
                return None
            gold = self.arrays(single_words=single, mw=mw)
            sheet = make_sheet(gold, lines.answered, by_name=by_name)
            if mw and gold.normalisation != "official":
                sheet = replace(sheet, listed=sheet.attempted)
            self._sheets[key] = sheet
        return self._sheets[key]

    def _multiword_arrays(self) -> GoldArrays:
        if not self.gold.multiwords:
            raise LexsubError(
                f"gold {self.gold.name} has no multiword part; the mw measures need one "
                "(--mwgold FILE)"
            )
        items = dict(self.gold.items)
        for item_id, item in self.gold.multiwords.items():
            items.setdefault(item_id, item)
        # An answer to an item without any gold is a multiword found where there is none.
        for mw in (lists["mw"] for lists in self.systems.values() if "mw" in lists):
            for item_id in mw.answered:
                items.setdefault(item_id, GoldItem(item_id, mw.lexelts.get(item_id, ""), {}))
        modes = multiword_modes(self.gold, self.policy)
        whole, policy = replace(self.gold, items=items, mapping={}), _Modes(self.policy.name, modes)
        return make_gold_arrays(whole, policy, multiword_items=frozenset(modes))

    def _needs(self, subset: str, known: frozenset[str], what: str) -> None:
        if not known:
            raise LexsubError(
                f"gold {self.gold.name} does not say {what}, which subset {subset} needs"
            )


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
