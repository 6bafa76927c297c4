"""Write a thesaurus in other programs' formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np

from lexsub.candidates.distributional.measures import measure_name, parse_measure
from lexsub.candidates.distributional.model import ANY_POS, ThesaurusModel
from lexsub.candidates.distributional.table import build_table, open_table
from lexsub.candidates.distributional.thesaurus import Neighbour
from lexsub.candidates.distributional.weights import weigh

MYTHES_POS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv", ANY_POS: "-"}

Rows = Iterator[tuple[str, str, list[Neighbour]]]
"""(word, part of speech, neighbours)."""


def export(
    folder: Path,
    measure: str,
    k: int,
    kind: str,
    out: IO[bytes],
    workers: int = 1,
    backend: str = "loky",
) -> None:
    """Write all neighbours (``tsv``, ``mythes``) or all vectors (``vectors``).

    Neighbours are taken from the measure's table, which is computed first if need be.
    """
    model = ThesaurusModel(folder)
    if kind == "vectors":
        _write_vectors(model, measure, k, out)
        return
    for pos in model.header.spaces:
        if open_table(model, measure, pos, k) is None:
            build_table(folder, measure, k, workers, backend)
    WRITERS[kind](_rows(model, measure, k), out)


def _rows(model: ThesaurusModel, measure: str, k: int) -> Rows:
    for pos in model.header.spaces:
        space, table = model.space(pos), open_table(model, measure, pos, k)
        if table is None:
            continue
        words = list(space.words)
        for word, ids, values in zip(words, table.ids, table.values, strict=True):
            found = [
                Neighbour(words[index], value, 0)
                for index, value in zip(ids[:k].tolist(), values[:k].tolist(), strict=True)
                if index >= 0
            ]
            if found:
                yield word, pos, found


def _write_tsv(rows: Rows, out: IO[bytes]) -> None:
    """``word.pos<TAB>neighbour<TAB>value``, as the source ``thesaurus-file`` reads it."""
    for word, pos, found in rows:
        target = word if pos == ANY_POS else f"{word}.{pos}"
        for neighbour in found:
            out.write(f"{target}\t{neighbour.word}\t{neighbour.value!r}\n".encode())


def _write_mythes(rows: Rows, out: IO[bytes]) -> None:
    """MyThes 2: words in order, one sense a part of speech."""
    out.write(b"UTF-8\n")
    entries: dict[str, list[str]] = {}
    for word, pos, found in rows:
        sense = "|".join([f"({MYTHES_POS[pos]})", *(n.word for n in found if "|" not in n.word)])
        if "|" not in word:
            entries.setdefault(word, []).append(sense)
    for word in sorted(entries):
        lines = [f"{word}|{len(entries[word])}", *entries[word]]
        out.write("".join(f"{line}\n" for line in lines).encode())


WRITERS: dict[str, Callable[[Rows, IO[bytes]], None]] = {"tsv": _write_tsv, "mythes": _write_mythes}


def _write_vectors(model: ThesaurusModel, measure: str, dimensions: int, out: IO[bytes]) -> None:
    """word2vec's text format: the weights of the most common contexts, unit length.

    A context is a dimension; each part of speech has dimensions of its own, so that words
    of different parts of speech are at right angles.  What is left out of a vector is what
    its part of speech's rarer contexts hold.
    """
    formula = parse_measure(measure).formula()
    spaces = {pos: model.space(pos) for pos in model.header.spaces}
    total = sum(space.header.words for space in spaces.values())
    widths = {pos: min(dimensions, space.header.contexts) for pos, space in spaces.items()}
    out.write(f"{total} {sum(widths.values())}\n".encode())
    offset = 0
    for pos, space in spaces.items():
        weighted = weigh(space.counts, formula.weights)
        width = widths[pos]
        common = np.argsort(
            -np.bincount(weighted.contexts, minlength=space.header.contexts), kind="stable"
        )[:width]
        column = np.full(space.header.contexts, -1)
        column[common] = np.arange(width)
        for index, word in enumerate(space.words):
            row = slice(int(weighted.starts[index]), int(weighted.starts[index + 1]))
            vector = np.zeros(sum(widths.values()))
            at = column[weighted.contexts[row]]
            vector[offset + at[at >= 0]] = weighted.weights[row][at >= 0]
            length = np.sqrt((vector * vector).sum())
            vector /= length or 1.0
            name = word.replace(" ", "_") + ("" if pos == ANY_POS else f".{pos}")
            out.write(f"{name} {' '.join(f'{x:.6g}' for x in vector)}\n".encode())
        offset += width


def canonical(measure: str) -> str:
    """Return a measure's name as tables carry it."""
    return measure_name(parse_measure(measure, "--measure"))
