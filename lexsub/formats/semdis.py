"""The files of SemDis 2014 (French): gold lines, submissions and the mapping of forms.

Sentences are SemEval XML.  Gold lines are SemEval's with ``; `` between substitutes and
whole (gold 1) or decimal (gold 2) weights; submissions have ``mot.pos id :: a ; b``, the
first answer being the best one, for BEST and OOT alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.submissions import Answer, Submission

_ANSWER_LINE = re.compile(r"(\S+) +(\S+) *::(.*)")


def parse_mapping(text: str, path: Path) -> dict[str, dict[str, str]]:
    """Read ``form(lexelt)-->form`` lines: lexelt to (given form to canonical form).

    Lines that begin with ``#`` and blank lines say nothing.

    Raises:
        FormatError: a line of another shape, or a form mapped twice for one lexelt.
    """
    mapping: dict[str, dict[str, str]] = {}
    for number, line in numbered_lines(text, path):
        entry = line.strip()
        if not entry or entry.startswith("#"):
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


def parse_semdis_submission(text: str, path: Path) -> Submission:
    """Read a SemDis submission; answers are trimmed and empty ones dropped.

    The result is an oot submission: the first answer is the one that BEST scores.

    Raises:
        FormatError: a line of another shape, a repeated id, or no line at all.
    """
    answers: dict[str, Answer] = {}
    for number, line in numbered_lines(text, path):
        if not line.strip():
            continue
        match = _ANSWER_LINE.fullmatch(line.strip())
        if match is None:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'mot.pos id :: a ; b'")
        lexelt, item_id, rest = match.groups()
        if item_id in answers:
            raise FormatError(
                path, number, f"id {item_id} stands twice (first on line {answers[item_id].line})"
            )
        given = (answer.strip() for answer in rest.split(";"))
        answers[item_id] = Answer(lexelt, item_id, tuple(filter(None, given)), number)
    if not answers:
        raise FormatError(path, None, "holds no answer line; expected 'mot.pos id :: a ; b'")
    return Submission(path.name, "oot", tuple(answers.values()))


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
