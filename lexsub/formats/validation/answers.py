"""A line of a submission: why it is of another shape, and its answers as the scorer takes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lexsub.formats.semeval_lines import short
from lexsub.matching import SeenItem
from lexsub.matching.script import normalise
from lexsub.rankings import SEPARATORS, Task

CAP = 10
"""How many oot answers the official scorer looks at."""

# Blanks, hyphens and apostrophes beyond ASCII that look like those of ASCII.
_ODD = re.compile(
    r"[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff\u00ad\u2010-\u2015\u2018\u2019\u02bc]"
)


# What people write in place of "a;b" when they come from another format.
_UNUSUAL = {
    "quoted": (
        re.compile(r"""\s*(["'\u201c\u00ab]).+["'\u201d\u00bb]\s*"""),
        "stands in quotes; leave them out",
    ),
    "with-score": (
        re.compile(r".*\S[\s:=]+\(?[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\)?\s*"),
        "ends in a number, which is taken as part of it; give the answers alone, best first",
    ),
    "wrong-separator": (
        re.compile(r".*\S\s*[,|/]\s*\S.*"),
        "is taken as one answer; part several by semicolons",
    ),
    "underscore": (re.compile(r".*\w_\w.*"), "has an underscore; expected blanks, as golds have"),
}

_NON = re.compile(r"non[\s-]", re.ASCII)


def check_answers(
    answers: Sequence[str], gold: SeenItem | None, clean: SeenItem | None, *, capped: bool
) -> Iterator[tuple[str, str]]:
    """Yield code and message of everything unexpected in a best or oot answer list.

    Args:
        answers: the pieces between semicolons, as they stand.
        gold: the item's gold as the official scorer reads it, where there is one.
        clean: the same under one rule for both sides.
        capped: whether only the first ten count (oot).
    """
    weights = gold.item.weights if gold else {}
    if len(answers) > CAP and capped:
        cut = ", ".join(map(repr, answers[CAP : CAP + 3]))
        yield (
            "too-many",
            f"{len(answers)} answers; the official scorer cuts all after the tenth "
            f"({cut}{', …' if len(answers) > CAP + 3 else ''})",
        )
    yield from _repetitions(answers)
    for place, answer in enumerate(answers, start=1):
        if not answer.strip():
            yield "empty-answer", f"answer {place} of {len(answers)} is empty; it counts as a guess"
            continue
        odd = list(check_text(answer, tuple(weights)))
        yield from odd
        if gold and clean and not odd and not _NON.match(answer):
            yield from _worth(answer, gold, clean)
        if answer in ("NIL", "NAME"):
            yield "non-answer", f"{answer} counts as a wrong guess; leave the item out instead"
    yield from _changes(answers, gold)


