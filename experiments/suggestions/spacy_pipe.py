"""A component of spaCy: ``nlp.add_pipe("lexsub")`` gives tokens and spans their substitutes.

spaCy finds it by its entry point; nothing else of lexsub imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.answers import SHOWN, Suggestion
from lexsub.experiments.suggestions.suggesting import Suggester, open_suggester
from lexsub.experiments.suggestions.texts import no_words, sentences
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders

KEY = "lexsub"
"""Of a document's user data: the component's options, so that documents can be stored."""

_POS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


@Language.factory(
    "lexsub",
    assigns=["token._.substitutes", "span._.substitutes"],
    default_config={"model": "", "config": "", "n": SHOWN, "boundary": True},
)
def make(nlp: Any, name: str, model: str, config: str, n: int, boundary: bool) -> Substitutes:
    """Make the component.

    Args:
        nlp: the pipeline; its language is that of the substitutes.
        name: of the component.
        model: name or folder of a model; "" for the one that answers everywhere.
        config: a config in place of a model.
        n: so many substitutes at most.
        boundary: only as many as are good, of a model that has learned how many those are.

    Raises:
        LexsubError: n is none, or there is no such model or config.
    """
    if n < 1:
        raise LexsubError(f"n is {n} of component {name}; expected at least 1")
    _opened(nlp.lang, model, config)
    return Substitutes((nlp.lang, model, config, n, boundary))


class Substitutes:
    """Notes in each document who answers for its words; they are asked when they are looked at.

    It has nothing to be stored: the pipeline's config has the options.
    """

    def __init__(self, options: tuple[str, str, str, int, bool]) -> None:
        self.options = options

    def __call__(self, doc: Doc) -> Doc:
        """Note the options in a document."""
        doc.user_data[KEY] = list(self.options)
        return doc


@lru_cache(maxsize=4)
def _opened(language: str, model: str, config: str) -> Suggester:
    resources = Resources(data=data_folders(None), language=language)
    return open_suggester(config, "", resources, model)


def _of_token(token: Token) -> list[Suggestion]:
    return _found(token.doc, token.idx, token.idx + len(token), token)


def _of_span(span: Span) -> list[Suggestion]:
    token = span[0] if len(span) == 1 else None
    return _found(span.doc, span.start_char, span.end_char, token)


def _found(doc: Doc, start: int, end: int, token: Token | None) -> list[Suggestion]:
    """Return the substitutes for a place of a document, best first.

    spaCy's part of speech, lemma and sentence are taken where it has them; else ours are.  A word
    of a phrase has none: the phrase's span has.
    """
    if KEY not in doc.user_data:
        raise LexsubError(
            'the document has passed no component "lexsub" (nlp.add_pipe("lexsub")), or was '
            "copied, joined or stored without its user data: pass it through one, "
            'doc = nlp.get_pipe("lexsub")(doc)'
        )
    language, model, config, n, boundary = doc.user_data[KEY]
    suggester = _opened(language, model, config)
    first, last = _sentence(doc, start, end)
    marked = Marked(doc.text[first:last], start - first, end - first)
    phrases = suggester.language.multiwords(marked.text, suggester.lemmatiser)
    if any(a <= marked.start and marked.end <= b and b - a > end - start for a, b in phrases):
        return []
    if token is not None and any(child.dep_ == "prt" for child in token.children):
        return []
    asked: list[Marked | Item] = [marked]
    if token is not None and token.pos_:
        if token.pos_ not in _POS:
            return []
        pos = _POS[token.pos_]
        known = replace(marked, pos=pos)
        if suggester.language.left_alone(known, suggester.lemmatiser):
            return []
        asked = [known]
        if token.lemma_:
            lexelt = Lexelt(token.lemma_.lower(), pos, pos)
            item = Item("1", lexelt, marked.text, marked.start, marked.end)
            tag = suggester.language.tag(item, suggester.lemmatiser)
            asked.insert(0, replace(item, tag=tag))
    elif not any(map(str.isalpha, marked.target)) or doc.text[end : end + 1].isalpha():
        return []  # no word, or a part of one: ca of can't
    elif any(a < end and start < b for a, b, _ in _closed(doc.text)) or (
        suggester.language.left_alone(marked, suggester.lemmatiser)
    ):
        return []
    # Where nothing is known of spaCy's lemma, ours may do.
    found = (suggester.suggest(one, None if boundary else n).best for one in asked)
    return list(next(filter(None, found), ())[:n])


_closed = lru_cache(maxsize=4)(no_words)


def _sentence(doc: Doc, start: int, end: int) -> tuple[int, int]:
    spans: Iterator[tuple[int, int]]
    if doc.has_annotation("SENT_START"):
        spans = ((one.start_char, one.end_char) for one in doc.sents)
    else:
        spans = sentences(doc.text)
    for first, last in spans:
        if first <= start and end <= last:
            return first, last
    return 0, len(doc.text)


Token.set_extension("substitutes", getter=_of_token, force=True)
Span.set_extension("substitutes", getter=_of_span, force=True)
