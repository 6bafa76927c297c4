"""The same count as :mod:`lexsub.evaluation.official.best_oot`, for ordinary submissions, faster.

All answer fields are normalised in one string, and each line costs a split and a look-up.
Whatever is out of the ordinary (bad lines, blank answers, other rules, a line per item) is
left to the patient way; that both count alike is tested on random submissions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lexsub.evaluation.official.lines import Fields
from lexsub.matching.script.gold import Entry

_JOINED_NON = re.compile(r"non(?<=[;\n]non)[ \t\r\f\v-]")
_BLANK_START = re.compile(r"\n[ \t\n\r\f\v]")

Counts = tuple[float, int, int, int, int]
"""Credit, attempted, mode hits, modes attempted, lines with duplicates."""


def normalised_fields(lines: Sequence[Fields]) -> list[str] | None:
    """Normalise the answer fields of all lines; None where one may be blank.

    Trailing semicolons, which give no answers, are gone.
    """
    text = "\n" + "\n".join([field for _, _, field in lines]) + "\n"
    if _BLANK_START.search(text):
        return None
    if "non" in text:
        text = _JOINED_NON.sub("non", text)
    text = text.replace("-", " ")
    while ";\n" in text:
        text = text.replace(";\n", "\n")
    fields = text[1:-1].split("\n")
    if "'" in text:
        fields = [_without_apostrophes(field) if "'" in field else field for field in fields]
    return fields


def _without_apostrophes(field: str) -> str:
    return ";".join([answer.replace("'", "", 1) for answer in field.split(";")])


def count_best(
    lines: Sequence[Fields], fields: Sequence[str], entries: Mapping[str, Entry]
) -> Counts:
    """Count a best submission."""
    total = 0.0
    attempted = mode_hits = modes_attempted = 0
    take = dict(entries).pop
    for (_, item_id, _), field in zip(lines, fields, strict=True):
        entry = take(item_id, None)
        if entry is None or not field:
            continue
        shares, _, mode, _ = entry
        attempted += 1
        if ";" in field:
            answers = field.split(";")
            credit = 0.0
            for answer in answers:
                if answer in shares:
                    credit += shares[answer]
            total += credit / len(answers)
            field = answers[0]
        elif field in shares:
            total += shares[field]
        if mode is not None:
            modes_attempted += 1
            if field == mode:
                mode_hits += 1
    return total, attempted, mode_hits, modes_attempted, 0


def count_oot(
    lines: Sequence[Fields], fields: Sequence[str], entries: Mapping[str, Entry], cap: int
) -> Counts:
    """Count an oot submission."""
    total = 0.0
    attempted = mode_hits = modes_attempted = duplicates = 0
    take = dict(entries).pop
    for (_, item_id, _), field in zip(lines, fields, strict=True):
        entry = take(item_id, None)
        if entry is None or not field:
            continue
        shares, _, mode, _ = entry
        attempted += 1
        answers = field.split(";")
        different = set(answers)
        repeated = len(different) < len(answers)
        if repeated:
            duplicates += 1
        if len(answers) > cap:
            answers = answers[:cap]
            different = set(answers)
        credit = 0.0
        right = 0
        for substitute, share in shares.items():
            if substitute in different:
                credit += share
                right += 1
        if right > 2 or repeated:
            # Duplicates earn twice, and more than two terms add up to the same last bit only
            # in the same order.
            credit = 0.0
            for answer in answers:
                if answer in shares:
                    credit += shares[answer]
        total += credit
        if mode is not None:
            modes_attempted += 1
            if mode in different:
                mode_hits += 1
    return total, attempted, mode_hits, modes_attempted, duplicates
