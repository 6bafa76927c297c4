"""The whole table of neighbours: every word's k nearest, computed in blocks, resumable."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from lexsub.candidates.distributional import kernel
from lexsub.candidates.distributional.kernel import Neighbours, WeightMatrix
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import ThesaurusModel
from lexsub.candidates.distributional.sorted_counts import Jobs, WordRange
from lexsub.candidates.distributional.weights import Sums, add_up
from lexsub.errors import FormatError
from lexsub.storage.arrays import array_file, map_array
from lexsub.storage.digests import FILE, check_sealed, seal
from lexsub.storage.files import atomic_write, write_text
from lexsub.storage.locks import locked

BLOCK = 256
"""Words a job compares with each band."""

BYTES_A_CELL = 80
"""What weighing and turning a band takes; comparing, which maps bands, takes three quarters."""


def table_folder(folder: Path, measure: str) -> Path:
    """Return where a thesaurus keeps the table of a measure."""
    return folder / "tables" / re.sub(r"[^\w.=-]+", "_", measure).strip("_")


def build_table(
    folder: Path,
    measure: str,
    k: int = 200,
    workers: int = 1,
    backend: str = "loky",
    memory: int = 1500,
    block: int = BLOCK,
) -> Path:
    """Compute the ``k`` nearest words of every word and store them in the thesaurus.

    The words are cut into bands that fit the memory, and each is compared with one band after
    the other.  What is finished is kept until the table is whole: a build that was stopped goes
    on where it was; of several at once, one works and the others wait.  The bytes depend neither
    on that nor on ``workers``, ``backend``, ``memory`` or ``block``.

    Args:
        folder: the thesaurus.
        measure: its name, as :func:`measure_name` writes it.
        k: neighbours to keep.
        workers: number of processes (or threads).
        backend: joblib's, as ``loky``, ``threading`` or ``dask``.
        memory: megabytes for the words on this machine, shared by the workers; on a cluster for
            each of them.
        block: words a job.

    Returns the folder of the table.
    """
    final = table_folder(folder, measure)
    with locked(final, f"computing the table of {measure}"):
        _build(folder, final, measure, k, Jobs.sharing(workers, backend, memory), block)
    return final


def _build(folder: Path, final: Path, measure: str, k: int, jobs: Jobs, block: int) -> None:
    model = ThesaurusModel(folder)
    plan = {"model": model.header.digest, "measure": measure, "k": k}
    if final.is_dir() and _plan(final) == plan:
        return
    work = final.with_name(f".{final.name}.work")
    parts = work / "parts"
    if _plan(work) != plan:
        shutil.rmtree(work, ignore_errors=True)
        parts.mkdir(parents=True)
        write_text(work / "header.json", json.dumps(plan) + "\n")
    cells = max(jobs.memory * 1_000_000 // BYTES_A_CELL, 1)
    bands = {pos: list(_bands(model, pos, cells)) for pos in model.header.spaces}
    missing = [pos for pos in bands if not _sums(parts, pos).exists()]
    jobs.run(partial(_add_up, folder, parts, bands[pos]) for pos in missing)
    every = [band for some in bands.values() for band in some]
    unprepared = [band for band in every if not _arrays(parts, band)[-1].exists()]
    jobs.run(partial(_prepare, folder, measure, parts, band) for band in unprepared)
    blocks = list(_blocks(bands, block))
    rest = [(own, piece) for own, piece in blocks if not piece.file(parts, "npz").exists()]
    compare = partial(_compute, measure, k, parts)
    comparing = [partial(compare, bands[piece.pos], own, piece) for own, piece in rest]
    jobs.run(comparing, f"comparing words ({measure})")
    jobs.run([partial(_assemble, folder, work, [piece for _, piece in blocks], k)])
    shutil.rmtree(parts)
    seal(work)
    shutil.rmtree(final, ignore_errors=True)
    work.replace(final)


def open_table(model: ThesaurusModel, measure: str, pos: str, k: int) -> Neighbours | None:
    """Return the memory-mapped table of a part of speech, or None.

    There is none where it was not built, belongs to other counts, or holds fewer than
    ``k`` neighbours a word.
    """
    folder = table_folder(model.folder, measure)
    again = f"remove {folder} and compute the table again"
    check_sealed(folder, again)
    plan = _plan(folder)
    if plan is None or plan["model"] != model.header.digest or plan["k"] < k:
        return None
    space = model.space(pos)
    shape = (space.header.words, plan["k"])
    ids = map_array(folder / f"{space.folder.name}.ids.npy", again, ("int32",), shape)
    values = map_array(folder / f"{space.folder.name}.values.npy", again, ("float64",), shape)
    if not (folder / FILE).is_file() and ids.max(initial=-1) >= space.header.words:
        raise FormatError(folder, None, f"is damaged: {again}")
    return Neighbours(ids, values)


def _plan(folder: Path) -> dict[str, Any] | None:
    path = folder / "header.json"
    if not path.is_file():
        return None
    try:
        plan: dict[str, Any] = json.loads(path.read_text())
        # A table that cannot be read is not used at all.
        return plan if {"model", "measure", "k"} <= plan.keys() and plan["k"] > 0 else None
    except (ValueError, TypeError, AttributeError, OSError):
        return None


def _bands(model: ThesaurusModel, pos: str, cells: int) -> Iterator[WordRange]:
    """Cut a part of speech into bands of so many cells at most, or of one word."""
    starts = model.space(pos).counts.starts
    first, words = 0, len(starts) - 1
    while first < words:
        fitting = int(np.searchsorted(starts, starts[first] + cells, side="right")) - 1
        stop = max(fitting, first + 1)
        yield WordRange(pos, first, stop)
        first = stop


def _blocks(
    bands: Mapping[str, Sequence[WordRange]], block: int
) -> Iterator[tuple[WordRange, WordRange]]:
    """Yield the words of each job behind their band; more of them where there are more bands."""
    for pos, of_pos in bands.items():
        size = block * len(of_pos)
        for band in of_pos:
            for start in range(band.first, band.stop, size):
                yield band, WordRange(pos, start, min(start + size, band.stop))


def _arrays(parts: Path, band: WordRange) -> list[Path]:
    """Return the files of the arrays that the words of a band are compared by."""
    return [band.file(parts, f"{name}.npy") for name in WeightMatrix._fields if name != "first"]


def _sums(parts: Path, pos: str) -> Path:
    return parts / f"{ord(pos[0])}.npz"


def _add_up(folder: Path, parts: Path, bands: Sequence[WordRange]) -> None:
    """Add up the tokens of a part of speech; runs in a worker."""
    pos = bands[0].pos
    space = ThesaurusModel(folder).space(pos)
    found = add_up(space.part(band.first, band.stop) for band in bands)
    with atomic_write(_sums(parts, pos)) as file:
        np.savez(file, **found._asdict())


def _prepare(folder: Path, measure: str, parts: Path, band: WordRange) -> None:
    """Store a band as its words are compared by; runs in a worker.

    Those who compare map the files: what all workers of a machine need is in its memory once,
    and the system may drop it there.
    """
    counts = ThesaurusModel(folder).space(band.pos).part(band.first, band.stop)
    with np.load(_sums(parts, band.pos), allow_pickle=False) as found:
        sums = Sums(*(found[name] for name in Sums._fields))
    matrix = kernel.prepare(counts, parse_measure(measure).formula(), band.first, sums)
    arrays: tuple[Any, ...] = matrix[:-1]
    for path, array in zip(_arrays(parts, band), arrays, strict=True):
        with atomic_write(path) as file:
            np.save(file, array)


def _compute(
    measure: str, k: int, parts: Path, bands: Sequence[WordRange], own: WordRange, piece: WordRange
) -> None:
    """Compare some words of a band with all, and store what is near; runs in a worker."""
    similarity = parse_measure(measure)
    compare = kernel.compiled_kernel(similarity.formula(), similarity.higher_is_closer)
    found = Neighbours.empty(piece.stop - piece.first, k)
    matrix = _ready(parts, own)
    start, stop = piece.first - own.first, piece.stop - own.first
    for others in (_ready(parts, band) for band in bands):
        compare(matrix, start, stop, k, others, found)
    with atomic_write(piece.file(parts, "npz")) as file:
        np.savez(file, ids=found.ids, values=found.values)


@lru_cache(maxsize=1)
def _ready(parts: Path, band: WordRange) -> WeightMatrix:
    """Open a band: where there is one only, once a worker, not once a job."""
    types = ("int64", "int32", "float64", "int64", "int32", "float64", "float64")
    again = f"remove {parts.parent} and compute the table again"
    arrays = [
        map_array(path, again, (kind,))
        for path, kind in zip(_arrays(parts, band), types, strict=True)
    ]
    return WeightMatrix._make([*arrays, band.first])


def _assemble(folder: Path, work: Path, pieces: Sequence[WordRange], k: int) -> None:
    """Put the pieces together; runs in a worker."""
    model = ThesaurusModel(folder)
    for pos, space in model.header.spaces.items():
        name = model.space(pos).folder.name
        shape = (space.words, k)
        with (
            array_file(work / f"{name}.ids.npy", np.int32, shape) as ids,
            array_file(work / f"{name}.values.npy", np.float64, shape) as values,
        ):
            for piece in pieces:  # in the order of the words
                if piece.pos == pos:
                    with np.load(piece.file(work / "parts", "npz"), allow_pickle=False) as found:
                        ids.write(found["ids"].data)
                        values.write(found["values"].data)
