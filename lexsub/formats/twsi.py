"""Gold lines in the style of TWSI 2.0 (Biemann, 2012).

SemEval's line format with two liberties: a substitute may hold a semicolon (so a piece ends
only where digits come before the semicolon), and a sentence without any substitute keeps
its line, with nothing behind the colons.
"""

from __future__ import annotations

import re
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.golds import GoldItem

_LINE = re.compile(r"(\S+|\S[^:]*?\.[A-Za-z.]+) (\S+) ::(.*)")
_PIECE_END = re.compile(r"(?<=\d);")
_PIECE = re.compile(r"(.*\S)\s+(\d+(?:\.\d+)?)")


def parse_twsi_gold(text: str, path: Path) -> dict[str, GoldItem]:
    """Read a TWSI-style gold; items without a substitute have empty weights.

    A substitute given twice in one line gets the sum of its counts.  The answers' text is
    kept as ``source`` only where no substitute holds a semicolon, since the official
    scorer's reading would split there.

    Raises:
        FormatError: a line of another shape, an answer without its count, a repeated id, or
            no line at all.
    """
    items: dict[str, GoldItem] = {}
    for number, raw in numbered_lines(text, path):
        line = raw.rstrip()
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormatError(
                path, number, f"{line[:60]!r}; expected 'lexelt id :: substitute count;…'"
            )
        lexelt, item_id, answers = match.groups()
        if item_id in items:
            raise FormatError(
                path, number, f"id {item_id} stands twice (first on line {items[item_id].line})"
            )
        weights: dict[str, float] = {}
        for piece in filter(None, map(str.strip, _PIECE_END.split(answers))):
            response = _PIECE.fullmatch(piece)
            if response is None:
                raise FormatError(
                    path, number, f"answer {piece!r} has no count; expected 'substitute count'"
                )
            weights[response[1]] = weights.get(response[1], 0.0) + float(response[2])
        source = "" if any(";" in name for name in weights) else answers.strip()
        items[item_id] = GoldItem(item_id, lexelt, weights, source, number)
    if not items:
        raise FormatError(path, None, "holds no gold line; expected 'lexelt id :: substitute 1;'")
    return items
