"""Kneser-Ney estimation by blocks and ranges, on one process, several, or a cluster.

The text need not fit in memory.  Every step is a job (:mod:`lexsub.rankers.lm.distributed_jobs`)
that reads and writes files of the work folder, which all workers see, and sends home a few numbers:

1. *tokenise*: a piece of the corpus becomes blocks of ids and a list of its words;
2. *number*: the words of all pieces get their ids, and a block its sorted run of bigrams;
3. *run*: a block's runs of all higher orders;
4. *merge*: a range of n-grams is drawn from all runs and added up;
5. *adjust*: a range gets its Kneser-Ney counts, from the runs of suffixes of the order above;
6. *interpolate*: a range gets its probabilities, from those of its suffixes, which the order below
   has put in the places where they are asked for;
7. *spell*: a range becomes the lines of an ARPA file.

Ranges are cut by the first two words, so that none takes more than a small part of the memory that
a worker may have.  All sums are of whole numbers, or of the followers of one context, which no
range parts: however many blocks, ranges and workers, the model is the same to the byte.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub import parallel
from lexsub.rankers.lm import distributed_jobs as jobs
from lexsub.rankers.lm.arpa_writer import Speller
from lexsub.rankers.lm.counting import BOS, EOS, SPECIAL, UNK, Vocabulary
from lexsub.rankers.lm.distributed_jobs import Keys, Longs, Plan, Told, cuts, find_row, load, save
from lexsub.rankers.lm.kneser_ney import backoffs, counts_of_counts, discounts_of, shares
from lexsub.storage.files import atomic_write, read_text, write_text

BYTES_A_TOKEN = 200
"""Memory of counting a block, for each of its tokens."""

BYTES_A_ROW = 160
"""Memory of working on a range, for each n-gram of its runs."""

LARGEST = 4_000_000
"""What a block or a range holds at most: more of them keep more workers busy, at no cost."""


@dataclass
class Training:
    """What to estimate, and with what.

    Attributes:
        order: length of the longest n-grams.
        lower: whether to lower the case.
        thresholds: for each order the count up to which its n-grams are left out.
        fallback: whether to fall back on fixed discounts.
        allowed: says, by words and their counts, which words n-grams may have; None for all.
        memory: bytes that one worker may take.
        workers: how many processes.
        backend: what runs them.
    """

    order: int
    lower: bool
    thresholds: tuple[int, ...]
    fallback: bool
    allowed: Callable[[list[str], Longs], NDArray[np.bool_]] | None
    memory: float
    workers: int
    backend: str
    plan: Plan = field(init=False)
    borders: dict[int, Keys] = field(init=False, default_factory=dict)
    words: list[str] = field(init=False, default_factory=list)

    def run(self, pieces: Sequence[Any], work: Path, arpa: Path) -> tuple[int, int, int]:
        """Estimate a model and write it as ARPA text.

        Args:
            pieces: the corpus, in pieces with ``lines``.
            work: folder for what is on the way, seen by all workers; what a stopped call
                has left there is used.
            arpa: the file to write.

        Returns:
            Sentences, tokens and types.

        Raises:
            LexsubError: the text gives no usable discounts, a piece cannot be read, or the disk
                refuses.
        """
        work.mkdir(parents=True, exist_ok=True)
        sizes = work / "sizes"
        if not sizes.exists():  # a call that goes on with other memory keeps the ranges begun with
            rooms = [int(self.memory / one) for one in (BYTES_A_TOKEN, BYTES_A_ROW)]
            write_text(sizes, json.dumps([min(max(room, 1), LARGEST) for room in rooms]))
        order = self.order
        plan = self.plan = Plan(work, order, self.lower, *json.loads(read_text(sizes)))
        read = self._all(jobs.tokenise, list(enumerate(pieces)), 1)
        sentences, tokens = (sum(one[what] for one in read) for what in ("sentences", "tokens"))
        if not tokens:
            return 0, 0, 0
        totals = self._number_words(len(pieces))
        blocks = [(piece, n) for piece, one in enumerate(read) for n in range(one["blocks"])]
        self.borders[2] = _first_borders(totals, plan.share)
        numbered = self._all(jobs.number, [(*one, self.borders[2]) for one in blocks])
        greatest = max(one["greatest"] for one in numbered)[::-1]
        merged = {2: self._merge(2, blocks)}
        inner = [key for part in merged[2] for key in part["borders"]]
        above = np.union1d(self.borders[2], np.array(inner, np.uint64))
        if order > 2:
            self.borders |= dict.fromkeys(range(3, order + 1), above)
            self._all(jobs.run, [(*one, above) for one in blocks])
            merged |= {n: self._merge(n, blocks) for n in range(3, order + 1)}
        first = self._words_before(len(merged[2]))
        statistics = {1: counts_of_counts(first), order: _summed(merged[order])}
        for n in range(2, order):
            given = [(n, part, len(merged[n + 1])) for part in range(len(merged[n]))]
            statistics[n] = _summed(self._all(jobs.adjust, given))
        amounts = {}
        for n in range(1, order + 1):
            correction = self._correction(n, greatest, first, totals)
            amounts[n] = discounts_of(statistics[n], n, self.fallback, correction)
        kept = self._interpolate(first, totals, amounts)
        self._write(arpa, kept, totals)
        return sentences, tokens, len(self.words)

    def _all(
        self, job: Callable[..., Told], given: Sequence[tuple[Any, ...]], numbers: int = 2
    ) -> list[Told]:
        """Run one kind of job; the first numbers of its arguments are its name."""
        name = job.__name__
        unless_done = partial(jobs.do_unless_done, self.plan, name)
        work = (partial(unless_done, one[:numbers], partial(job, self.plan, *one)) for one in given)
        label = f"language model, {name}"
        return list(parallel.run(work, self.workers, self.backend, label, len(given)))

    def _number_words(self, pieces: int) -> Longs:
        """Give all words their ids, by first appearance; return how often each stands."""
        vocabulary = Vocabulary()
        totals = np.zeros(len(SPECIAL), np.int64)
        for piece in range(pieces):
            text = self.plan.at("words", piece).read_text("utf-8")
            words = text.split("\n") if text else []
            own = np.array([0, 1, 2, *map(vocabulary.__getitem__, words)], np.int32)
            save(self.plan.at("map", piece), own)
            grown = np.zeros(len(vocabulary), np.int64)
            grown[: len(totals)] = totals
            grown[own] += load(self.plan.at("counts", piece))
            totals = grown
        self.words = list(vocabulary)
        write_text(self.plan.at("vocabulary"), "\n".join(self.words[len(SPECIAL) :]))
        if self.allowed is not None:
            save(self.plan.at("allowed"), self.allowed(self.words, totals))
        return totals

    def _merge(self, n: int, blocks: Sequence[tuple[int, int]]) -> list[Told]:
        below = self.borders[n - 1] if n > 2 else np.zeros(1, np.uint64)
        given = [(n, part, blocks, below) for part in range(len(self.borders[n]))]
        return self._all(jobs.merge, given)

    def _words_before(self, parts: int) -> Longs:
        """Return the Kneser-Ney counts of the words: how many different ones stand before each."""
        before = np.zeros(len(self.words), np.int64)
        for part in range(parts):
            table = load(self.plan.at("suffixes.2", part))
            before[table[:, 0]] += table[:, 1]
        before[[UNK, BOS]] = 0
        return before

    def _correction(
        self, n: int, greatest: Sequence[int], first: Longs, totals: Longs
    ) -> tuple[int, int] | None:
        if n == self.order or len(greatest) < n:
            return None
        gram = greatest[-n:]
        if n == 1:
            return int(first[gram[0]]), int(totals[gram[0]])
        key = np.array([gram], np.int32)
        part = int(np.flatnonzero(np.diff(cuts(key, self.borders[n])))[0])
        row = find_row(load(self.plan.at(f"rows.{n}", part)), gram)
        return tuple(
            int(load(self.plan.at(f"{name}.{n}", part))[row]) for name in ("adjusted", "counts")
        )  # type: ignore[return-value]

    def _interpolate(
        self, first: Longs, totals: Longs, amounts: Mapping[int, NDArray[np.float64]]
    ) -> dict[int, list[int]]:
        plan = self.plan
        keep = totals > self.thresholds[0]
        if self.allowed is not None:
            keep &= load(plan.at("allowed"))
        keep[[UNK, BOS, EOS]] = True
        prob, gamma = shares(np.zeros(len(first), np.int32), 1, first, keep, amounts[1])
        # <s> is never predicted, so it is not among the words of the uniform distribution.
        prob += gamma[0] * (1.0 / (int(keep.sum()) - 1))
        whole = np.full(len(first), np.nan)
        whole[keep] = prob
        whole[BOS] = 1.0
        save(plan.at("probs.1"), whole)
        save(plan.at("kept.1"), keep)
        kept = {1: [int(keep.sum())]}
        for n in range(2, self.order + 1):
            below = len(self.borders[n - 1]) if n > 2 else 0
            weighing = amounts[n], self.thresholds[n - 1], below
            given = [(n, part, *weighing) for part in range(len(self.borders[n]))]
            told = self._all(jobs.interpolate, given)
            kept[n] = [one["kept"] for one in told]
        return kept

    def _write(self, arpa: Path, kept: Mapping[int, Sequence[int]], totals: Longs) -> None:
        plan, order = self.plan, self.order
        for n in range(2, order + 1):
            given = [(n, part, self._above(n, part)) for part in range(len(self.borders[n]))]
            self._all(jobs.spell, given)
        with atomic_write(arpa) as file:
            file.write(b"\\data\\\n")
            for n, numbers in kept.items():
                file.write(f"ngram {n}={sum(numbers)}\n".encode())
            file.write(b"\n\\1-grams:\n")
            gamma = np.full(len(totals), np.nan)
            followed = (totals > 0) & (np.arange(len(totals)) != EOS)
            gamma[followed] = np.concatenate(
                [load(plan.at("gamma.2", part)) for part in range(len(self.borders[2]))]
            )
            ids = np.flatnonzero(load(plan.at("kept.1"))).astype(np.int32)
            probs = np.log10(load(plan.at("probs.1"))[ids])
            Speller(self.words).write(file, [ids], probs, backoffs(ids, gamma[ids]))
            for n in range(2, order + 1):
                file.write(f"\n\\{n}-grams:\n".encode())
                for part in range(len(self.borders[n])):
                    with plan.at(f"lines.{n}", part).open("rb") as lines:
                        shutil.copyfileobj(lines, file, 1 << 20)
            file.write(b"\n\\end\\\n")

    def _above(self, n: int, part: int) -> range | None:
        """Return the ranges of the order above with what follows the n-grams of a range."""
        if n == self.order:
            return None
        own, above = self.borders[n], self.borders[n + 1]
        first = int(np.searchsorted(above, own[part]))
        last = int(np.searchsorted(above, own[part + 1])) if part + 1 < len(own) else len(above)
        return range(first, last)


def _first_borders(totals: Longs, share: int) -> Keys:
    """Return before which words a new range of bigrams begins."""
    steps = (np.cumsum(totals) - totals) // share
    words = np.flatnonzero(np.diff(steps, prepend=-1))
    borders: Keys = words.astype(np.uint64) << np.uint64(32)
    borders[:1] = 0
    return borders


def _summed(told: Sequence[Told]) -> Longs:
    whole: Longs = np.array([one["statistics"] for one in told], np.int64).sum(axis=0)
    return whole
