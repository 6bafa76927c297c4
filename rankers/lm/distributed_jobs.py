"""The jobs: each reads files of the work folder and writes its own, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.corpus.reader import CorpusReport
from lexsub.rankers.lm import counting
from lexsub.rankers.lm.arpa_writer import Speller
from lexsub.rankers.lm.counting import BOS, EOS, SPECIAL, Ints
from lexsub.rankers.lm.kneser_ney import backoffs, counts_of_counts, greatest_end, shares
from lexsub.storage.files import atomic_write, read_text, write_text

Told = dict[str, Any]
"""What a job sends home: a few numbers."""


@dataclass(frozen=True)
class Plan:
    """What all jobs know.

    Attributes:
        folder: the work folder; all workers see it.
        order: length of the longest n-grams.
        lower: whether to lower the case.
        block: tokens whose n-grams are counted at once.
        share: occurrences of n-grams that a range may hold.
    """

    folder: Path
    order: int
    lower: bool
    block: int
    share: int

    def at(self, name: str, *numbers: int) -> Path:
        """Return the place of a file."""
        return self.folder / "-".join([name, *(f"{number:06d}" for number in numbers)])


def do_unless_done(plan: Plan, name: str, numbers: Sequence[int], work: Callable[[], Told]) -> Told:
    """Do a job unless an earlier call has; return what it told."""
    note = plan.at(f"{name}.done", *numbers)
    if not note.exists():
        told = work()
        write_text(note, json.dumps(told))
        return told
    found: Told = json.loads(read_text(note))
    return found


def tokenise(plan: Plan, number: int, piece: Any) -> Told:
    """Write the ids of a piece in blocks, its words and how often each stands there."""
    vocabulary = counting.Vocabulary()
    counts = np.zeros(len(SPECIAL), np.int64)
    blocks = 0
    for block, ids in enumerate(_blocks(plan, piece, vocabulary)):
        save(plan.at("ids", number, block), ids)
        grown = np.bincount(ids, minlength=len(vocabulary)).astype(np.int64)
        grown[: len(counts)] += counts
        counts, blocks = grown, block + 1
    write_text(plan.at("words", number), "\n".join(list(vocabulary)[len(SPECIAL) :]))
    save(plan.at("counts", number), counts)
    sentences = int(counts[BOS])
    return {"blocks": blocks, "tokens": int(counts.sum()) - 2 * sentences, "sentences": sentences}


def _blocks(plan: Plan, piece: Any, vocabulary: counting.Vocabulary) -> Iterator[Ints]:
    held: list[Ints] = []
    for ids in counting.encode(piece.lines(CorpusReport()), vocabulary, lower=plan.lower):
        held.append(ids)
        if sum(map(len, held)) >= plan.block:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


def number(plan: Plan, piece: int, block: int, borders: Keys) -> Told:
    """Give the words of a block their ids in the whole corpus, and write its run of bigrams."""
    own = load(plan.at("map", piece))
    ids: Ints = own[load(plan.at("ids", piece, block))]
    save(plan.at("numbered", piece, block), ids)
    _write_runs(plan, piece, block, ids, (2, 2), borders)
    stream = counting.make_stream([ids])
    end = greatest_end(stream, plan.order)
    first = max(end - int(stream.place[end]), end - plan.order + 1)
    return {"greatest": ids[first : end + 1][::-1].tolist()}


def run(plan: Plan, piece: int, block: int, borders: Keys) -> Told:
    """Write the runs of a block's n-grams of more than two words."""
    ids = np.asarray(load(plan.at("numbered", piece, block)))
    _write_runs(plan, piece, block, ids, (3, plan.order), borders)
    return {}


def _write_runs(
    plan: Plan, piece: int, block: int, ids: Ints, orders: tuple[int, int], borders: Keys
) -> None:
    least, most = orders
    # Numbered without gaps, as what counting holds goes with the number of its words; in the order
    # of the ids, so that its tables are sorted by them.
    used = np.bincount(ids) > 0
    words, own = np.flatnonzero(used), (np.cumsum(used, dtype=np.int32) + 2)[ids]
    stream = counting.make_stream([np.where(ids == BOS, np.int32(BOS), own)])
    names = np.concatenate([[0, BOS, 0], words]).astype(np.int32)
    rows: Rows = np.zeros((0, 0), np.int32)
    for n, grams in enumerate(counting.count_grams(stream, most, len(names)), start=1):
        last = names[grams.word][:, None]
        rows = last if n == 1 else np.hstack([rows[grams.prefix], last])
        if n >= least:
            table = np.hstack([rows, grams.count[:, None].astype(np.int32)])
            save(plan.at(f"run.{n}", piece, block), table)
            save(plan.at(f"run.{n}.cuts", piece, block), cuts(table, borders))


