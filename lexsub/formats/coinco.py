"""The XML of CoInCo, "Concepts in Context" (Kremer, Erk, Padó and Thater, 2014).

``document > sent > targetsentence, tokens > token > substitutions > subst``.  A token with
an id other than ``XXX`` is a target; its substitutes are lemmas with how many annotators
gave them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import GoldItem, Item, Lexelt
from lexsub.errors import FormatError
from lexsub.formats.semeval_xml import Events
from lexsub.parts.limits import whole_number

_NO_TARGET = "XXX"

# First two letters of MASC's (Penn Treebank) tags.
_POS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}


@dataclass(frozen=True, slots=True)
class CoincoTarget:
    """One target token.

    Attributes:
        item: its sentence and place.
        gold: its substitutes with their frequencies, in file order.
        problematic: whether fewer than two annotators gave a substitute.
        file: the MASC text it comes from.
    """

    item: Item
    gold: GoldItem
    problematic: bool
    file: str


def parse_coinco(data: bytes, path: Path) -> tuple[CoincoTarget, ...]:
    """Read the targets from the (uncompressed) bytes of a CoInCo file.

    The item's text is the sentence as MASC has it, and the target is found in it by walking
    along the tokens; where they cannot be aligned (hyphens and clitics differ), the text is
    the tokens with blanks between them.  Lemmas keep their case and their blanks.  A
    semicolon in a substitute (3 in the release, slips of the annotators) becomes a comma, as
    in the gold files that Melamud et al. (2015) derived.

    Raises:
        FormatError: not XML, entities declared, an element out of place, an attribute
            missing or of the wrong kind, a repeated token id, or no target.
    """
    reader = _CoincoReader(path)
    reader.read(data)
    if not reader.targets:
        raise FormatError(path, None, "holds no target <token>; expected at least one")
    return tuple(reader.targets.values())


@dataclass(slots=True)
class _Token:
    attributes: dict[str, str]
    line: int
    weights: dict[str, float]


class _CoincoReader(Events):
    """Collects targets sentence by sentence."""

    parents: ClassVar[Mapping[str, str | None]] = {
        "document": None,
        "sent": "document",
        "precontext": "sent",
        "targetsentence": "sent",
        "postcontext": "sent",
        "tokens": "sent",
        "token": "tokens",
        "substitutions": "token",
        "subst": "substitutions",
    }
    outline = "CoInCo's document > sent > tokens > token"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.targets: dict[str, CoincoTarget] = {}
        self._file = ""
        self._text: list[str] = []
        self._tokens: list[_Token] = []

    def opened(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sent":
            self._file, self._text, self._tokens = attributes.get("MASCfile", ""), [], []
        elif tag == "token":
            for name in ("id", "wordform"):
                if not attributes.get(name, "").strip():
                    raise self.fail(f"<token> without {name}; expected one")
            self._tokens.append(_Token(attributes, self.line, {}))
        elif tag == "subst":
            self._substitute(attributes)

    def data(self, text: str) -> None:
        if self.open and self.open[-1] == "targetsentence":
            self._text.append(text)

    def closed(self, tag: str) -> None:
        if tag == "sent":
            self._finish()

    def _substitute(self, attributes: dict[str, str]) -> None:
        lemma = attributes.get("lemma", "").replace(";", ",").strip()
        frequency = attributes.get("freq", "")
        if not lemma or not (count := whole_number(frequency)):
            raise self.fail(
                f"<subst lemma={lemma!r} freq={frequency!r}>; expected a lemma and a count"
            )
        weights = self._tokens[-1].weights
        weights[lemma] = weights.get(lemma, 0.0) + count

    def _finish(self) -> None:
        words = [token.attributes["wordform"] for token in self._tokens]
        text = " ".join("".join(self._text).split())
        spans = align_tokens(text, words)
        if spans is None:
            text = " ".join(words)
            spans = align_tokens(text, words)
        if spans is None:  # a word form with blanks at its ends: nothing else fails here
            raise self.fail("the tokens of this sentence cannot be told apart")
        for token, (start, end) in zip(self._tokens, spans, strict=True):
            if token.attributes["id"] != _NO_TARGET:
                self._target(token, text, start, end)

    def _target(self, token: _Token, text: str, start: int, end: int) -> None:
        identifier, tag = token.attributes["id"], token.attributes.get("posMASC", "")
        lemma = token.attributes.get("lemma", "").strip()
        problematic = token.attributes.get("problematic", "no")
        if identifier in self.targets:
            raise self.fail(f"token id {identifier} stands twice; expected unique ids", token.line)
        if tag[:2] not in _POS or not lemma or problematic not in ("yes", "no"):
            raise self.fail(
                f"token {identifier}: posMASC={tag!r} lemma={lemma!r} "
                f"problematic={problematic!r}; expected a noun's, verb's, adjective's or "
                "adverb's tag, a lemma, and yes or no",
                token.line,
            )
        lexelt = Lexelt(lemma, _POS[tag[:2]], _POS[tag[:2]])
        self.targets[identifier] = CoincoTarget(
            Item(identifier, lexelt, text, start, end),
            GoldItem(identifier, str(lexelt), token.weights, line=token.line),
            problematic == "yes",
            self._file,
        )


def align_tokens(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return the span of each token in the sentence, or None where they do not fit.

    Tokens stand in the order of the text.  Between two of them only punctuation and blanks
    may be left out (hyphens, say).  A token may repeat the end of the one before it, as
    tokenisers that took a clitic twice leave it (``didn`` + ``n't``, ``...back`` + ``back``);
    where all of it is a repetition it stands for a word that is skipped.
    """
    spans: list[tuple[int, int]] = []
    end, skipped_word = 0, False
    for token in tokens:
        start = text.find(token, end)
        gap = text[end:start] if start >= 0 else "x"
        if start >= 0 and _may_be_left_out(gap, skipped_word):
            skipped_word = False
        else:
            overlap = _overlap(text, token, end)
            if overlap == 0:
                return None
            start = end - overlap
            skipped_word = overlap == len(token)
        end = start + len(token)
        spans.append((start, end))
    return spans


def _may_be_left_out(gap: str, one_word: bool) -> bool:
    words = [piece for piece in gap.split() if any(map(str.isalnum, piece))]
    return len(words) <= one_word


def _overlap(text: str, token: str, end: int) -> int:
    """Return how many characters of the token's beginning lie before ``end`` (0 for no fit)."""
    longest = min(len(token), end)
    return next((n for n in range(1, longest + 1) if text.startswith(token, end - n)), 0)
