"""What is asked and answered as JSON; the description of the API is made from these classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lexsub.errors import LexsubError, expected_of, key_path, one_line
from lexsub.experiments.suggestions.answers import SHOWN, Suggestions, reason
from lexsub.experiments.suggestions.suggesting import Suggester
from lexsub.experiments.suggestions.texts import WholeText
from lexsub.marked_sentences import LONGEST, Marked, mark

MOST = 50
"""Substitutes that one question may ask for."""

_WAYS = (("sentence",), ("text", "start", "end"), ("tokens", "index"))
"""The three ways to say which word of which sentence is meant."""


Count = Annotated[int, Field(ge=1, le=MOST)] | None


class Question(BaseModel):
    """A word in its sentence: ``sentence``, or ``text`` with a span, or ``tokens`` with an index.

    Attributes:
        sentence: the word in stars; a star that is meant stands behind a backslash.
        text: the sentence without stars.
        start: offset of the word's first character in ``text``.
        end: offset behind its last.
        tokens: the sentence's words.
        index: place of the word among them.
        pos: its part of speech; guessed where it is not given.
        n: so many substitutes; None for as many as are good.
        explain: say what speaks for each and what its score is made of, too.
    """

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"oneOf": [{"required": list(way)} for way in _WAYS]},
    )

    sentence: str = Field("", description="The sentence, the word in stars: a *bright* boy.")
    text: str = Field("", description="The sentence without stars; with start and end.")
    start: int = Field(
        0,
        ge=0,
        description="Offset of the word's first character in text, counted in Unicode "
        "characters (code points), from 0.",
    )
    end: int = Field(0, ge=0, description="Offset behind its last character.")
    tokens: list[str] = Field([], description="The sentence as a list of words; with index.")
    index: int = Field(0, ge=0, description="Place of the word among the tokens, from 0.")
    pos: Literal["n", "v", "a", "r", ""] = Field(
        "", description="Part of speech: noun, verb, adjective or adverb; guessed without."
    )
    n: Count = Field(
        None, description=f"So many substitutes; null for as many as are good, at most {SHOWN}."
    )
    explain: bool = Field(
        False, description="Say what speaks for each, and what its score is made of."
    )

    def marked(self) -> Marked:
        """Return the sentence with its target.

        Raises:
            LexsubError: not one of the three ways, or no such word in the sentence.
        """
        given = self.model_fields_set & {name for way in _WAYS for name in way}
        if given not in [set(way) for way in _WAYS]:
            raise LexsubError(
                f"found {', '.join(sorted(given)) or 'no sentence'}; expected either sentence, "
                "or text with start and end, or tokens with index"
            )
        if "tokens" in given:
            return mark(self.tokens, index=self.index, pos=self.pos)
        if "text" in given:
            return mark(self.text, span=(self.start, self.end), pos=self.pos)
        return mark(self.sentence, pos=self.pos)


class TextQuestion(BaseModel):
    """A whole text, every word of which is to be answered.

    Attributes:
        text: running text, without stars.
        n: so many substitutes a word; None for as many as are good.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(
        min_length=1,
        max_length=LONGEST,
        description=f"Running text of at most {LONGEST} characters.",
    )
    n: Count = Field(
        None,
        description=f"So many substitutes a word; null for as many as are good, at most {SHOWN}.",
    )


class Answering(BaseModel):
    """What answered."""

    config: str = Field(description="What answered: the config, or the model.")
    model: str | None = Field(description="The model's name; null for a system of a config.")
    system: str = Field(description="What answered: its system.")

    @staticmethod
    def named(suggester: Suggester) -> dict[str, Any]:
        """Return these three of a suggester."""
        model = suggester.model.name if suggester.model else None
        return {"config": suggester.config, "model": model, "system": suggester.system}


