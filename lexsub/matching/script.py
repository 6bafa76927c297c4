"""Golds and answers as the official scorer of SemEval-2007 Task 10 reads them, to the byte.

Its patterns are ASCII and it knows bytes, so texts that come from files are decoded as Latin-1
before they get here.  What it counts and prints is in :mod:`lexsub.evaluation.official`.  The few
habits of Perl that show in its output are here, too: integers stay integers until they overflow,
numbers print with 15 significant digits, an undefined counter prints as nothing, and ``"0"`` is
false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Rules:
    """What one version of the script does.

    Attributes:
        drops_proper_names: whether gold answers containing ``pn`` (the mark of a proper name)
            are dropped before the item's answers are counted.
        normalises_answers: whether ``non-x`` is joined, hyphens become blanks and the first
            apostrophe goes, in system answers.
        cap: how many oot answers count (the first ones), or None for all.
        warns: whether oot lines with duplicates are reported.
        mode_hyphens: whether a gold mode's hyphens may be blanks in the answer.
        percent: whether figures are percentages of two decimals; else fractions of three.
    """

    drops_proper_names: bool = True
    normalises_answers: bool = True
    cap: int | None = 10
    warns: bool = True
    mode_hyphens: bool = False
    percent: bool = True


FINAL = Rules()
"""The final script with the duplicate warning, as most later work has it."""

VERSIONS: dict[str, Rules] = {
    "final": FINAL,
    "key": Rules(warns=False),
    "trial": Rules(
        drops_proper_names=False,
        normalises_answers=False,
        cap=None,
        warns=False,
        mode_hyphens=True,
        percent=False,
    ),
}
"""``final``: the default; ``key``: as released with the test key (no duplicate warning);
``trial``: the January 2007 rules (its figures are checked against the released trial
baselines, its print-out is not known to the byte)."""


SUBSETS = ("ALL", "NMWT", "NMWS", "RAND", "MAN")
"""ALL items; NMWT: without items whose target is part of a multiword; NMWS: single-word
substitutes only; RAND and MAN: sentences drawn at random, or by hand."""

_MULTIWORD_ID = re.compile(r"^(\d+) ", re.ASCII | re.MULTILINE)
# Only where a word begins: tried at each of its letters, a line of one long word takes hours.
_MANUAL_WORD = re.compile(r"(?<!\w)(\w+);(\w)\.man", re.ASCII)


@dataclass(frozen=True, slots=True)
class Subset:
    """Which gold lines are scored, named by what they hold.

    The script's own switch ``MAN`` leaves the manually drawn words out and its ``RAND``
    keeps only them; here MAN *is* the manual part (782 test items) and RAND the random one
    (914), as the published tables have them.

    Attributes:
        name: one of SUBSETS.
        multiword_ids: ids of the file ``mwids``, for NMWT.
        manual_words: ``word.pos`` of the file ``MRsamples``, for RAND and MAN.
    """

    name: str = "ALL"
    multiword_ids: AbstractSet[str] = frozenset()
    manual_words: AbstractSet[str] = frozenset()

    def __post_init__(self) -> None:
        if self.name not in SUBSETS:
            raise ValueError(f"subset {self.name!r}; expected one of {', '.join(SUBSETS)}")

    @property
    def single_words_only(self) -> bool:
        """Whether multiword substitutes are dropped from gold and answers."""
        return self.name == "NMWS"

    def keeps(self, item_id: str, lexelt: str) -> bool:
        """Whether a gold line belongs to the subset."""
        match self.name:
            case "NMWT":
                return item_id not in self.multiword_ids
            case "RAND":
                return lexelt not in self.manual_words
            case "MAN":
                return lexelt in self.manual_words
            case _:
                return True


def read_mwids(text: str) -> frozenset[str]:
    """Return the ids of a ``mwids`` file as the script finds them."""
    return frozenset(_MULTIWORD_ID.findall(text))


def read_mrsamples(text: str) -> frozenset[str]:
    """Return the ``word.pos`` of an ``MRsamples`` file as the script finds them."""
    # Line by line, because the script takes the first match of each line only.
    found = map(_MANUAL_WORD.search, text.split("\n"))
    return frozenset(f"{match[1]}.{match[2]}" for match in found if match)


Number = int | float

_LARGEST = 2**64
_NOT_FINITE = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}
BLANK = " \t\n\r\f\v"
"""What ``\\s`` matches in a byte string."""


def number(digits: str) -> Number:
    """Read a run of digits; one too large for a machine integer becomes a float."""
    # Python refuses to read very long runs of digits as an integer.
    return exact(int(digits)) if len(digits) <= 20 else float(digits)


def exact(value: Number) -> Number:
    """Return an integer as long as Perl would keep it one."""
    return float(value) if value >= _LARGEST else value


def show(value: Number | None) -> str:
    """Print a number as Perl does (``%.15g``), an undefined one as nothing."""
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    return f"{value:.15g}" if isfinite(value) else _NOT_FINITE[f"{value}"]


def true(text: str | None) -> bool:
    """Whether Perl takes a string for true."""
    return text not in (None, "", "0")


def pieces(text: str) -> list[str]:
    """Split at semicolons: trailing empty pieces vanish, leading and inner ones stay."""
    parts = text.split(";")
    while parts and not parts[-1]:
        parts.pop()
    return parts


def blank(text: str) -> bool:
    """Whether a text has nothing but ASCII blanks."""
    return not text.strip(BLANK)


def percent(fraction: float) -> str:
    """Round as the script does: times 100 twice, add one half, cut, two decimals.

    The two multiplications matter: .14375 prints 14.37, because 14.375 times 100 falls just
    under 1437.5.
    """
    return _padded(_whole(fraction * 100 * 100 + 0.5) / 100, 2)


def fraction(value: float) -> str:
    """Round to three decimals, as the trial version prints."""
    return _padded(_whole(value * 1000 + 0.5) / 1000, 3)


def _whole(value: float) -> float:
    # Counts of hundreds of digits are infinite, and infinite over infinite is no number.
    return int(value) if isfinite(value) else value


def _padded(value: float, places: int) -> str:
    if not isfinite(value):
        return show(value)
    whole, _, decimals = show(float(value)).partition(".")
    return f"{whole}.{decimals:0<{places}}"


# Each look-behind changes no match, but keeps a long run of letters from being tried anew at
# every letter.
_LINE = re.compile(r"(?<![\w.])([\w.]+) (\S+) :: (.*)", re.ASCII)
_FIRST_COUNT = re.compile(r"(?<![\w'\s-])[\w'\s-]+ (\d+)", re.ASCII)
_ANSWER = re.compile(r"(?<![\w'\s-])['\s-]*(\w[\w'\s-]+) (\d+)", re.ASCII)
_MULTIWORD_ANSWER = re.compile(r"\s\S+\s+\d+", re.ASCII)
_MULTIWORD_LINE = re.compile(r"(?<![\w.])([\w.]+)\s+(\d+)\s*:: (.*)", re.ASCII)


class ScriptEntry(NamedTuple):
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

    entries: Mapping[str, ScriptEntry]
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


def _entry(counts: Mapping[str, Number], mode: str | None) -> ScriptEntry:
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
    return ScriptEntry(shares, total, mode if true(mode) else None, counts)


_MULTIWORD = re.compile(r"\S \S", re.ASCII)


@lru_cache(maxsize=1 << 16)
def normalise(answer: str) -> str:
    """Join ``non-x`` and ``non x``, turn hyphens into blanks, drop the first apostrophe.

    Nothing is trimmed and case stays.  (The script's table of American spellings has no
    effect: it is stored in a way that no look-up finds.)
    """
    if answer.startswith("non") and answer[3:4] and answer[3] in BLANK + "-":
        answer = "non" + answer[4:]
    return answer.replace("-", " ").replace("'", "", 1)


def normalised(answers: Sequence[str], *, single_words_only: bool = False) -> list[str]:
    """Normalise a list of answers; the subset NMWS also drops multiwords."""
    result = list(map(normalise, answers))
    if single_words_only:
        result = [answer for answer in result if not _MULTIWORD.search(answer)]
    return result
