"""What a validation finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

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
class Report:
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
