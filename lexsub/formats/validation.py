"""A strict look at submissions: all that the official scorer would take otherwise than meant.

The official scorer of SemEval-2007 Task 10 drops, truncates and double-counts without a
word (METHODS 1.2-1.11 of the specification).  Nothing is scored here; each fault is named
with its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.findings import (
    Finding,
    Reference,
    ValidationReport,
    check_answers,
    check_text,
    diagnose,
)
from lexsub.formats.semeval_lines import LONGEST_LINE, PATTERNS, no_answers, short
from lexsub.matching.script import pieces
from lexsub.rankings import Task
from lexsub.storage.files import refuse_other_kinds


def validate_submission(
    data: bytes, path: Path, task: Task, reference: Reference | None = None
) -> ValidationReport:
    """List everything in a submission that the official scorer takes otherwise than meant.

    Args:
        data: the file's bytes.
        path: its name, for messages.
        task: best, oot or mw.
        reference: items and gold; without it ids and modes are not looked at.

    Raises:
        FormatError: nothing in the file is an answer of this task (an empty file, another
            task's submission, another kind of file).
    """
    check = _Check(task, reference)
    for number, line in _lines(data, path, check):
        check.line(number, line)
    if not check.lines:
        head = [line[:LONGEST_LINE].decode("latin-1") for line in data.split(b"\n", 100)[:100]]
        raise FormatError(path, None, no_answers(head, task))
    check.end()
    findings = sorted(check.findings, key=lambda finding: finding.line)
    scored = len(reference.scored) if reference and task != "mw" else None
    answered = len(check.answered & reference.scored) if reference else len(check.answered)
    return ValidationReport(tuple(findings), check.lines, answered, scored)


class _Check:
    """Goes through the lines and gathers findings."""

    def __init__(self, task: Task, reference: Reference | None) -> None:
        self.task, self.reference = task, reference
        self.findings: list[Finding] = []
        self.lines = 0
        self.answered: set[str] = set()
        self._first: dict[str, int] = {}
        self._before = 0  # line of the answers that a blank one would borrow
        self._carriage: list[int] = []

    def add(self, line: int, code: str, message: str) -> None:
        self.findings.append(Finding(line, code, message))

    def line(self, number: int, raw: str) -> None:
        line = raw.removesuffix("\r")
        if not line.strip():
            return
        if line != raw:
            self._carriage.append(number)
        if "\r" in line:
            self.add(number, "inner-cr", "a carriage return inside the line; end lines with LF")
        match = PATTERNS[self.task].search(line)
        if match is None:
            self.add(number, *diagnose(line, self.task))
            return
        self.lines += 1
        lexelt, item_id, rest = match.groups()
        before = line[: match.start()]
        if before:
            self.add(number, "text-before", f"{short(before)} before the lexelt is ignored")
        if not self._check_id(number, lexelt, item_id):
            return
        if self.task == "mw":
            self._check_multiword(number, item_id, rest)
        else:
            self._check_list(number, item_id, rest)

    def _check_id(self, number: int, lexelt: str, item_id: str) -> bool:
        """Check an id and its lexelt; return whether the scorer reads on."""
        first = self._first.setdefault(item_id, number)
        if self.reference is not None:
            known = self.reference.lexelts.get(item_id)
            ignored = self.task != "mw"
            if known is None and (ignored or self.reference.complete):
                effect = "the line is ignored" if ignored else "it counts as a wrong guess"
                problem = f"id {item_id} is not in {self.reference.name}; {effect}"
                self.add(number, "unknown-id", problem)
                if ignored:
                    return False
            if known is not None and known != lexelt:
                problem = f"lexelt {lexelt!r}, but item {item_id} is {known}; scored all the same"
                self.add(number, "lexelt-differs", problem)
        if first != number:
            problem = f"id {item_id} is answered on line {first} already; this line is ignored"
            self.add(number, "repeated-id", problem)
        return first == number

    def _check_list(self, number: int, item_id: str, rest: str) -> None:
        scored = self.reference is None or item_id in self.reference.scored
        if not rest.strip():
            effect = "it counts as not attempted"
            if not scored:
                effect = "the item is not scored"
            elif self._before:
                effect = f"the official scorer gives it the answers of line {self._before} again"
            self.add(number, "blank-answer", f"item {item_id} has no answer; {effect}")
            return
        answers = pieces(rest)
        if not answers:
            self.add(number, "empty-answer", f"item {item_id} has only semicolons; not attempted")
        elif scored:
            self.answered.add(item_id)
        if scored:
            self._before = number
        gold = self.reference.seen.get(item_id) if self.reference else None
        clean = self.reference.clean.get(item_id) if self.reference else None
        for code, message in check_answers(answers, gold, clean, capped=self.task == "oot"):
            self.add(number, code, f"item {item_id}: {message}")

    def _check_multiword(self, number: int, item_id: str, answer: str) -> None:
        if answer.startswith(":"):
            problem = f"item {item_id}: separator ':::' is that of oot; expected '::'"
            self.add(number, "wrong-task", problem)
            return
        if not answer.strip():
            effect = "if it has a multiword, it counts as detected all the same"
            self.add(number, "blank-answer", f"item {item_id} has no answer; {effect}")
            return
        self.answered.add(item_id)
        gold = self.reference.gold.get(item_id) if self.reference else None
        for code, message in _check_mw_text(answer, tuple(gold.weights) if gold else ()):
            self.add(number, code, f"item {item_id}: {message}")

    def end(self) -> None:
        """Add what only the whole file shows."""
        if self._carriage:
            last = "the multiword" if self.task == "mw" else "the last answer"
            problem = (
                f"{len(self._carriage)} lines end in CR LF, first this one: {last} of each "
                "keeps the CR and matches nothing; save with LF line ends"
            )
            self.add(self._carriage[0], "carriage-return", problem)
        if self.reference is None or self.task == "mw":
            return
        scored, answered = self.reference.scored, self._first.keys()
        if missing := [i for i in self.reference.gold if i in scored - answered]:
            share = f"{len(missing)} of {len(scored)} scored items have no line"
            self.add(0, "missing-id", f"{share} ({_ids(missing)}); recall counts them as wrong")
        if changed := self.reference.changed:
            examples = "; ".join(
                f"{short(name)} is read as {short(read) if read else 'nothing'} (item {item})"
                for item, name, read in changed[:3]
            )
            problem = (
                f"{len(changed)} gold entries of {len({item for item, *_ in changed})} items are "
                f"not read as they stand by the official rules: {examples}"
            )
            self.add(0, "gold-changed", problem + ("; …" if len(changed) > 3 else ""))
        if unscored := [i for i in answered if i in self.reference.lexelts and i not in scored]:
            problem = "answered items are not scored, having no gold or a single response"
            self.add(0, "unscored-id", f"{len(unscored)} {problem} ({_ids(unscored)})")


def _check_mw_text(answer: str, gold: Sequence[str]) -> Iterator[tuple[str, str]]:
    if ";" in answer.rstrip(";"):
        yield "several-answers", f"{short(answer)} is taken as one answer; give one multiword"
    elif answer.endswith(";"):
        yield "several-answers", f"{short(answer)} ends in a semicolon, which stays; leave it out"
    if "'" in answer:
        effect = "the gold's first apostrophe is dropped, the answer's is not; leave it out"
        yield "apostrophe-mw", f"answer {short(answer)}: {effect}"
    yield from check_text(answer, gold)


def _lines(data: bytes, path: Path, check: _Check) -> Iterator[tuple[int, str]]:
    """Yield lines that can be looked at; bad bytes are findings, not the end."""
    refuse_other_kinds(data, path)
    if data.startswith(b"\xef\xbb\xbf"):
        check.add(1, "bom", "the file begins with a byte order mark")
        data = data[3:]
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if len(raw) > LONGEST_LINE:
            check.add(number, "long-line", f"{len(raw)} bytes; expected at most {LONGEST_LINE}")
            continue
        if b"\0" in raw:
            check.add(number, "nul", "a NUL byte")
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            bad = f"byte 0x{raw[error.start]:02x} is not UTF-8; expected UTF-8 text"
            check.add(number, "encoding", bad)
            yield number, raw.decode("latin-1")


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")
