"""The dictionaries of simplemma: lemmas of forms, without parts of speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lexsub.errors import LexsubError, needing


@lru_cache(maxsize=1)
def simplemma() -> Any:
    """Import simplemma.

    Raises:
        MissingExtraError: it is not installed.
    """
    with needing("simplemma", "languages", "lemmas of other languages"):
        import simplemma
    return simplemma


@lru_cache(maxsize=1 << 13)
def listed_lemma(form: str, code: str) -> str | None:
    """Return the lemma that a language's dictionary lists for a form as it stands, or None.

    Raises:
        MissingExtraError: simplemma is not installed.
    """
    lemma: str | None = _lookup().exact_lemma(form, code)
    return lemma


@lru_cache(maxsize=1)
def _lookup() -> Any:
    simplemma()
    from simplemma.strategies import DictionaryLookupStrategy

    return DictionaryLookupStrategy()


@dataclass(frozen=True)
class SimplemmaLemmas:
    """A lemmatiser that knows forms, whatever their part of speech.

    Attributes:
        code: of the language.
    """

    code: str

    def __post_init__(self) -> None:
        try:
            self.lemma("a", "")
        except ValueError:
            raise LexsubError(
                f"there is no lemmatiser of language {self.code!r}: simplemma has none, and no "
                "plugin registers the language"
            ) from None

    @property
    def name(self) -> str:
        """The library with its version."""
        return f"simplemma-{simplemma().__version__}"

    def lemma(self, form: str, pos: str) -> str:
        """Return the lemma of a form; several words, and unknown ones, stay as they are."""
        if " " in form or not form:
            return form
        lemma: str = simplemma().lemmatize(form, lang=self.code)
        return lemma


@lru_cache(maxsize=2)
def listed_forms(code: str) -> Mapping[str, Sequence[str]]:
    """Return the forms that a language's dictionary lists, by lemma.

    The first call turns the whole dictionary round, which takes a second for French.

    Raises:
        MissingExtraError: simplemma is not installed.
    """
    simplemma()
    from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

    found: dict[str, list[str]] = {}
    for form, lemma in DEFAULT_DICTIONARY_FACTORY.get_dictionary(code).items():
        found.setdefault(lemma, []).append(form)
    return found
