"""Sentences with words marked, as people type them.

``The wine was too *strong* to drink.`` marks *strong*; ``*strong*.a`` also says which part of
speech it is (n, v, a or r).  A star or backslash that is meant stands behind a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import LexsubError, one_line

LONGEST = 10_000
"""Characters of a sentence; more is no sentence."""

_PIECES = re.compile(r"\\([*\\])|(\*)|([^*\\]+|\\)")
_POS = re.compile(r"\.([nvar])(?!\w)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with its target.

    Attributes:
        text: the sentence, without marks.
        start: offset of the target's first character.
        end: offset behind its last.
        pos: part of speech, where it was given, or ``""``.
    """

    text: str
    start: int
    end: int
    pos: str = ""

    @property
    def target(self) -> str:
        """The marked word."""
        return self.text[self.start : self.end]


def mark(
    sentence: str | Sequence[str],
    *,
    span: tuple[int, int] | None = None,
    index: int | None = None,
    pos: str = "",
) -> Marked:
    """Mark the target of a sentence, for :func:`open_suggester`'s ``pipe``.

    Args:
        sentence: text with the target in stars; text without, with ``span``; or tokens, with
            ``index``.
        span: offsets of the target's first character and of the one behind its last.
        index: the target's place among the tokens, from 0; the sentence is made of the tokens,
            with blanks between them.
        pos: part of speech (n, v, a or r); guessed where it is not given.

    Raises:
        LexsubError: the span or index is not one of a word in the sentence, or there is no such
            part of speech.
    """
    if pos and pos not in PARTS_OF_SPEECH:
        known = ", ".join(PARTS_OF_SPEECH)
        raise LexsubError(
            f"part of speech {pos!r}; expected one of {known}, or '' to have it guessed"
        )
    if not isinstance(sentence, str):
        # People give what they have: an item of a gold (it has no sentence), a row of a table.
        if not isinstance(sentence, Sequence) or not all(isinstance(one, str) for one in sentence):
            raise LexsubError(
                f"found a {type(sentence).__name__} in place of a sentence; expected text, or a "
                "list of words (to a suggester also an item of a data set)"
            )
        return _marked_token(sentence, index, pos)
    if index is not None:
        raise LexsubError("an index counts tokens; expected a list of them, or span= for a text")
    if span is None:
        marked = parse_marked(sentence)
        return Marked(marked.text, marked.start, marked.end, pos or marked.pos)
    start, end = span
    if len(sentence) > LONGEST:
        raise LexsubError(
            f"a sentence of {len(sentence)} characters; expected one of at most {LONGEST}"
        )
    if not 0 <= start < end <= len(sentence):
        raise LexsubError(
            f"span ({start}, {end}) of a sentence of {len(sentence)} characters; expected "
            "0 <= start < end <= its length"
        )
    marked = Marked(sentence, start, end, pos)
    if not re.search(r"\w", marked.target):
        raise LexsubError(f"span ({start}, {end}) encloses {marked.target!r}; expected a word")
    return marked


def _marked_token(tokens: Sequence[str], index: int | None, pos: str) -> Marked:
    if index is None or not 0 <= index < len(tokens):
        raise LexsubError(
            f"index {index} of {len(tokens)} tokens; expected index=0 to {len(tokens) - 1}, the "
            "place of the target"
        )
    start = sum(len(token) + 1 for token in tokens[:index])
    return mark(" ".join(tokens), span=(start, start + len(tokens[index])), pos=pos)


def parse_marked(line: str) -> Marked:
    r"""Read a sentence with one marked word.

    Args:
        line: the sentence; ``\*`` is a star, ``\\`` a backslash.

    Raises:
        LexsubError: no word, or more than one, is marked; or the sentence is far too long.
    """
    marked = parse_targets(line)
    if len(marked) > 1:
        raise LexsubError(
            f"{2 * len(marked)} stars in {one_line(line.strip(), 80)!r}; "
            r"expected two, around one word (a star that is meant is written \*; several targets "
            "of a sentence are answered by lexsub suggest and by pipe)"
        )
    return marked[0]


def parse_targets(line: str) -> tuple[Marked, ...]:
    """Read a sentence with one marked word or several: each of them is a target of its own.

    Args:
        line: the sentence; see :func:`parse_marked`.

    Raises:
        LexsubError: no word is marked, or a star has no other; or the sentence is far too long.
    """
    if len(line) > LONGEST:
        raise LexsubError(
            f"a line of {len(line)} characters; expected one sentence of at most {LONGEST}"
        )
    text = ""
    marks: list[int] = []
    pos: dict[int, str] = {}
    at = 0
    while at < len(line):
        closed = len(marks) - 1
        if closed > 0 and closed % 2 and closed not in pos and len(text) == marks[closed]:
            given = _POS.match(line, at)
            if given:
                pos[closed], at = given[1], given.end()
                continue
        piece = _PIECES.match(line, at)
        assert piece is not None, "every character is one of the three kinds"
        at = piece.end()
        if piece[2]:
            marks.append(len(text))
        else:
            text += piece[1] or piece[3]
    shown = one_line(line.strip(), 80)
    if not marks:
        what = f"no word of {shown!r} is marked" if shown else "an empty sentence"
        raise LexsubError(f"{what}; expected one in stars, as in: a *bright* boy")
    if len(marks) % 2:
        raise LexsubError(
            f"{len(marks)} star{'s' * (len(marks) > 1)} in {shown!r}; expected two, around "
            r"one word (a star that is meant is written \*)"
        )
    found = []
    for first in range(0, len(marks), 2):
        inside = text[marks[first] : marks[first + 1]]
        start = marks[first] + len(inside) - len(inside.lstrip())
        marked = Marked(text, start, start + len(inside.strip()), pos.get(first + 1, ""))
        if not re.search(r"\w", marked.target):
            raise LexsubError(f"the stars of {shown!r} enclose no word; expected one")
        found.append(marked)
    return tuple(found)
