"""The JSON of SWORDS (Lee, Donahue, Jia, Iyabor and Liang, 2021): data sets and results.

A data set holds contexts, targets, substitutes and, for each substitute, the labels of 3
or 10 judges.  The weight of a substitute is TRUE (or TRUE_IMPLICIT) labels over all labels
but UNSURE ones; a substitute with UNSURE labels alone is dropped (section 9.4 of the
specification, after the reference implementation).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from lexsub.datasets import GoldItem, Item, Lexelt
from lexsub.errors import FormatError
from lexsub.storage.headers import parse_json_as

Label = Literal["TRUE", "FALSE", "TRUE_IMPLICIT", "FALSE_IMPLICIT", "UNSURE"]

# Universal parts of speech of content words; SWORDS targets are taken from CoInCo's.
POS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}


class _Context(BaseModel):
    context: str


class _TargetExtra(BaseModel):
    coinco_lemma: str | None = None


class _Target(BaseModel):
    context_id: str
    target: str = Field(min_length=1)
    offset: int = Field(ge=0)
    pos: str | None = None
    extra: _TargetExtra | None = None


class _Substitute(BaseModel):
    target_id: str
    substitute: str


class SwordsJson(BaseModel):
    """The shape of a SWORDS data set file (version 1.1)."""

    contexts: dict[str, _Context]
    targets: Annotated[dict[str, _Target], Field(min_length=1)]
    substitutes: dict[str, _Substitute]
    substitute_labels: dict[str, list[Label]]


def parse_swords(data: bytes, path: Path) -> tuple[tuple[Item, ...], dict[str, GoldItem]]:
    """Read items and gold from the (uncompressed) bytes of a SWORDS data set.

    White space inside a context becomes blanks, one for one, so offsets stay.  The target's
    lemma is the one CoInCo gives, else the lower-cased target.  Substitutes are lower-cased;
    the labels of forms that this makes equal are pooled.

    Returns:
        Items in file order, and a gold item for each of them: weights in [0, 1] in file
        order, 0 kept (every weight's key is a judged candidate), ``judgements`` filled.

    Raises:
        FormatError: not JSON, another shape, a label or part of speech unknown, a reference
            to a context or target that is not there, or a target that is not at its offset.
    """
    swords = parse_json_as(SwordsJson, data, path)
    items = tuple(_item(swords, target_id, path) for target_id in swords.targets)
    judgements: dict[str, dict[str, tuple[int, int]]] = {item.id: {} for item in items}
    for substitute_id, substitute in swords.substitutes.items():
        if substitute.target_id not in judgements:
            raise _lost(path, "substitutes", substitute_id, "target_id", substitute.target_id)
        if substitute_id not in swords.substitute_labels:
            problem = f"substitute {substitute_id} has no labels; expected 1 or more"
            raise FormatError(path, None, problem)
        yes, all_ = count_labels(swords.substitute_labels[substitute_id])
        if all_:
            pooled = judgements[substitute.target_id]
            form = substitute.substitute.lower().strip()
            before = pooled.get(form, (0, 0))
            pooled[form] = (before[0] + yes, before[1] + all_)
    gold = {}
    for item in items:
        judged = judgements[item.id]
        weights = {form: yes / all_ for form, (yes, all_) in judged.items()}
        gold[item.id] = GoldItem(item.id, str(item.lexelt), weights, judgements=judged)
    return items, gold


def count_labels(labels: list[Label]) -> tuple[int, int]:
    """Return how many labels are favourable, and how many there are without UNSURE ones."""
    yes = sum(label in ("TRUE", "TRUE_IMPLICIT") for label in labels)
    return yes, sum(label != "UNSURE" for label in labels)


def _item(swords: SwordsJson, target_id: str, path: Path) -> Item:
    target = swords.targets[target_id]
    context = swords.contexts.get(target.context_id)
    if context is None:
        raise _lost(path, "targets", target_id, "context_id", target.context_id)
    end = target.offset + len(target.target)
    found = context.context[target.offset : end]
    if found.lower() != target.target.lower():
        place = f"{found!r} stands at offset {target.offset} of its context"
        problem = f"target {target_id}: {place}; expected {target.target!r}"
        raise FormatError(path, None, problem)
    if target.pos not in POS:
        expected = f"one of {', '.join(POS)}"
        problem = f"target {target_id}: pos {target.pos!r}; expected {expected}"
        raise FormatError(path, None, problem)
    lemma = (target.extra and target.extra.coinco_lemma) or target.target.lower()
    lexelt = Lexelt(lemma, POS[target.pos], POS[target.pos])
    return Item(target_id, lexelt, re.sub(r"\s", " ", context.context), target.offset, end)


def _lost(path: Path, table: str, key: str, field: str, value: str) -> FormatError:
    return FormatError(path, None, f"at {table}.{key}.{field}: {value!r} is nowhere in the file")
