"""Submissions to TSAR-2022: sentence, word, answers from the best, tab-separated.

The format has no ids: they are made of sentence and word (:mod:`lexsub.formats.simplification`),
and to write it, the data set's sentences are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.formats.outputs.common import Collector, short_enough, written
from lexsub.formats.simplification import parse_instances
from lexsub.rankings import Ranking


def read_tsar(text: str, path: Path) -> list[Ranking]:
    """Read a submission; a line without answers is an item without, which counts as one.

    Raises:
        FormatError: a line without a word, or a blank answer between two others.
    """
    collector = Collector(path)
    for one in parse_instances(text, path):
        collector.add(one.line, one.id, "", one.answers)
    return collector.rankings("sentence<TAB>word<TAB>answers")


def refuse(rankings: Iterable[Ranking], top: int | None) -> NoReturn:
    """Say that sentences are wanted.

    Raises:
        LexsubError: always.
    """
    del rankings, top
    raise LexsubError(
        "the format has sentences in it: name the data set that was answered with --gold"
    )


def format_tsar(data: Dataset, rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a line for each item of a data set, answered or not: the task's script counts lines.

    Raises:
        LexsubError: an answer, sentence or word that a line cannot hold.
    """
    entries = {ranking.id: kept for ranking, kept in written(rankings, top, "\t\n\r", scored=False)}
    lines = []
    for item in data.items:
        known = data.gold.items.get(item.id)
        word = (known and known.target) or item.target
        cells = [item.text, word, *(entry.substitute for entry in entries.get(item.id, ()))]
        if any(sign in item.text for sign in "\t\n\r"):
            raise LexsubError(f"the sentence of item {item.id} holds a tab or line end")
        lines.append(short_enough("\t".join(cells)) + "\n")
    return "".join(lines)
