"""Lines in the manner of SemEval's: gold lines of TWSI, the mapping of SemDis, candidate pools.

TWSI 2.0 (Biemann, 2012) has SemEval's gold lines with two liberties: a substitute may hold a
semicolon (so a piece ends only where digits come before the semicolon), and a sentence without any
substitute keeps its line, with nothing behind the colons.

SemDis 2014 (French) has gold lines with ``; `` between substitutes and whole (gold 1) or decimal
(gold 2) weights, a mapping of forms, and submissions ``mot.pos id :: a ; b``, the first answer
being the best one, for BEST and OOT alike (:mod:`lexsub.formats.outputs.plain`).

A candidate pool holds for each target what all its gold answers name together.  The file that most
later papers rank (``lst.gold.candidates`` of Melamud et al., 2015) has lines
``bright.a::clever;intelligent``.  The published one holds 17 candidates twice, told apart only by
a blank at the end, and in 10 lists the marker ``pn`` ("proper name"), which is no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from lexsub.datasets import GoldItem
from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import placed_lines

_TWSI_LINE = re.compile(r"(\S+|\S[^:]*?\.[A-Za-z.]+) (\S+) ::(.*)")
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
    for at, raw in placed_lines(text, path):
        line = raw.rstrip()
        match = _TWSI_LINE.fullmatch(line)
        if match is None:
            raise at.fault(f"{line[:60]!r}; expected 'lexelt id :: substitute count;…'")
        lexelt, item_id, answers = match.groups()
        if item_id in items:
            raise at.fault(f"id {item_id} stands twice (first on line {items[item_id].line})")
        weights: dict[str, float] = {}
        for piece in filter(None, map(str.strip, _PIECE_END.split(answers))):
            response = _PIECE.fullmatch(piece)
            if response is None:
                raise at.fault(f"answer {piece!r} has no count; expected 'substitute count'")
            weights[response[1]] = weights.get(response[1], 0.0) + float(response[2])
        source = "" if any(";" in name for name in weights) else answers.strip()
        items[item_id] = GoldItem(item_id, lexelt, weights, source, at.line)
    if not items:
        raise FormatError(path, None, "holds no gold line; expected 'lexelt id :: substitute 1;'")
    return items


def parse_mapping(text: str, path: Path) -> dict[str, dict[str, str]]:
    """Read ``form(lexelt)-->form`` lines: lexelt to (given form to canonical form).

    Lines that begin with ``#`` and blank lines say nothing.

    Raises:
        FormatError: a line of another shape, or a form mapped twice for one lexelt.
    """
    mapping: dict[str, dict[str, str]] = {}
    for at, line in placed_lines(text, path):
        entry = line.strip()
        if entry.startswith("#"):
            continue
        head, arrow, canonical = entry.partition(")-->")
        form, bracket, lexelt = head.rpartition("(")
        fields = (form, lexelt, canonical)
        whole = all(part and part == part.strip() for part in fields)
        if not (arrow and bracket and whole) or lexelt.split() != [lexelt]:
            raise at.fault(f"{entry[:60]!r}; expected 'form(lexelt)-->form'")
        forms = mapping.setdefault(lexelt, {})
        if forms.setdefault(form, canonical) != canonical:
            raise at.fault(f"{form!r} of {lexelt} is mapped to {forms[form]!r} already")
    return mapping


def map_answers(
    lexelt: str, answers: Iterable[str], mapping: Mapping[str, Mapping[str, str]]
) -> tuple[str, ...]:
    """Return answers in canonical form, later duplicates dropped.

    As the SemDis evaluator does, both happen only for lexelts that have rules; the answers
    of others come back as they are.
    """
    forms = mapping.get(lexelt)
    if not forms:
        return tuple(answers)
    return tuple(dict.fromkeys(forms.get(answer, answer) for answer in answers))


PROPER_NAME = "pn"


def parse_candidate_pool(text: str, path: Path) -> dict[str, tuple[str, ...]]:
    """Read a pool: target (``lemma.pos``) to its candidates in file order.

    Candidates are trimmed; duplicates and ``pn`` are dropped.

    Raises:
        FormatError: a line of another shape, a target listed twice, or no line.
    """
    pool: dict[str, tuple[str, ...]] = {}
    for at, line in placed_lines(text, path):
        target, separator, rest = line.partition("::")
        target = target.strip()
        if not separator or not target or rest.startswith(":"):
            raise at.fault(f"{line[:60]!r}; expected 'target.pos::candidate;…'")
        if target in pool:
            raise at.fault(f"target {target} stands twice; expected one line")
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
