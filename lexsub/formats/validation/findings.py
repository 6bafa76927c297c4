"""What a submission is held against (the items of a data set and its gold), and what is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lexsub.datasets import Dataset
from lexsub.formats.variants import PROPER_NAME
from lexsub.golds import Gold, GoldItem
from lexsub.matching import SeenGold, counts_only, gold_under, official_reading
from lexsub.rankings import Task

Severity = Literal["error", "warning", "note"]

CODES: dict[str, tuple[Severity, str]] = {
    # The whole line is lost, or stands for another item.
    "encoding": ("error", "bytes that are not UTF-8"),
    "nul": ("error", "a NUL byte"),
    "long-line": ("error", "a line too long to be meant"),
    "inner-cr": ("error", "a carriage return inside a line, which ends no line"),
    "wrong-task": ("error", "the separator of another task; the line is dropped or misread"),
    "no-blank-after-colons": ("error", "no blank after the colons; the line is dropped"),
    "several-blanks": ("error", "more than one blank between the fields; the line is dropped"),
    "tab": ("error", "a tab between the fields; the line is dropped"),
    "non-numeric-id": ("error", "an mw id that is no number; the line is dropped"),
    "shape": ("error", "a line of another shape; it is dropped"),
    "unknown-id": ("error", "an id that the data set does not have; the line is ignored"),
    "repeated-id": ("error", "an id answered before; the line is ignored"),
    # The answers are not what they seem.
    "blank-answer": ("error", "no answer; the answers of the line before count again"),
    "empty-answer": ("error", "an empty answer between semicolons; it counts as a guess"),
    "duplicate": ("error", "an answer given twice; it is credited twice"),
    "same-when-normalised": ("error", "answers that become the same; they are credited twice"),
    "too-many": ("error", "more than ten oot answers; the rest is cut"),
    "several-answers": ("error", "several mw answers; they are taken as one"),
    "outer-blank": ("error", "a blank at an answer's end; it can match nothing"),
    "carriage-return": ("error", "CR LF line ends; the last answer of a line matches nothing"),
    "odd-character": ("error", "a look-alike of blank, hyphen or apostrophe; it matches nothing"),
    "apostrophe-mw": ("error", "an apostrophe in an mw answer; the gold has lost its own"),
    "wrong-separator": ("error", "a comma, slash or bar in an answer; several are taken as one"),
    "quoted": ("error", "an answer in quotes; it matches nothing"),
    "with-score": ("error", "a number behind an answer; it is taken as part of it"),
    "underscore": ("error", "an underscore in an answer; golds have blanks"),
    "inner-blanks": ("warning", "several blanks inside an answer; it matches nothing"),
    "case": ("warning", "capital letters; answers are compared as they are"),
    "non-answer": ("warning", "NIL or NAME; it counts as a wrong guess"),
    "non-lost": ("warning", "the gold's own 'non-…' spelling, which cannot be matched"),
    "hyphenated-mode": ("warning", "the gold's mode has a hyphen, so it cannot be matched"),
    "official-lost": ("warning", "right answers to which the official rules give nothing"),
    "official-won": ("warning", "answers that are right under the official rules alone"),
    "lexelt-differs": ("warning", "not the item's lexelt; the scorer does not look at it"),
    "text-before": ("warning", "text before the lexelt; it is ignored"),
    "missing-id": ("warning", "scored items without a line; recall counts them as wrong"),
    # Harmless, but not what stands there.
    "hyphen": ("note", "hyphens become blanks before answers are compared"),
    "apostrophe": ("note", "the first apostrophe is dropped, in the gold as well"),
    "non-glued": ("note", "'non' is joined to the next word"),
    "gold-changed": ("note", "gold entries that the official rules read otherwise, or not at all"),
    "unscored-id": ("note", "items that are not scored (no gold, or a single response)"),
    "bom": ("note", "a byte order mark; it is ignored"),
}
"""Every code with its severity and meaning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a file.

    Attributes:
        line: 1-based line, 0 where the whole file is meant.
        code: one of ``CODES``.
        message: what was found and what becomes of it.
    """

    line: int
    code: str
    message: str

    @property
    def severity(self) -> Severity:
        """How bad it is: error, warning or note."""
        return CODES[self.code][0]


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """All findings of one file.

    Attributes:
        findings: in line order.
        lines: answer lines of the right shape.
        answered: scored items that they answer.
        scored: items that the official scorer scores, or None without a reference.
    """

    findings: tuple[Finding, ...]
    lines: int
    answered: int
    scored: int | None

    def count(self, severity: Severity) -> int:
        """Return the number of findings of one severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def by_code(self) -> dict[str, int]:
        """The number of findings of each code that occurs, by code."""
        return dict(sorted(Counter(finding.code for finding in self.findings).items()))


@dataclass(frozen=True)
class Reference:
    """A data set as the validator needs it.

    Attributes:
        name: data set and split, or the gold file.
        lexelts: every known item id with its lexelt.
        gold: the gold of the task by item id.
        complete: whether ``lexelts`` names every item, not only those with gold.
    """

    name: str
    lexelts: Mapping[str, str]
    gold: Mapping[str, GoldItem]
    complete: bool = True

    @classmethod
    def of_dataset(cls, dataset: Dataset, task: Task) -> Reference:
        """Take the items of a data set and its gold for one task."""
        gold = dataset.gold.multiwords if task == "mw" else dataset.gold.items
        return cls(dataset.name, {item.id: str(item.lexelt) for item in dataset.items}, gold)

    @classmethod
    def of_gold(cls, name: str, gold: Mapping[str, GoldItem]) -> Reference:
        """Take the items of a gold file; items without gold are then unknown."""
        return cls(name, {item.id: item.lexelt for item in gold.values()}, gold, complete=False)

    @cached_property
    def scored(self) -> frozenset[str]:
        """Ids that the official best and oot scores count: more than one response in all."""
        return frozenset(item_id for item_id, item in self.seen.items() if item.is_scored)

    @cached_property
    def seen(self) -> SeenGold:
        """The gold as the official scorer reads it; cleanly read if it is none of counts."""
        return gold_under(Gold(self.name, self.gold), "official") if self._counts else self.clean

    @cached_property
    def clean(self) -> SeenGold:
        """The gold under one rule for both sides."""
        return gold_under(Gold(self.name, self.gold), "clean")

    @cached_property
    def changed(self) -> tuple[tuple[str, str, str | None], ...]:
        """Item, substitute and what the official scorer reads of it, where that is not the same.

        That it drops the first apostrophe changes nothing, as it does so in answers, too; the mark
        of a proper name is no substitute under any rules.
        """
        if not self._counts:
            return ()
        read = (
            (item.id, name, official_reading(name))
            for item in self.gold.values()
            for name in item.positive
            if name != PROPER_NAME
        )
        return tuple(one for one in read if one[2] != one[1].replace("'", "", 1))

    @cached_property
    def _counts(self) -> bool:
        return counts_only(self.gold.values())