class Place(BaseModel):
    """A word or phrase of a text, and how sure the answer for it is."""

    start: int = Field(description="Offset of its first character in the text (code points).")
    end: int = Field(description="Offset behind its last character.")
    lexelt: str = Field(description="Lemma and part of speech it was taken for: strong.a; or none.")
    unsure: bool = Field(description="Whether even the first is more probably wrong than right.")
    note: str = Field(description="Why it has no substitutes, where it has none.")


class WordSubstitute(BaseModel):
    """A substitute for a word of a text."""

    substitute: str = Field(description="The lemma.")
    form: str = Field(description="In the form of the word it stands for.")
    score: float | None = Field(description="The higher the better, for this word alone.")
    chance: float | None = Field(
        description="That people would give it, 0 to 1; null where the system has not learned it."
    )


class Proposal(BaseModel):
    """Who proposed a substitute."""

    source: str = Field(description="Name of the candidate source.")
    rank: int = Field(description="Place in that source's own list, from 0.")
    group: str = Field(description="Relation or sense that brought it in; may be empty.")
    score: float | None = Field(description="The source's own value, where it has one.")


class Substitute(WordSubstitute):
    """A substitute, ready to be put into the sentence."""

    sentence: str = Field(description="The whole sentence with it, a and an fitted.")
    reasons: list[str] = Field(description="Who proposed it, and if asked for what speaks for it.")
    origins: list[Proposal] = Field(description="The same for programs.")
    parts: dict[str, float | None] = Field(description="What the score is made of, if asked for.")


class Answer(Answering, Place):
    """The substitutes for one word, best first."""

    text: str = Field(description="The sentence without stars.")
    target: str = Field(description="The word.")
    candidates: int = Field(description="How many substitutes there were to choose from.")
    suggestions: list[Substitute]

    @classmethod
    def of(cls, suggester: Suggester, found: Suggestions) -> Answer:
        """Return what a suggester found."""
        best = [Substitute.model_validate(one, from_attributes=True) for one in found.best]
        for substitute, one in zip(best, found.best, strict=True):
            if not one.reasons:
                substitute.reasons = list(dict.fromkeys(map(reason, one.origins)))
        names = ("text", "target", "start", "candidates", "unsure", "note")
        told = {name: getattr(found, name) for name in names}
        told |= {"end": found.start + len(found.target), "lexelt": str(found.lexelt)}
        return cls(**cls.named(suggester), **told, suggestions=best)


class TextWord(Place):
    """A word or phrase of a text, with its substitutes or the reason why it has none."""

    word: str = Field(description="As it stands there.")
    suggestions: list[WordSubstitute]


class TextAnswer(Answering):
    """The words of a text in their order, with substitutes or the reason why there are none."""

    words: list[TextWord]

    @classmethod
    def of(cls, suggester: Suggester, found: WholeText) -> TextAnswer:
        """Return what a suggester found."""
        words = [TextWord.model_validate(word.as_json()) for word in found.words]
        return cls(**cls.named(suggester), words=words)


class Health(BaseModel):
    """That the server answers, and with what."""

    status: Literal["ok"] = "ok"
    version: str = Field(description="Version of lexsub.")
    answers: str = Field(description="What answers: a model, or a config's system.")
    language: str = Field(description="Code of its language.")
    workers: int = Field(description="Questions that are answered at the same time.")
    waiting: int = Field(description="Questions that wait for a free worker.")


class Problem(BaseModel):
    """Why there is no answer."""

    error: str = Field(description="One line: what was found, what was expected.")


def problems(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return what is wrong with a question as one line, without quoting it.

    Args:
        errors: as pydantic lists them, each with the place ``("body", …)``.
    """
    lines = []
    for one in list(errors)[:3]:
        place = key_path(one["loc"][1:])
        found = f"expected {expected_of(one, 'an object')}"
        if one["type"] == "extra_forbidden":
            found = "no such key"
        lines.append(f"{place}: {found}" if place else "expected an object")
    return one_line("; ".join(lines))
