"""The lines of a submission as the official scorer matches them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lexsub.formats.semeval_lines import PATTERNS
from lexsub.matching.script.perl import blank
from lexsub.submissions import Task

Fields = tuple[str, str, str]
"""Lexelt, id and the rest of a line; for a line that does not match: "", its number, ""."""


def matched_lines(text: str, task: Task) -> Iterable[Fields]:
    """Return the fields of each line that is not blank.

    No match of best or oot can cross a line, so all are found in one go; only where some
    line gave none are the lines looked at one by one.
    """
    if task != "mw":
        found: list[Fields] = PATTERNS[task].findall(text)
        lines = text.count("\n") + (not text.endswith("\n"))
        if len(found) == lines:
            return found
    return _one_by_one(text, PATTERNS[task])


def _one_by_one(text: str, pattern: re.Pattern[str]) -> Iterator[Fields]:
    for number, line in enumerate(text.split("\n"), start=1):
        match = pattern.search(line)
        if match is not None:
            yield match[1], match[2], match[3]
        elif not blank(line):
            yield "", str(number), ""
