"""What the rest of the program asks of a language: one entry a language, found by its code.

An entry is a :class:`~lexsub.languages.language.Language` in a file of its own with one
registration.
"""

from lexsub.languages.language import LANGUAGES, Language, Lemmatiser, language_of

__all__ = ["LANGUAGES", "Language", "Lemmatiser", "language_of"]
