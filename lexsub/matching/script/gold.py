"""Reading gold files as the official scorer reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lexsub.matching.script.perl import Number, blank, exact, number, pieces, true
from lexsub.matching.script.rules import FINAL, Rules
from lexsub.matching.script.subsets import Subset

# Each look-behind changes no match, but keeps a long run of letters from being tried anew at
# every letter.
_LINE = re.compile(r"(?<![\w.])([\w.]+) (\S+) :: (.*)", re.ASCII)
_FIRST_COUNT = re.compile(r"(?<![\w'\s-])[\w'\s-]+ (\d+)", re.ASCII)
_ANSWER = re.compile(r"(?<![\w'\s-])['\s-]*(\w[\w'\s-]+) (\d+)", re.ASCII)
_MULTIWORD_ANSWER = re.compile(r"\s\S+\s+\d+", re.ASCII)
_MULTIWORD_LINE = re.compile(r"(?<![\w.])([\w.]+)\s+(\d+)\s*:: (.*)", re.ASCII)


class Entry(NamedTuple):
    """The human answers of one scored item.

    Attributes:
        shares: answer to its share of all human answers, with the all-blanks spelling of
            hyphenated answers beside them.
        total: the number of human answers, |H|.
        mode: the most frequent answer, or None.
        counts: answer to count, as read.
    """

    shares: Mapping[str, float]
    total: Number
    mode: str | None
    counts: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class OfficialGold:
    """The best/oot gold as the script has it in memory.

    Attributes:
        entries: the scored items that have a readable answer.
        items: the number of scored lines, the denominator of recall.
        modes: the number of modes, the denominator of mode recall.
        scored: the ids of the scored lines, in file order.
    """

    entries: Mapping[str, Entry]
    items: int
    modes: int
    scored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MultiwordGold:
    """The multiwords (at least two people agreeing, no tie) by item id.

    Attributes:
        modes: the multiword of each item that has one.
        count: the script's own count of them.
        bad_lines: numbers of the lines it reports as errors.
    """

    modes: Mapping[str, str]
    count: int
    bad_lines: tuple[int, ...]


def read_official_gold(
    text: str, rules: Rules = FINAL, subset: Subset | None = None
) -> OfficialGold:
    """Read a best/oot gold.

    Lines of another shape are passed over.  A line counts if more than one answer is left,
    or the one left has a count above one; answers the pattern cannot read (of one character,
    or with signs inside) still count for that test.  The mode is the first answer, unless a
    later one has the same count: the files are sorted by count.
    """
    subset = subset or Subset()
    scored: list[str] = []
    modes_counted = 0
    counts: dict[str, dict[str, Number]] = {}
    modes: dict[str, str] = {}
    for lexelt, item_id, rest in _LINE.findall(text):
        if not subset.keeps(item_id, lexelt):
            continue
        answers = pieces(rest)
        if rules.drops_proper_names:
            answers = [answer for answer in answers if "pn" not in answer]
        if subset.single_words_only:
            answers = [answer for answer in answers if not _MULTIWORD_ANSWER.search(answer)]
        if not (len(answers) > 1 or _first_count(answers) > 1):
            continue
        scored.append(item_id)
        read = _read(answers)
        modes_counted += _note_mode(modes, item_id, read, -1)
        for substitute, count in read:
            counts.setdefault(item_id, {})[substitute] = count
    entries = {item_id: _entry(answers, modes.get(item_id)) for item_id, answers in counts.items()}
    return OfficialGold(entries, len(scored), modes_counted, tuple(scored))


def read_multiword_gold(text: str) -> MultiwordGold:
    """Read an mw gold: an item counts if its first answer has more than one vote.

    Its multiword is the first answer with more than one vote, unless a later one ties.
    """
    counted = 0
    modes: dict[str, str] = {}
    bad_lines = []
    for line_number, line in enumerate(text.split("\n"), start=1):
        match = _MULTIWORD_LINE.search(line)
        if match is None:
            if not blank(line):
                bad_lines.append(line_number)
            continue
        item_id, answers = match[2], pieces(match[3])
        if _first_count(answers) <= 1:
            continue
        counted += _note_mode(modes, item_id, _read(answers), 1)
    return MultiwordGold(modes, counted, tuple(bad_lines))


def _read(answers: Sequence[str]) -> list[tuple[str, Number]]:
    """Return the answers that the pattern can read, with their counts."""
    found = filter(None, map(_ANSWER.search, answers))
    return [(match[1].replace("'", "", 1), number(match[2])) for match in found]


def _note_mode(
    modes: dict[str, str], item_id: str, answers: Iterable[tuple[str, Number]], least: Number
) -> int:
    """Note the first answer given more often than ``least``, if no later one ties with it.

    Returns:
        By how much the script's own count of modes grows.
    """
    mode: str | None = None
    mode_count: Number = 0
    counted, tied = 0, False
    for answer, count in answers:
        if not true(mode):
            if count > least:
                mode = modes[item_id] = answer
                mode_count = count
                counted += 1
        elif not tied and count == mode_count:
            modes.pop(item_id, None)
            counted -= 1
            tied = True
    return counted


def _first_count(answers: list[str]) -> Number:
    match = _FIRST_COUNT.search(answers[0]) if answers else None
    return number(match[1]) if match else 0


def _entry(counts: Mapping[str, Number], mode: str | None) -> Entry:
    total: Number = 0
    for count in counts.values():
        total = exact(total + count)
    shares: dict[str, float] = {}
    if total:
        # Hyphenated answers earn credit with blanks too.  Perl's hash order decides which
        # count a spelling given both ways keeps; here the one that people wrote.
        for substitute, count in counts.items():
            if "-" in substitute:
                shares[substitute.replace("-", " ")] = float(count) / float(total)
        for substitute, count in counts.items():
            shares[substitute] = float(count) / float(total)
    return Entry(shares, total, mode if true(mode) else None, counts)
