"""Answer lines: SemEval's best and oot, SemDis, and the ranked lines of GermEval's GAP scorer.

``lexelt id SEPARATOR answer;answer`` with the separators ``::`` (best), ``:::`` (oot) and
``::::`` (GAP); SemDis has ``::`` and blanks around its semicolons.  The ``.oot`` and
``.best`` files of Melamud et al. are SemEval's.  A lexelt may hold blanks here (CoInCo).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.outputs.common import Collector, written
from lexsub.formats.semeval_lines import lines_of
from lexsub.rankings import Ranking

_LINE = re.compile(r"(\S.*?) +(\S+) +(:{2,4})(?: (.*)|)")


def separator_of(text: str) -> str | None:
    """Return the separator of the first answer line, or None where there is no such line."""
    first = next((line for line in lines_of(text) if line.strip()), "")
    match = _LINE.fullmatch(first.rstrip("\r"))
    return match[3] if match else None


def read_lines(text: str, path: Path, separator: str) -> list[Ranking]:
    """Read answer lines with one separator; a blank answer is an item without answers.

    Unlike the official scorer's reading, answers are trimmed and a repeated id is an error.

    Raises:
        FormatError: a line of another shape or with another separator, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    expected = f"'lexelt id {separator} answer;answer'"
    for number, raw in enumerate(lines_of(text), start=1):
        line = raw.rstrip("\r")
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.lstrip())
        if match is None or match[3] != separator:
            raise FormatError(path, number, f"{line[:60]!r}; expected {expected}")
        collector.add(number, match[2], match[1], (match[4] or "").split(";"))
    return collector.rankings(expected)


def format_lines(
    rankings: Iterable[Ranking], separator: str, top: int | None, glue: str = ";"
) -> str:
    """Return answer lines, the first ``top`` answers of each item (all where None).

    Raises:
        LexsubError: an item without lexelt, or an answer that holds a semicolon or line end.
    """
    return "".join(
        f"{ranking.lexelt} {ranking.id} {separator} "
        f"{glue.join(entry.substitute for entry in entries)}\n"
        for ranking, entries in written(rankings, top, ";\n\r", needs_lexelt=True)
    )
