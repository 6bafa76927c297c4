"""The whole table of neighbours: every word's k nearest, computed in blocks, resumable."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lexsub.arrays import array_file, map_array
from lexsub.candidates.distributional.kernel import Kernel, Matrix, Neighbours, best_kernel
from lexsub.candidates.distributional.matrix import prepare
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import Model
from lexsub.candidates.distributional.runs import Jobs
from lexsub.digests import FILE, check_sealed, seal
from lexsub.errors import FormatError
from lexsub.files import atomic_write, write_text
from lexsub.locks import alone

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 256


def table_folder(folder: Path, measure: str) -> Path:
    """Return where a thesaurus keeps the table of a measure."""
    return folder / "tables" / re.sub(r"[^\w.=-]+", "_", measure).strip("_")


def build_table(
    folder: Path,
    measure: str,
    k: int = 200,
    workers: int = 1,
    backend: str = "loky",
    block: int = BLOCK,
) -> Path:
    """Compute the ``k`` nearest words of every word and store them in the thesaurus.

    Finished blocks are kept until the table is whole: a build that was stopped goes on
    where it was; of several at once, one works and the others wait.  The bytes depend neither
    on that nor on ``workers``, ``backend`` or ``block``.

    Args:
        folder: the thesaurus.
        measure: its name, as :func:`measure_name` writes it.
        k: neighbours to keep.
        workers: number of processes (or threads).
        backend: joblib's, as ``loky``, ``threading`` or ``dask``.
        block: words a job.

    Returns the folder of the table.
    """
    final = table_folder(folder, measure)
    with alone(final, f"computing the table of {measure}"):
        return _build(folder, final, measure, k, workers, backend, block)


def _build(
    folder: Path, final: Path, measure: str, k: int, workers: int, backend: str, block: int
) -> Path:
    model = Model(folder)
    plan = {"model": model.header.digest, "measure": measure, "k": k}
    if final.is_dir() and _plan(final) == plan:
        return final
    work = final.with_name(f".{final.name}.work")
    progress = {**plan, "block": block}
    if _plan(work) != progress:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        write_text(work / "header.json", json.dumps(progress) + "\n")
    blocks = list(_blocks(model, block))
    jobs = Jobs(workers, backend)
    unprepared = [pos for pos in model.header.spaces if not _matrix(work, pos)[-1].exists()]
    jobs.run(partial(_prepare, folder, measure, work, pos) for pos in unprepared)
    missing = [piece for piece in blocks if not _file(work, *piece).exists()]
    jobs.run(
        (partial(_compute, measure, k, work, *piece) for piece in missing),
        f"comparing words ({measure})", len(missing),
    )  # fmt: skip
    jobs.run([partial(_assemble, folder, work, blocks, k)])
    for piece in blocks:
        _file(work, *piece).unlink()
    for pos in model.header.spaces:
        for path in _matrix(work, pos):
            path.unlink()
    write_text(work / "header.json", json.dumps(plan) + "\n")
    seal(work)
    shutil.rmtree(final, ignore_errors=True)
    work.replace(final)
    return final


def open_table(model: Model, measure: str, pos: str, k: int) -> Neighbours | None:
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
    types = {"ids": "int32", "values": "float64"}
    found = Neighbours(
        *(
            map_array(folder / f"{space.folder.name}.{part}.npy", again, (types[part],), shape)
            for part in Neighbours._fields
        )
    )
    if not (folder / FILE).is_file() and found.ids.max(initial=-1) >= space.header.words:
        raise FormatError(folder, None, f"is damaged: {again}")
    return found


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


def _blocks(model: Model, block: int) -> Iterator[tuple[str, int, int]]:
    for pos, space in model.header.spaces.items():
        for start in range(0, space.words, block):
            yield pos, start, min(start + block, space.words)


def _file(work: Path, pos: str, start: int, stop: int) -> Path:
    return work / f"{ord(pos[0])}-{start:08d}-{stop:08d}.npz"


def _matrix(work: Path, pos: str) -> list[Path]:
    """Return where the arrays of a part of speech are, as its words are compared by."""
    return [work / f"{ord(pos[0])}-{name}.npy" for name in Matrix._fields]


def _prepare(folder: Path, measure: str, work: Path, pos: str) -> None:
    """Store a part of speech as its words are compared by; runs in a worker.

    Those who compare map the files: what all workers of a machine need is in its memory once,
    and the system may drop it there.
    """
    matrix = prepare(Model(folder).space(pos).counts, parse_measure(measure).formula())
    arrays: tuple[NDArray[Any], ...] = matrix
    for path, array in zip(_matrix(work, pos), arrays, strict=True):
        with atomic_write(path) as file:
            np.save(file, array)


def _compute(measure: str, k: int, work: Path, pos: str, start: int, stop: int) -> None:
    """Compute a block and store it; runs in a worker."""
    kernel, matrix = _ready(measure, work, pos)
    found = kernel(matrix, start, stop, k)
    with atomic_write(_file(work, pos, start, stop)) as file:
        np.savez(file, ids=found.ids, values=found.values)


@lru_cache(maxsize=1)
def _ready(measure: str, work: Path, pos: str) -> tuple[Kernel, Matrix]:
    """Open a part of speech once a worker, not once a block."""
    similarity = parse_measure(measure)
    kernel = best_kernel(similarity.formula(), similarity.higher_is_closer)
    types = ("int64", "int32", "float64", "int64", "int32", "float64", "float64")
    again = f"remove {work} and compute the table again"
    arrays = [
        map_array(path, again, (kind,))
        for path, kind in zip(_matrix(work, pos), types, strict=True)
    ]
    return kernel, Matrix(*arrays)


def _assemble(folder: Path, work: Path, blocks: list[tuple[str, int, int]], k: int) -> None:
    """Put the blocks together; runs in a worker."""
    model = Model(folder)
    for pos, space in model.header.spaces.items():
        name = model.space(pos).folder.name
        shape = (space.words, k)
        with (
            array_file(work / f"{name}.ids.npy", np.int32, shape) as ids,
            array_file(work / f"{name}.values.npy", np.float64, shape) as values,
        ):
            for piece in blocks:  # in the order of the words
                if piece[0] == pos:
                    with np.load(_file(work, *piece), allow_pickle=False) as found:
                        ids.write(found["ids"].data)
                        values.write(found["values"].data)
