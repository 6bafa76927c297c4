"""The table of languages."""

from __future__ import annotations

import re

from lexsub.errors import LexsubError
from lexsub.languages.language import Language
from lexsub.registry import Registry

LANGUAGES: Registry[Language] = Registry(
    "language",
    {
        "lexsub.languages.english.entry": "en",
        "lexsub.languages.french.entry": "fr",
        "lexsub.languages.german": "de",
    },
)


def language_of(code: str) -> Language:
    """Return the entry of a language; one that is not in the table has lemmas and no forms.

    Args:
        code: ISO 639-1, as ``fr``.

    Raises:
        LexsubError: that is no such code.
    """
    if code in LANGUAGES:
        return LANGUAGES[code]
    if not re.fullmatch("[a-z]{2,3}", code):
        raise LexsubError(f"language {code!r}; expected a code as 'en', 'fr' or 'de' (ISO 639)")
    return Language(code)
