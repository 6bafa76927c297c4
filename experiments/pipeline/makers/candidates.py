"""Candidates of every item of a split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lexsub.datasets import Dataset, Item
from lexsub.formats.jsonl import read_candidates, write_candidates
from lexsub.parallel import in_blocks
from lexsub.parts.base import CandidateSource
from lexsub.parts.checked import checked_candidates, with_method
from lexsub.rankings import Candidate, Pools
from lexsub.resources import Resources

FILE = "candidates.jsonl"


def make(draft: Path, source: CandidateSource, resources: Resources, data: Dataset) -> Pools:
    """Write the candidates of every item, and return them."""
    pools = generate(source, resources, data)
    write_candidates(draft / FILE, pools)
    return dict(pools)


def read(folder: Path) -> Pools:
    """Return what :func:`make` wrote."""
    return read_candidates(folder / FILE)


def generate(
    source: CandidateSource, resources: Resources, data: Dataset
) -> list[tuple[str, Sequence[Candidate]]]:
    """Return (item id, candidates) for every item, in item order."""

    def block(items: Iterable[Item]) -> list[tuple[str, Sequence[Candidate]]]:
        opened = with_method(source.open(resources), "candidates", source)
        return [
            (item.id, checked_candidates(opened.candidates(item), item, source)) for item in items
        ]

    return in_blocks(block, data.items, resources, "candidates")
