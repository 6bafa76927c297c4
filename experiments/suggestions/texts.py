"""Whole texts: every word that can be replaced with its substitutes, and what is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.answers import Suggestion, Suggestions
from lexsub.experiments.suggestions.sentences import SentenceSuggester
from lexsub.marked_sentences import Marked
from lexsub.storage.memory import seldom_collected
from lexsub.tables import Entry, Table, Tabular

QUOTATION, NUMBER, MARKUP = "a quotation", "a number", "markup, an address or an abbreviation"
NAME = "a name"

LONGEST = 2_000
"""Characters of a sentence; a text without full stops is cut at blanks."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?:(?<=s)['’](?!\w))?")
_QUOTED = re.compile(
    r'“(?:[^”\n]|\n(?!\s*\n))*”?|«[^»\n]*»|(?<!\w)"(?:[^"\n]|\n(?!\s*\n))*"'
    r"|(?<!\w)‘[^‘’\n]*(?:’\w[^‘’\n]*)*’(?!\w)"
    r"|(?<!\w)'(?!n')(?=\S)[^'\n]*(?:\w'\w[^'\n]*)*(?<=\S)'(?!\w)"
)
_MARKUP = re.compile(r"`[^`\n]*`|</?[A-Za-z!][^<>]*>|&#?\w+;|\{[^{}\n]*\}|\[[^\s\[\]]+\]")
_CHUNK = re.compile(r"\S+")
_AROUND = ".,;:!?…()[]\"'“”‘’«»-–—*"
_SIGNS, _LEADING = ("://", "www.", "@", "_", "\\", "%("), tuple("#$~/%")
_AMOUNT = re.compile(r"(?<![\w$])[$£€]\d(?:[\d.,]*\d)?[^\W\d]{0,3}(?!\w)")
_DOTTED = re.compile(r"[^\W\d]\.[^\W\d]")
_JOINED = re.compile(r"\w(?:[\w.,:/'’%-]*[\w%])?")
_END = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*)\s+|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*•]|\d+[.)])\s)")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mrs?|Ms|Dr|Prof|St|Mt|Gen|Sen|Rep|Gov|Capt|Sgt|Lt|Col|Rev|vs|cf|e\.g|i\.e"
    r"|No|Fig|fig|approx|al)\.$"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of a text.

    Attributes:
        start: offset of its first character in the text.
        end: offset behind its last.
        text: as it stands there.
        note: why it has no substitutes, "" where it has.
        found: what was found for it in its sentence; None where nothing was looked for.
    """

    start: int
    end: int
    text: str
    note: str = ""
    found: Suggestions | None = None

    @property
    def best(self) -> tuple[Suggestion, ...]:
        """Its substitutes, best first."""
        return self.found.best if self.found else ()

    def as_json(self) -> dict[str, Any]:
        """Return the word for programs."""
        unsure = self.found.unsure if self.found else False
        found = [one.figures() for one in self.best]
        return self.place() | {"unsure": unsure, "note": self.note, "suggestions": found}

    def place(self) -> dict[str, Any]:
        """Return where it is, and what it was taken for."""
        lexelt = str(self.found.lexelt) if self.found else ""
        return {"start": self.start, "end": self.end, "word": self.text, "lexelt": lexelt}


@dataclass(frozen=True, slots=True, repr=False)
class WholeText(Tabular):
    """The answer to a text.

    Attributes:
        text: it.
        words: those with substitutes and those that were left alone, in their order.
    """

    text: str
    words: tuple[Word, ...]

    def __iter__(self) -> Iterator[Word]:
        return (word for word in self.words if word.best)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def records(self) -> list[dict[str, Any]]:
        """Return a row a substitute, and one of rank 0 a word that has none."""
        rows = []
        nothing = {"substitute": "", "form": "", "score": None, "chance": None}
        for word in self.words:
            ranked = [(rank, one.figures()) for rank, one in enumerate(word.best, start=1)]
            note = "" if ranked else word.note
            for rank, figures in ranked or [(0, nothing)]:
                rows.append({**word.place(), "rank": rank, **figures, "note": note})
        return rows

    def view(self) -> Table:
        """Return a row a word."""
        cells: list[list[Entry]] = [
            [word.start, word.text, ", ".join(one.form for one in word.best) or f"({word.note})"]
            for word in self.words
        ]
        title = f"{len(self)} of {len(self.words)} words with substitutes"
        return Table(title, ["start", "word", "substitutes"], cells, names=3)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text's sentences, without the blanks around them.

    A sentence ends at a stop before whatever is no small letter, at a blank line, and before an
    item of a list; not behind an initial or a usual abbreviation.
    """
    start = 0
    for match in [*_END.finditer(text), None]:
        end = match.end() if match else len(text)
        if match and match[0].strip():
            behind = re.search(r"\w", text[end : end + 10])
            head = text[max(0, match.start() - 12) : match.start() + 1]
            goes_on = (behind and behind[0].islower()) or _ABBREVIATED.search(head)
            if goes_on and "\n\n" not in match[0]:
                continue
        while end - start > LONGEST:
            cut = text.rfind(" ", start, start + LONGEST)
            cut = start + LONGEST if cut <= start else cut
            yield from _stripped(text, start, cut)
            start = cut
        yield from _stripped(text, start, end)
        start = end


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if piece.strip():
        start += len(piece) - len(piece.lstrip())
        yield start, start + len(piece.strip())


