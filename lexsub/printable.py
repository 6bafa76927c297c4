"""Text that comes from files and names, made fit for a line on a terminal."""

from __future__ import annotations

import re

REPLACED = "\N{REPLACEMENT CHARACTER}"

# C0 and C1 controls (terminals obey them), lone surrogates (no encoding has them), and what
# turns the text behind it round.
_OBEYED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("[\t\n\x0b\x0c\r\u2028\u2029]+")


def printable(text: str) -> str:
    """Return a text as one line in which nothing is obeyed: breaks are blanks, controls U+FFFD."""
    return _OBEYED.sub(REPLACED, _BREAKS.sub(" ", text))
