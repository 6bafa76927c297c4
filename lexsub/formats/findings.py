"""What a submission is held against (a data set's items, its gold), and what a line is found to be.

Of a line: why it is of another shape, and its answers as the scorer takes them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lexsub.datasets import Dataset, Gold, GoldItem
from lexsub.formats.semeval_lines import short
from lexsub.formats.variants import PROPER_NAME
from lexsub.matching.policies import counts_only, official_reading
from lexsub.matching.script import normalise
from lexsub.matching.seen import SeenGold, SeenItem, gold_under
from lexsub.rankings import SEPARATORS, Task

Severity = Literal["error", "warning", "note"]

CODES: dict[str, tuple[Severity, str]] = {
    # The whole line is lost, or stands for another item.
    "encoding": ("error", "bytes that are not UTF-8"),
    "nul": ("error", "a NUL byte"),
    "long-line": ("error", "a line too long to be meant"),
    "inner-cr": ("error", "a carriage return inside a line, which ends no line"),
    "wrong-task": ("error", "the separator of another task; the line is dropped or misread"),
    "no-blank-after-colons": ("error", "no blank after the colons; the line is dropped"),
    "several-blanks": ("error", "more than one blank between the fields; the line is dropped"),
    "tab": ("error", "a tab between the fields; the line is dropped"),
    "non-numeric-id": ("error", "an mw id that is no number; the line is dropped"),
    "shape": ("error", "a line of another shape; it is dropped"),
    "unknown-id": ("error", "an id that the data set does not have; the line is ignored"),
    "repeated-id": ("error", "an id answered before; the line is ignored"),
    # The answers are not what they seem.
    "blank-answer": ("error", "no answer; the answers of the line before count again"),
    "empty-answer": ("error", "an empty answer between semicolons; it counts as a guess"),
    "duplicate": ("error", "an answer given twice; it is credited twice"),
    "same-when-normalised": ("error", "answers that become the same; they are credited twice"),
    "too-many": ("error", "more than ten oot answers; the rest is cut"),
    "several-answers": ("error", "several mw answers; they are taken as one"),
    "outer-blank": ("error", "a blank at an answer's end; it can match nothing"),
    "carriage-return": ("error", "CR LF line ends; the last answer of a line matches nothing"),
    "odd-character": ("error", "a look-alike of blank, hyphen or apostrophe; it matches nothing"),
    "apostrophe-mw": ("error", "an apostrophe in an mw answer; the gold has lost its own"),
    "wrong-separator": ("error", "a comma, slash or bar in an answer; several are taken as one"),
    "quoted": ("error", "an answer in quotes; it matches nothing"),
    "with-score": ("error", "a number behind an answer; it is taken as part of it"),
    "underscore": ("error", "an underscore in an answer; golds have blanks"),
    "inner-blanks": ("warning", "several blanks inside an answer; it matches nothing"),
    "case": ("warning", "capital letters; answers are compared as they are"),
    "non-answer": ("warning", "NIL or NAME; it counts as a wrong guess"),
    "non-lost": ("warning", "the gold's own 'non-…' spelling, which cannot be matched"),
    "hyphenated-mode": ("warning", "the gold's mode has a hyphen, so it cannot be matched"),
    "official-lost": ("warning", "right answers to which the official rules give nothing"),
    "official-won": ("warning", "answers that are right under the official rules alone"),
    "lexelt-differs": ("warning", "not the item's lexelt; the scorer does not look at it"),
    "text-before": ("warning", "text before the lexelt; it is ignored"),
    "missing-id": ("warning", "scored items without a line; recall counts them as wrong"),
    # Harmless, but not what stands there.
    "hyphen": ("note", "hyphens become blanks before answers are compared"),
    "apostrophe": ("note", "the first apostrophe is dropped, in the gold as well"),
    "non-glued": ("note", "'non' is joined to the next word"),
    "gold-changed": ("note", "gold entries that the official rules read otherwise, or not at all"),
    "unscored-id": ("note", "items that are not scored (no gold, or a single response)"),
    "bom": ("note", "a byte order mark; it is ignored"),
}
"""Every code with its severity and meaning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a file.

    Attributes:
        line: 1-based line, 0 where the whole file is meant.
        code: one of ``CODES``.
        message: what was found and what becomes of it.
    """

    line: int
    code: str
    message: str

    @property
    def severity(self) -> Severity:
        """How bad it is: error, warning or note."""
        return CODES[self.code][0]


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """All findings of one file.

    Attributes:
        findings: in line order.
        lines: answer lines of the right shape.
        answered: scored items that they answer.
        scored: items that the official scorer scores, or None without a reference.
    """

    findings: tuple[Finding, ...]
    lines: int
    answered: int
    scored: int | None

    def count(self, severity: Severity) -> int:
        """Return the number of findings of one severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def by_code(self) -> dict[str, int]:
        """The number of findings of each code that occurs, by code."""
        return dict(sorted(Counter(finding.code for finding in self.findings).items()))