def merge(plan: Plan, n: int, part: int, blocks: Sequence[tuple[int, int]], below: Keys) -> Told:
    """Add up the n-grams of a range, and write the run of their suffixes."""
    table = np.concatenate(list(_slices(plan, f"run.{n}", blocks, part)))
    rows, counts, _ = added(table[:, :n], table[:, n])
    del table
    save(plan.at(f"rows.{n}", part), rows)
    save(plan.at(f"counts.{n}", part), counts)
    told: Told = {"rows": len(rows)}
    if n == plan.order:
        told["statistics"] = counts_of_counts(counts).tolist()
    ones = np.ones(len(rows), np.int32)
    suffixes, number_of, place = added(rows[:, 1:], ones)
    table = np.hstack([suffixes, number_of[:, None].astype(np.int32)])
    save(plan.at(f"suffixes.{n}", part), table)
    save(plan.at(f"suffixes.{n}.cuts", part), cuts(table[:, : n - 1], below))
    save(plan.at(f"places.{n}", part), place.astype(np.int32))
    if n == 2:
        told["borders"] = _borders(rows, counts, plan.share)
    return told


def _slices(
    plan: Plan, name: str, numbers: Sequence[tuple[int, ...]], part: int
) -> Iterator[NDArray[Any]]:
    for one in numbers:
        start, stop = load(plan.at(f"{name}.cuts", *one))[part : part + 2]
        yield load(plan.at(name, *one))[start:stop]


def _borders(rows: Rows, counts: NDArray[np.int64], share: int) -> list[int]:
    """Return before which pairs of words a new range begins, the first of them left out."""
    steps = (np.cumsum(counts) - counts) // share
    return [int(key) for key in pair_keys(rows[np.flatnonzero(np.diff(steps)) + 1])]


def adjust(plan: Plan, n: int, part: int, above: int) -> Told:
    """Write the Kneser-Ney counts of a range: how many words stand before each n-gram.

    The order above has ``above`` ranges.
    """
    rows, counts = load(plan.at(f"rows.{n}", part)), load(plan.at(f"counts.{n}", part))
    pieces = list(_slices(plan, f"suffixes.{n + 1}", [(one,) for one in range(above)], part))
    table = np.concatenate(pieces)
    _, before, place = added(table[:, :n], table[:, n])
    # Whatever does not begin a sentence has a word before it, and so is a suffix.
    inside = np.flatnonzero(rows[:, 0] != BOS)
    adjusted = np.array(counts)
    adjusted[inside] = before
    save(plan.at(f"adjusted.{n}", part), adjusted)
    save(plan.at(f"asked.{n}", part), inside[place].astype(np.int32))
    starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])
    save(plan.at(f"asked.{n}.cuts", part), starts.astype(np.int64))
    return {"statistics": counts_of_counts(adjusted).tolist()}


def interpolate(
    plan: Plan, n: int, part: int, amount: NDArray[np.float64], threshold: int, below: int
) -> Told:
    """Write the probabilities of a range, and put them where the order above asks for them.

    ``amount`` are the discounts of the counts 0, 1, 2 and 3 or more; n-grams up to the
    ``threshold`` are left out; the order below has ``below`` ranges.
    """
    rows, counts = load(plan.at(f"rows.{n}", part)), load(plan.at(f"counts.{n}", part))
    adjusted = counts if n == plan.order else load(plan.at(f"adjusted.{n}", part))
    keep = (counts > threshold) & _allowed(plan, rows)
    prefix = np.cumsum(begins(rows[:, :-1])) - 1
    contexts = int(prefix[-1]) + 1 if len(prefix) else 0
    prob, gamma = shares(prefix, contexts, np.asarray(adjusted), keep, amount)
    prob += gamma[prefix[keep]] * _lower(plan, n, part, below, rows)[keep]
    save(plan.at(f"kept.{n}", part), keep)
    save(plan.at(f"probs.{n}", part), prob)
    save(plan.at(f"gamma.{n}", part), gamma)
    if n < plan.order:
        whole = np.full(len(rows), np.nan)
        whole[keep] = prob
        save(plan.at(f"answers.{n}", part), whole[load(plan.at(f"asked.{n}", part))])
    return {"kept": int(keep.sum())}