def no_words(text: str) -> list[tuple[int, int, str]]:
    """Return spans of a text that are left alone whole, rising, and what they are."""
    spans = [(one.start(), -one.end(), what)
             for pattern, what in ((_QUOTED, QUOTATION), (_MARKUP, MARKUP))
             for one in pattern.finditer(text)]  # fmt: skip
    spans += [(one.start(), -one.end(), NUMBER) for one in _AMOUNT.finditer(text)]
    for one in _CHUNK.finditer(text):
        core = one[0].strip(_AROUND)
        if _AMOUNT.fullmatch(core):
            continue
        if any(sign in core for sign in _SIGNS) or core[:1] in _LEADING or _DOTTED.search(core):
            spans.append((one.start(), -one.end(), MARKUP))
    spans += [(one.start(), -one.end(), NUMBER)
              for one in _JOINED.finditer(text) if re.search(r"\d", one[0])]  # fmt: skip
    found: list[tuple[int, int, str]] = []
    for start, end, what in sorted(spans):
        if (not found or start >= found[-1][1]) and re.search(r"\w", text[start:-end]):
            found.append((start, -end, what))
    return found


def places(suggester: SentenceSuggester, text: str) -> list[tuple[Word, Marked]]:
    """Return the words and phrases of a text, each in its sentence; those left alone have a note.

    Args:
        suggester: says what a phrase is, and what is left alone.
        text: of any length.
    """
    language, lemmatiser = suggester.language, suggester.lemmatiser
    closed = no_words(text)
    found = [(Word(start, end, text[start:end], what), Marked(text, start, end))
             for start, end, what in closed]  # fmt: skip
    passed = 0
    for first, last in sentences(text):
        sentence, taken = text[first:last], list[tuple[int, int]]()
        while passed < len(closed) and closed[passed][1] <= first:
            passed += 1
        for start, end, _ in closed[passed:]:
            if start >= last:
                break
            taken.append((start - first, end - first))
        phrases = _free(language.multiwords(sentence, lemmatiser), taken)
        words = _free([one.span() for one in _WORD.finditer(sentence)], [*taken, *phrases])
        for start, end in (*phrases, *words):
            marked = Marked(sentence, start, end)
            note = language.left_alone(language.word(marked, lemmatiser), lemmatiser)
            note = note or (MARKUP if end - start == 1 else "")  # a letter: vitamin c, a - b
            found.append((Word(first + start, first + end, marked.target, note), marked))
    return sorted(found, key=lambda one: one[0].start)


def _free(
    more: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the spans that overlap none of those that are taken; both are rising."""
    ends = sorted(taken)
    free, at = [], 0
    for start, end in more:
        while at < len(ends) and ends[at][1] <= start:
            at += 1
        if at == len(ends) or end <= ends[at][0]:
            free.append((start, end))
    return free


@seldom_collected()
def answer_text(suggester: SentenceSuggester, text: str, n: int | None = None) -> WholeText:
    """Answer a whole text; see :meth:`Suggester.text`."""
    if not isinstance(text, str):
        raise LexsubError(f"a text is a {type(text).__name__}; expected a string")
    found = list(places(suggester, text))
    names = {word.text for word, _ in found if word.note == NAME}
    small = {word.text for word, _ in found}
    names = {name for name in names if name.lower() not in small}
    words = []
    for word, marked in found:
        if not word.note and word.text in names:
            word = replace(word, note=NAME)  # first of its sentence, a name in another one
        words.append(word if word.note else _asked(suggester, word, marked, n))
    return WholeText(text, tuple(words))


def _asked(suggester: SentenceSuggester, word: Word, marked: Marked, n: int | None) -> Word:
    found = suggester.suggest(marked, n)
    if (found.start, found.target) != (marked.start, marked.target):
        return replace(word, note=f"part of {found.target!r}")
    note = "" if found.best else found.note or f"no candidate for {found.lexelt} suits"
    return replace(word, note=note, found=found)
