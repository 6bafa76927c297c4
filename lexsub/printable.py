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


# Two characters at least: a drive of Windows is no scheme.
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):[/\\]+(?=.)")


def is_address(path: object) -> bool:
    """Return True if a path is an address of something elsewhere, as ``s3://bucket/corpus``.

    ``pathlib`` makes ``s3:/bucket/corpus`` of it, which is known as well: an address travels as
    any other path.
    """
    text = str(path)
    return ":" in text and _ADDRESS.match(text) is not None


def spelled(path: object) -> str:
    """Return a path as text; an address with both its slashes, all other paths as they are."""
    text = str(path)
    if ":" not in text or not (found := _ADDRESS.match(text)):
        return text
    slashes = "///" if found[1] == "file" else "//"
    return f"{found[1]}:{slashes}{text[found.end() :]}".replace("\\", "/")
