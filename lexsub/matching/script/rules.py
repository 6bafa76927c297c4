"""The versions of the official scorer, as the switches in which they differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """What one version of the script does.

    Attributes:
        drops_proper_names: whether gold answers containing ``pn`` (the mark of a proper name)
            are dropped before the item's answers are counted.
        normalises_answers: whether ``non-x`` is joined, hyphens become blanks and the first
            apostrophe goes, in system answers.
        cap: how many oot answers count (the first ones), or None for all.
        warns: whether oot lines with duplicates are reported.
        stale_answers: whether a blank answer borrows the answers of the line scored before it.
        mode_hyphens: whether a gold mode's hyphens may be blanks in the answer.
        percent: whether figures are percentages of two decimals; else fractions of three.
    """

    drops_proper_names: bool = True
    normalises_answers: bool = True
    cap: int | None = 10
    warns: bool = True
    stale_answers: bool = True
    mode_hyphens: bool = False
    percent: bool = True


FINAL = Rules()
"""The final script with the duplicate warning, as most later work has it."""

VERSIONS: dict[str, Rules] = {
    "final": FINAL,
    "key": Rules(warns=False),
    "trial": Rules(
        drops_proper_names=False,
        normalises_answers=False,
        cap=None,
        warns=False,
        mode_hyphens=True,
        percent=False,
    ),
}
"""``final``: the default; ``key``: as released with the test key (no duplicate warning);
``trial``: the January 2007 rules (its figures are checked against the released trial
baselines, its print-out is not known to the byte)."""
