"""The mapping of forms of SemDis 2014 (French).

Sentences are SemEval XML.  Gold lines are SemEval's with ``; `` between substitutes and
whole (gold 1) or decimal (gold 2) weights; submissions have ``mot.pos id :: a ; b``, the
first answer being the best one, for BEST and OOT alike (:mod:`lexsub.formats.outputs.lines`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import numbered_lines


def parse_mapping(text: str, path: Path) -> dict[str, dict[str, str]]:
    """Read ``form(lexelt)-->form`` lines: lexelt to (given form to canonical form).

    Lines that begin with ``#`` and blank lines say nothing.

    Raises:
        FormatError: a line of another shape, or a form mapped twice for one lexelt.
    """
    mapping: dict[str, dict[str, str]] = {}
    for number, line in numbered_lines(text, path):
        entry = line.strip()
        if entry.startswith("#"):
            continue
        head, arrow, canonical = entry.partition(")-->")
        form, bracket, lexelt = head.rpartition("(")
        fields = (form, lexelt, canonical)
        whole = all(part and part == part.strip() for part in fields)
        if not (arrow and bracket and whole) or lexelt.split() != [lexelt]:
            raise FormatError(path, number, f"{entry[:60]!r}; expected 'form(lexelt)-->form'")
        forms = mapping.setdefault(lexelt, {})
        if forms.setdefault(form, canonical) != canonical:
            raise FormatError(
                path, number, f"{form!r} of {lexelt} is mapped to {forms[form]!r} already"
            )
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
