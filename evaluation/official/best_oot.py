"""Scoring best and oot as the official scorer does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lexsub.formats.semeval_lines import PATTERNS
from lexsub.matching import script
from lexsub.rankings import Task


@dataclass(frozen=True, slots=True)
class BestOotSums:
    """What the script has counted, and printed, when it has read the submission.

    Attributes:
        credit: sum of the item scores.
        attempted: items with an answer.
        mode_hits: items whose mode was given.
        modes_attempted: items with a mode and an answer.
        duplicates: oot lines with an answer given twice.
        printed: the lines printed on the way (errors; per item, when verbose).
        impossible: an item without any count above zero was reached, where the script dies.
    """

    credit: float = 0.0
    attempted: int = 0
    mode_hits: int = 0
    modes_attempted: int = 0
    duplicates: int = 0
    printed: tuple[str, ...] = ()
    impossible: bool = False


def tally(
    text: str,
    gold: script.OfficialGold,
    task: Task,
    *,
    rules: script.Rules = script.FINAL,
    file_name: str = "",
    verbose: bool = False,
    single_words_only: bool = False,
) -> BestOotSums:
    """Read a best or oot submission and count as the script does.

    The first line of an id counts; unknown ids are passed over.  best divides an item's
    credit by its number of answers, oot counts the first ten; an answer given twice earns
    its credit twice in both.  After a blank answer field the answers of the line scored
    before stay in force (credit and mode, though not ``attempted``).

    Args:
        text: the submission, in Latin-1.
        gold: the gold.
        task: best or oot.
        rules: the version of the script.
        file_name: the submission's name, for its error lines.
        verbose: whether to note a line per item.
        single_words_only: whether multiword answers are dropped (subset NMWS).
    """
    notes: list[str] = []
    waiting = dict(gold.entries)
    oot = task == "oot"
    cap = rules.cap if oot and rules.cap is not None else len(text)
    answers: list[str] = []
    total = 0.0
    attempted = mode_hits = modes_attempted = duplicates = 0
    impossible = False
    for lexelt, item_id, rest in matched_lines(text, task):
        if not lexelt:
            notes.append(f"Error in {file_name} on line {item_id}")
            continue
        entry = waiting.pop(item_id, None)
        if entry is None:
            continue
        shares, responses, mode, _ = entry
        if not responses:
            impossible = True
            break
        given = hit = False
        if rest.strip(script.BLANK):
            answers = script.pieces(rest)
            if rules.normalises_answers:
                answers = script.normalised(answers, single_words_only=single_words_only)
            given = True
            if answers:
                attempted += 1
        if oot:
            repeated = given and rules.warns and len(set(answers)) < len(answers)
            duplicates += repeated
            if verbose:
                notes += _notes_on_list(lexelt, item_id, answers, repeated, cap)
            answers = answers[:cap]
        if not answers:
            continue
        right = [answer for answer in answers if answer in shares]
        if mode is not None:
            modes_attempted += 1
            hit = mode in right if oot else mode == answers[0]
            if rules.mode_hyphens and not hit:
                hit = mode.replace("-", " ") in (answers if oot else answers[:1])
            mode_hits += hit
        credit = 0.0
        for answer in right:  # not sum(), which rounds differently from Python 3.12 on
            credit += shares[answer]
        if credit:
            total += credit if oot else credit / len(answers)
        if verbose:
            notes += _notes_on_item(lexelt, item_id, entry, answers, hit, credit, oot)
    return BestOotSums(
        total, attempted, mode_hits, modes_attempted, duplicates, tuple(notes), impossible
    )


def _notes_on_list(
    lexelt: str, item_id: str, answers: list[str], repeated: bool, cap: int
) -> Iterator[str]:
    if repeated:
        yield f"WARNING duplicate at {lexelt} {item_id} responses {' '.join(answers)}"
    if len(answers) > cap:
        yield f"{lexelt} Item {item_id} exceeded {cap} guesses"


def _notes_on_item(
    lexelt: str,
    item_id: str,
    entry: script.ScriptEntry,
    answers: list[str],
    hit: bool,
    credit: float,
    oot: bool,
) -> Iterator[str]:
    start = f"{lexelt} Item {item_id}"
    if entry.mode is not None:
        if oot:
            verdict = " found in guesses" if hit else " not found"
        else:
            verdict = f": system '{answers[0]}' {' correct' if hit else 'wrong'}"
        yield f"{start} mode '{entry.mode}' {verdict}"
    guesses = "" if oot else f" guesses {len(answers)}"
    got, total = script.show(credit), script.show(entry.total)
    yield f"{start} credit {got}{guesses} human responses {total}: score is {got}"


def matched_lines(text: str, task: Task) -> Iterator[tuple[str, str, str]]:
    """Yield lexelt, id and the rest of each line that is not blank.

    Of a line that does not match: "", its number, "".
    """
    for number, line in enumerate(text.split("\n"), start=1):
        match = PATTERNS[task].search(line)
        if match is not None:
            yield match[1], match[2], match[3]
        elif not script.blank(line):
            yield "", str(number), ""
