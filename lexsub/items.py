"""Items: one target word in one sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}

# A lemma may hold blanks and full stops inside (CoInCo: "fourth quarter", "a.m."), but
# neither begin nor end with a blank.
_LEXELT = re.compile(
    r"(?P<lemma>\S(?:[^\t\r\n]*?\S)??)\.(?P<pos>[nvar])(?:\.(?P<corrected>[nvar]))?"
)


@dataclass(frozen=True, slots=True)
class Lexelt:
    """A target word type: ``bright.a``, or ``bar.n.v`` where the part of speech was corrected.

    Attributes:
        lemma: the target lemma.
        original_pos: the part of speech under which the sentences were drawn.
        pos: the corrected part of speech, the one to use (the same where nothing was corrected).
    """

    lemma: str
    original_pos: str
    pos: str

    @classmethod
    def parse(cls, text: str) -> Lexelt:
        """Read ``lemma.pos`` or ``lemma.pos.corrected``.

        Raises:
            ValueError: anything else; the text says what was expected.
        """
        match = _LEXELT.fullmatch(text)
        if match is None:
            raise ValueError(
                f"{text!r} is not a lexelt; expected lemma.pos with pos one of n v a r, "
                "as in bright.a or bar.n.v"
            )
        return cls(match["lemma"], match["pos"], match["corrected"] or match["pos"])

    def __str__(self) -> str:
        if self.original_pos == self.pos:
            return f"{self.lemma}.{self.pos}"
        return f"{self.lemma}.{self.original_pos}.{self.pos}"


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence with one target word, the unit that systems answer and measures score.

    Attributes:
        id: the item's id, unique in its data set.
        lexelt: the target word type.
        text: the sentence, as in the data set.
        start: offset of the target's first character in ``text``.
        end: offset behind the target's last character.
        tag: Penn's tag of the target's form, where a tagger has told it.
    """

    id: str
    lexelt: Lexelt
    text: str
    start: int
    end: int
    tag: str = ""

    @property
    def lemma(self) -> str:
        """The target lemma."""
        return self.lexelt.lemma

    @property
    def pos(self) -> str:
        """The (corrected) part of speech: n, v, a or r."""
        return self.lexelt.pos

    @property
    def target(self) -> str:
        """The target's surface form, as it stands in the sentence."""
        return self.text[self.start : self.end]

    @property
    def left(self) -> list[str]:
        """The tokens before the target (blank-separated, as the data set has them)."""
        return self.text[: self.start].split()

    @property
    def right(self) -> list[str]:
        """The tokens after the target."""
        return self.text[self.end :].split()