@dataclass(frozen=True)
class Reference:
    """A data set as the validator needs it.

    Attributes:
        name: data set and split, or the gold file.
        lexelts: every known item id with its lexelt.
        gold: the gold of the task by item id.
        complete: whether ``lexelts`` names every item, not only those with gold.
    """

    name: str
    lexelts: Mapping[str, str]
    gold: Mapping[str, GoldItem]
    complete: bool = True

    @classmethod
    def of_dataset(cls, dataset: Dataset, task: Task) -> Reference:
        """Take the items of a data set and its gold for one task."""
        gold = dataset.gold.multiwords if task == "mw" else dataset.gold.items
        return cls(dataset.name, {item.id: str(item.lexelt) for item in dataset.items}, gold)

    @classmethod
    def of_gold(cls, name: str, gold: Mapping[str, GoldItem]) -> Reference:
        """Take the items of a gold file; items without gold are then unknown."""
        return cls(name, {item.id: item.lexelt for item in gold.values()}, gold, complete=False)

    @cached_property
    def scored(self) -> frozenset[str]:
        """Ids that the official best and oot scores count: more than one response in all."""
        return frozenset(item_id for item_id, item in self.seen.items() if item.is_scored)

    @cached_property
    def seen(self) -> SeenGold:
        """The gold as the official scorer reads it; by ``clean`` if its weights are no counts."""
        return gold_under(Gold(self.name, self.gold), "official") if self._counts else self.clean

    @cached_property
    def clean(self) -> SeenGold:
        """The gold under one rule for both sides."""
        return gold_under(Gold(self.name, self.gold), "clean")

    @cached_property
    def changed(self) -> tuple[tuple[str, str, str | None], ...]:
        """Item, substitute and what the official scorer reads of it, where that is not the same.

        That it drops the first apostrophe changes nothing, as it does so in answers, too; the mark
        of a proper name is no substitute under any rules.
        """
        if not self._counts:
            return ()
        read = (
            (item.id, name, official_reading(name))
            for item in self.gold.values()
            for name in item.positive
            if name != PROPER_NAME
        )
        return tuple(one for one in read if one[2] != one[1].replace("'", "", 1))

    @cached_property
    def _counts(self) -> bool:
        return counts_only(self.gold.values())


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
        cut = ", ".join(map(repr, answers[CAP : CAP + 3])) + ", …" * (len(answers) > CAP + 3)
        effect = f"the official scorer cuts all after the tenth ({cut})"
        yield "too-many", f"{len(answers)} answers; {effect}"
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
        effect = "which only looks like a blank, hyphen or apostrophe; it matches nothing"
        yield "odd-character", f"answer {short(answer)} holds U+{ord(odd[0]):04X}, {effect}"
    if answer != answer.lower() and answer not in ("NIL", "NAME", *gold):
        match = f"; the gold has {answer.lower()!r}" if answer.lower() in gold else ""
        yield "case", f"answer {short(answer)} has capital letters and is compared as it is{match}"


def _worth(answer: str, gold: SeenItem, clean: SeenItem) -> Iterator[tuple[str, str]]:
    """Tell where the official rules make a right answer wrong, or a wrong one right."""
    theirs, meant = gold.weight(answer), clean.weight(answer)
    if gold.is_scored and meant and not theirs:
        effect = "stands in the gold, but the official rules give it nothing"
        yield "official-lost", f"{short(answer)} {effect}"
    if theirs and not meant:
        yield "official-won", f"{short(answer)} is right under the official rules alone"


def _repetitions(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    raw = Counter(filter(str.strip, answers))
    for answer, times in raw.items():
        if times > 1:
            effect = f"stands {times} times; each is credited and counted"
            yield "duplicate", f"answer {short(answer)} {effect}"
    spellings: dict[str, list[str]] = {}
    for answer in raw:
        spellings.setdefault(normalise(answer), []).append(answer)
    for same in spellings.values():
        if len(same) > 1:
            effect = "become the same; each is credited and counted"
            yield "same-when-normalised", f"answers {' and '.join(map(short, same))} {effect}"


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
            becomes = f"becomes {normalise(answer)!r}"
            if gold is not None and answer in gold.item.weights:
                effect = f"but the answer {becomes} and matches nothing"
                yield "non-lost", f"{short(answer)} stands in the gold, {effect}"
            else:
                yield "non-glued", f"{short(answer)} {becomes}"
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
        problem = f"separator {colons!r} is not that of {task}; {expected}"
        return "wrong-task", f"{problem} (another task's submission?); {dropped}"
    if "\t" in gap + before + rest[:1]:
        return "tab", f"a tab between the fields; {expected} with single blanks; {dropped}"
    if task == "mw":
        return "non-numeric-id", f"id {item_id!r} is no number; {dropped}"
    if len(gap) > 1 or len(before) > 1:
        return "several-blanks", f"several blanks between the fields; {expected}; {dropped}"
    if not before:
        return "shape", f"no blank before {separator}; {expected}; {dropped}"
    if not rest.startswith(" "):
        return "no-blank-after-colons", f"no blank after {separator}; {expected}; {dropped}"
    return "shape", f"{short(line)}: a line of another shape; {expected}; {dropped}"