def _allowed(plan: Plan, rows: NDArray[Any]) -> NDArray[np.bool_]:
    allowed = plan.at("allowed")
    if not allowed.exists():
        return np.ones(len(rows), np.bool_)
    found: NDArray[np.bool_] = load(allowed)[rows].all(axis=1)
    return found


def _lower(plan: Plan, n: int, part: int, below: int, rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probability of each row's suffix."""
    if n == 2:
        first: NDArray[np.float64] = load(plan.at("probs.1"))[rows[:, 1]]
        return first
    answers = []
    for one in range(below):
        start, stop = load(plan.at(f"asked.{n - 1}.cuts", one))[part : part + 2]
        answers.append(load(plan.at(f"answers.{n - 1}", one))[start:stop])
    found: NDArray[np.float64] = np.concatenate(answers)[load(plan.at(f"places.{n}", part))]
    return found


def spell(plan: Plan, n: int, part: int, above: range | None) -> Told:
    """Write the lines of a range, as they stand in an ARPA file.

    What follows its n-grams is in the ranges ``above`` of the order above; None for the highest.
    """
    every = load(plan.at(f"rows.{n}", part))
    keep = load(plan.at(f"kept.{n}", part))
    rows, prob = every[keep], np.log10(load(plan.at(f"probs.{n}", part)))
    weights = None
    if above is not None:
        # Whatever does not end a sentence is followed by something.
        gamma = np.full(len(every), np.nan)
        gamma[every[:, -1] != EOS] = np.concatenate(
            [load(plan.at(f"gamma.{n + 1}", one)) for one in above]
        )
        weights = backoffs(rows[:, -1], gamma[keep])
    speller = _speller(plan.at("vocabulary"))
    with atomic_write(plan.at(f"lines.{n}", part)) as file:
        speller.write(file, [rows[:, column] for column in range(n)], prob, weights)
    return {}


@lru_cache(maxsize=1)
def _speller(path: Path) -> Speller:
    return Speller([*SPECIAL, *path.read_text("utf-8").split("\n")])


Rows = NDArray[np.int32]
"""Word ids, shape (n-grams, n)."""
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]


def pair_keys(rows: NDArray[Any]) -> Keys:
    """Return the first two words of each row as one number (the first alone where n is 1)."""
    first = rows[:, 0].astype(np.uint64) << np.uint64(32)
    return first | rows[:, 1].astype(np.uint64) if rows.shape[1] > 1 else first


def begins(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each row of a sorted table whether it differs from the one before."""
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return new


def added(rows: NDArray[Any], counts: NDArray[Any]) -> tuple[Rows, Longs, Longs]:
    """Return the distinct rows, sorted, with their counts added up.

    The third array says of each row given which of these it is.
    """
    keys = [pair_keys(rows[:, at : at + 2]) for at in range(0, rows.shape[1], 2)]
    order = np.lexsort(keys[::-1])
    rows = rows[order]
    new = begins(rows)
    group = np.empty(len(rows), np.int64)
    group[order] = np.cumsum(new) - 1
    totals = np.bincount(group, counts, minlength=int(new.sum())).astype(np.int64)
    return rows[new].astype(np.int32), totals, group


def cuts(rows: NDArray[Any], borders: Keys) -> Longs:
    """Return where the ranges begin in a sorted table, and its length: shape (ranges + 1,)."""
    inner = np.searchsorted(pair_keys(rows), borders[1:])
    return np.concatenate([[0], inner, [len(rows)]]).astype(np.int64)


def find_row(rows: NDArray[Any], gram: Sequence[int]) -> int:
    """Return the place of an n-gram that is known to be in a sorted table."""
    low, high = 0, len(rows)
    for column, word in enumerate(gram):
        part = rows[low:high, column]
        first, behind = np.searchsorted(part, word), np.searchsorted(part, word, "right")
        low, high = low + int(first), low + int(behind)
    return low


def save(path: Path, array: NDArray[Any]) -> None:
    """Write an array, whole or not at all."""
    with atomic_write(path) as file:
        np.save(file, array)


def load(path: Path) -> NDArray[Any]:
    """Map an array; what of it is used is read."""
    found: NDArray[Any] = np.load(path, mmap_mode="r")
    return found