def check_text(answer: str, gold: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the characters of one answer."""
    if answer not in gold:
        for code, (pattern, effect) in _UNUSUAL.items():
            if pattern.fullmatch(answer):
                yield code, f"answer {short(answer)} {effect}"
    if answer != answer.strip():
        yield "outer-blank", f"answer {short(answer)} has a blank at its end; it matches nothing"
    elif re.search(r"\s\s|[\t\v\f]", answer):
        yield "inner-blanks", f"answer {short(answer)} holds several blanks or a tab"
    odd = _ODD.search(answer)
    if odd is not None:
        yield (
            "odd-character",
            f"answer {short(answer)} holds U+{ord(odd[0]):04X}, which only looks like a blank, "
            "hyphen or apostrophe; it matches nothing",
        )
    if answer != answer.lower() and answer not in ("NIL", "NAME", *gold):
        match = f"; the gold has {answer.lower()!r}" if answer.lower() in gold else ""
        yield "case", f"answer {short(answer)} has capital letters and is compared as it is{match}"


def _worth(answer: str, gold: SeenItem, clean: SeenItem) -> Iterator[tuple[str, str]]:
    """Tell where the official rules make a right answer wrong, or a wrong one right."""
    theirs, meant = gold.weight(answer), clean.weight(answer)
    if gold.is_scored and meant and not theirs:
        yield (
            "official-lost",
            f"{short(answer)} stands in the gold, but the official rules give it nothing",
        )
    if theirs and not meant:
        yield "official-won", f"{short(answer)} is right under the official rules alone"


def _repetitions(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    raw = Counter(filter(str.strip, answers))
    for answer, times in raw.items():
        if times > 1:
            yield (
                "duplicate",
                f"answer {short(answer)} stands {times} times; each is credited and counted",
            )
    spellings: dict[str, list[str]] = {}
    for answer in raw:
        spellings.setdefault(normalise(answer), []).append(answer)
    for same in spellings.values():
        if len(same) > 1:
            listed = " and ".join(map(short, same))
            yield (
                "same-when-normalised",
                f"answers {listed} become the same; each is credited and counted",
            )


def _changes(answers: Sequence[str], gold: SeenItem | None) -> Iterator[tuple[str, str]]:
    """Tell what normalisation changes: mostly harmless, so one message a line and kind."""
    hyphens = [answer for answer in answers if "-" in answer]
    if hyphens:
        yield "hyphen", f"{_listed(hyphens)}: hyphens become blanks"
    apostrophes = [answer for answer in answers if "'" in answer]
    if apostrophes:
        yield "apostrophe", f"{_listed(apostrophes)}: the first apostrophe is dropped"
    for answer in answers:
        if _NON.match(answer):
            if gold is not None and answer in gold.item.weights:
                yield (
                    "non-lost",
                    f"{short(answer)} stands in the gold, but the answer becomes "
                    f"{normalise(answer)!r} and matches nothing",
                )
            else:
                yield "non-glued", f"{short(answer)} becomes {normalise(answer)!r}"
    mode = gold.mode if gold else None
    if mode is not None and "-" in mode and normalise(mode) in map(normalise, answers):
        yield "hyphenated-mode", f"the gold's mode {mode!r} has a hyphen, so no answer matches it"


def _listed(answers: Sequence[str]) -> str:
    more = f" and {len(answers) - 3} more" if len(answers) > 3 else ""
    return ", ".join(map(short, answers[:3])) + more


_LOOSE = re.compile(r"(\s*)(\S+)(\s+)([^\s:]+)(\s*)(:{2,3})(.*)")


def diagnose(line: str, task: Task) -> tuple[str, str]:
    """Return code and message for a line that the official scorer does not read."""
    separator = SEPARATORS[task]
    expected = f"expected 'lexelt id {separator} {'multiword' if task == 'mw' else 'answer'}'"
    dropped = "the official scorer drops the line"
    match = _LOOSE.match(line)
    if match is None:
        colons = "" if "::" in line else f" without {separator}"
        return "shape", f"{short(line)}: a line of another shape{colons}; {expected}; {dropped}"
    _, _, gap, item_id, before, colons, rest = match.groups()
    if colons != separator:
        return (
            "wrong-task",
            f"separator {colons!r} is not that of {task}; {expected} (another task's "
            f"submission?); {dropped}",
        )
    if "\t" in gap + before + rest[:1]:
        return "tab", f"a tab between the fields; {expected} with single blanks; {dropped}"
    if task == "mw":
        return "non-numeric-id", f"id {item_id!r} is no number; {dropped}"
    if len(gap) > 1 or len(before) > 1:
        return "several-blanks", f"several blanks between the fields; {expected}; {dropped}"
    if not before:
        return "shape", f"no blank before {separator}; {expected}; {dropped}"
    if not rest.startswith(" "):
        return (
            "no-blank-after-colons",
            f"no blank after {separator}; {expected}; {dropped}",
        )
    return "shape", f"{short(line)}: a line of another shape; {expected}; {dropped}"
