"""Candidate pools: for each target, what all its gold answers name together.

The file that most later papers rank (``lst.gold.candidates`` of Melamud et al., 2015) has
lines ``bright.a::clever;intelligent``.  The published one holds 17 candidates twice, told
apart only by a blank at the end, and in 10 lists the marker ``pn`` ("proper name"), which is
no word.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.golds import GoldItem

PROPER_NAME = "pn"


def parse_candidate_pool(text: str, path: Path) -> dict[str, tuple[str, ...]]:
    """Read a pool: target (``lemma.pos``) to its candidates in file order.

    Candidates are trimmed; duplicates and ``pn`` are dropped.

    Raises:
        FormatError: a line of another shape, a target listed twice, or no line.
    """
    pool: dict[str, tuple[str, ...]] = {}
    for number, line in numbered_lines(text, path):
        target, separator, rest = line.partition("::")
        target = target.strip()
        if not separator or not target or rest.startswith(":"):
            raise FormatError(path, number, f"{line[:60]!r}; expected 'target.pos::candidate;…'")
        if target in pool:
            raise FormatError(path, number, f"target {target} stands twice; expected one line")
        pool[target] = _clean(rest.split(";"))
    if not pool:
        raise FormatError(path, None, "holds no line; expected 'target.pos::candidate;…'")
    return pool


def pool_candidates(items: Iterable[GoldItem]) -> dict[str, tuple[str, ...]]:
    """Return the pool of a gold: all answers (weight > 0) of a target's items, in order.

    As in the published file, targets are merged by the first two parts of the lexelt
    (``bar.n.v`` and ``bar.n`` are one target).
    """
    pool: dict[str, list[str]] = {}
    for item in items:
        pool.setdefault(pool_key(item.lexelt), []).extend(item.positive)
    return {target: _clean(candidates) for target, candidates in pool.items()}


def pool_key(lexelt: str) -> str:
    """Return the target under which a lexelt's candidates are pooled: ``bar.n`` of ``bar.n.v``."""
    lemma, _, last = lexelt.rpartition(".")
    corrected = len(last) == 1 and len(lemma) > 2 and lemma[-2] == "." and lemma[-1] in "nvar"
    return lemma if corrected else lexelt


def _clean(candidates: Iterable[str]) -> tuple[str, ...]:
    trimmed = (candidate.strip() for candidate in candidates)
    return tuple(dict.fromkeys(word for word in trimmed if word and word != PROPER_NAME))
