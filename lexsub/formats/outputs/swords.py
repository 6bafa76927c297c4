"""SWORDS result files: ``{"substitutes_lemmatized": …, "substitutes": {target: …}}``.

Each target has a list of ``[substitute, score]`` pairs, or of substitutes alone, whose
places then score 0, -1, -2 … .  Targets have no lexelt in this format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from lexsub.formats.json_text import parse_json
from lexsub.formats.outputs.common import Collector, written
from lexsub.rankings import Ranking


class _Result(BaseModel):
    substitutes_lemmatized: bool
    substitutes: Annotated[dict[str, list[str | tuple[str, float]]], Field(min_length=1)]


def read_swords_result(text: str, path: Path) -> list[Ranking]:
    """Read a result file; the order is that of falling scores, ties as in the file.

    Raises:
        FormatError: not JSON, or another shape.
    """
    result = parse_json(_Result, text, path)
    collector = Collector(path)
    for target, entries in result.substitutes.items():
        pairs = [
            (entry, 0.0 - place) if isinstance(entry, str) else entry
            for place, entry in enumerate(entries)
        ]
        collector.add(0, target, "", [name for name, _ in pairs], [score for _, score in pairs])
    return collector.rankings('{"substitutes": {"target": [["substitute", 1.5]]}}')


def format_swords_result(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a result file, said to be lemmatised, as our candidates are.

    (SWORDS's own scorer lemmatises what it reads in either case.)

    Raises:
        LexsubError: what the format cannot say; see :func:`written`.
    """
    substitutes = {
        ranking.id: [[entry.substitute, entry.score] for entry in entries]
        for ranking, entries in written(rankings, top)
    }
    result = {"substitutes_lemmatized": True, "substitutes": substitutes}
    return json.dumps(result, ensure_ascii=False) + "\n"
