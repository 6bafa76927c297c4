"""Golds and systems brought together: every measure's statistics, computed once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.answers import Lines, System, list_for, read_system
from evaluation.criteria import Counted, Mask
from evaluation.measure import Measure, Reads
from evaluation.multiwords import multiword_sheet, multiword_table
from evaluation.sheets import Sheet, make_sheet
from evaluation.tables import Floats, Table, make_table
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.golds import Gold
from lexsub.matching import Normalisation
from lexsub.matching.script.subsets import SUBSETS


def _statistics(measure: Measure, sheet: Sheet) -> Floats:
    """Return a measure's statistics in the shape that all that follows relies on.

    Raises:
        LexsubError: the measure (somebody's own) returns another.
    """
    found = np.asarray(measure.statistics(sheet))
    items = len(sheet.table.ids)
    least = 2 if type(measure).value is Measure.value else 1
    if found.ndim != 2 or found.shape[0] != items or found.shape[1] < least:
        raise LexsubError(
            f"measure {measure}: its statistics have the shape {found.shape}; expected "
            f"({items}, columns), a row an item"
            + (", and two columns" if least == 2 else "")
            + " (see docs/how-to/measure.md)"
        )
    if found.dtype.kind not in "biuf":
        raise LexsubError(f"measure {measure}: its statistics are {found.dtype}; expected numbers")
    return found.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class Judged:
    """One measure of one system on one subset.

    Attributes:
        table: the gold whose items are the rows.
        statistics: (items, columns); rows of items not counted are 0.
        counted: which items count, and why the others do not.
        attempted: items with an answer.
    """

    table: Table
    statistics: Floats
    counted: Counted
    attempted: Mask


class Judge:
    """Judges systems against a gold under one normalisation, and remembers what it compared."""

    def __init__(self, gold: Gold, policy: Normalisation, systems: Mapping[str, System]) -> None:
        self.gold = gold
        self.policy = policy
        self.systems = {name: read_system(name, system) for name, system in systems.items()}
        self._tables: dict[tuple[bool, bool], Table] = {}
        self._sheets: dict[tuple[str, Reads, bool, bool], Sheet | None] = {}

    def table(self, *, single_words: bool = False, mw: bool = False) -> Table:
        """Return the gold as a table."""
        key = (single_words, mw)
        if key not in self._tables:
            self._tables[key] = (
                self._multiword_table()
                if mw
                else make_table(self.gold, self.policy, single_words=single_words)
            )
        return self._tables[key]

    def judge(self, system: str, measure: Measure, subset: str = "ALL") -> Judged | None:
        """Return a measure's statistics, or None where the system has no such list.

        Raises:
            UnknownNameError: no such subset.
            LexsubError: a gold that does not know the subset, or has no mw part.
        """
        mw = measure.reads == "mw"
        single_words = subset == "NMWS" and not mw
        table = self.table(single_words=single_words, mw=mw)
        within = self.subset(table, subset)
        measure.check(table)
        by_name = getattr(measure, "ties", "") == "name"
        sheet = self._sheet(system, measure.reads, single_words, by_name)
        if sheet is None:
            return None
        whole = measure.counted(table)
        counted = Counted.of(table, measure.criteria, within) if subset != "ALL" else whole
        statistics = np.where(counted.mask[:, None], _statistics(measure, sheet), 0.0)
        return Judged(table, statistics, counted, sheet.attempted & counted.mask)

    def subset(self, table: Table, name: str) -> Mask:
        """Return which items belong to a subset, named by what it holds."""
        everything = np.ones(len(table.ids), bool)
        if name in ("ALL", "NMWS"):
            return everything
        if name == "NMWT":
            self._needs(name, self.gold.multiword_ids, "which items are multiwords (mwids)")
            return np.array([item_id not in self.gold.multiword_ids for item_id in table.ids], bool)
        if name in ("RAND", "MAN"):
            self._needs(name, self.gold.manual_words, "the manually drawn words (MRsamples)")
            manual = np.array(
                [item.lexelt in self.gold.manual_words for item in table.gold.items.values()], bool
            )
            return manual if name == "MAN" else ~manual
        raise UnknownNameError("subset", name, SUBSETS)

    def notes(self, system: str) -> dict[str, int]:
        """Say what of a system's files was passed over."""
        found: dict[tuple[str, int], list[str]] = {}
        for task, lines in self.systems[system].items():
            notes = dict(lines.notes)
            unknown = sum(item_id not in self.gold.items for item_id in lines.answered)
            if unknown and task != "mw":
                notes["answers to items without gold"] = unknown
            for what, count in notes.items():
                found.setdefault((what, count), []).append(task)
        return {f"{what} ({', '.join(tasks)})": count for (what, count), tasks in found.items()}

    def _sheet(self, system: str, reads: Reads, single: bool, by_name: bool) -> Sheet | None:
        key = (system, reads, single, by_name)
        if key not in self._sheets:
            lines = list_for(self.systems[system], reads)
            self._sheets[key] = None if lines is None else self._make(lines, reads, single, by_name)
        return self._sheets[key]

    def _make(self, lines: Lines, reads: Reads, single: bool, by_name: bool) -> Sheet:
        if reads == "mw":
            return multiword_sheet(self.table(mw=True), lines.answered)
        return make_sheet(self.table(single_words=single), lines.answered, by_name=by_name)

    def _multiword_table(self) -> Table:
        if not self.gold.multiwords:
            raise LexsubError(
                f"gold {self.gold.name} has no multiword part; the mw measures need one "
                "(--mwgold FILE)"
            )
        answered = [
            (item_id, lists["mw"].lexelts.get(item_id, ""))
            for lists in self.systems.values()
            if "mw" in lists
            for item_id in lists["mw"].answered
        ]
        return multiword_table(self.gold, self.policy, answered)

    def _needs(self, subset: str, known: frozenset[str], what: str) -> None:
        if not known:
            raise LexsubError(
                f"gold {self.gold.name} does not say {what}, which subset {subset} needs"
            )
