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
from lexsub.formats.outputs.common import Collector, short_enough, written
from lexsub.formats.semeval_lines import lines_of, numbered_lines
from lexsub.rankings import Ranking

_SEPARATOR = re.compile(r" (:{2,4})(?: |$)")


def separator_of(text: str) -> str | None:
    """Return the separator of the first answer line, or None where there is no such line."""
    first = next((line for line in lines_of(text) if line.strip()), "")
    fields = _fields(first)
    return fields[2] if fields else None


def _fields(line: str) -> tuple[str, str, str, str] | None:
    """Return lexelt, id, separator and answers of a line, or None where it is none."""
    line = line.rstrip("\r")
    match = _SEPARATOR.search(line)
    if match is None:
        return None
    lexelt, _, item_id = line[: match.start()].strip(" ").rpartition(" ")
    if not lexelt.strip() or not item_id.strip():
        return None
    return lexelt.strip(), item_id, match[1], line[match.end() :]


def read_lines(text: str, path: Path, separator: str) -> list[Ranking]:
    """Read answer lines with one separator; a blank answer is an item without answers.

    Unlike the official scorer's reading, answers are trimmed and a repeated id is an error.

    Raises:
        FormatError: a line of another shape or with another separator, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    expected = f"'lexelt id {separator} answer;answer'"
    for number, line in numbered_lines(text, path):
        fields = _fields(line)
        if fields is None or fields[2] != separator:
            raise FormatError(path, number, f"{line[:60]!r}; expected {expected}")
        lexelt, item_id, _, answers = fields
        collector.add(number, item_id, lexelt, answers.split(";"))
    return collector.rankings(expected)


def format_lines(
    rankings: Iterable[Ranking], separator: str, top: int | None, glue: str = ";"
) -> str:
    """Return answer lines, the first ``top`` answers of each item (all where None).

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    return "".join(
        short_enough(
            f"{ranking.lexelt} {ranking.id} {separator} "
            f"{glue.join(entry.substitute for entry in entries)}"
        )
        + "\n"
        for ranking, entries in written(rankings, top, ";\n\r", lines=True, scored=False)
    )
