"""The ``.ranked`` files of Melamud et al. (2015, 2016): candidates with their scores.

``RANKED<TAB>lexelt id<TAB>substitute score<TAB>substitute score …``; older files begin with
``RESULT``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.outputs.common import Collector, number, short_enough, written
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.rankings import Ranking

HEADS = ("RANKED", "RESULT")
_EXPECTED = "'RANKED<TAB>lexelt id<TAB>substitute score<TAB>…'"


def read_ranked(text: str, path: Path) -> list[Ranking]:
    """Read a ``.ranked`` file.

    Raises:
        FormatError: a line of another shape, a score that is no number, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    for line_number, line in numbered_lines(text, path):
        head, *fields = line.rstrip("\r").split("\t")
        lexelt, _, item_id = (fields[0].strip() if fields else "").rpartition(" ")
        pairs = [field.strip().rpartition(" ") for field in fields[1:] if field.strip()]
        if head not in HEADS or not lexelt or not all(name for name, _, _ in pairs):
            raise FormatError(path, line_number, f"{line[:60]!r}; expected {_EXPECTED}")
        scores = [number(score, path, line_number) for _, _, score in pairs]
        collector.add(line_number, item_id, lexelt, [name for name, _, _ in pairs], scores)
    return collector.rankings(_EXPECTED)


def format_ranked(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a ``.ranked`` file; scores in full, so that they read back as they were.

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    lines = []
    for ranking, entries in written(rankings, top, "\t\n\r", lines=True):
        pairs = [f"{entry.substitute} {float(entry.score)!r}" for entry in entries]
        line = "\t".join([HEADS[0], f"{ranking.lexelt} {ranking.id}", *pairs])
        lines.append(short_enough(line) + "\n")
    return "".join(lines)
