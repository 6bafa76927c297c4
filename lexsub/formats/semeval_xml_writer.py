"""Writing sentences in the XML of SemEval-2007 Task 10, for data sets of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from lexsub.errors import LexsubError
from lexsub.files import write_text
from lexsub.items import Item

# What XML 1.0 (2.2, Char) cannot hold, not even as a reference.
_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def format_semeval_xml(items: Iterable[Item], comment: str = "") -> str:
    """Return a file text that :func:`lexsub.formats.semeval_xml.read_semeval_xml` reads back.

    Neighbouring items of one lexelt stand in one element.

    Args:
        items: the items, in file order.
        comment: put at the head of the file: what the sentences are, and their licence.

    Raises:
        LexsubError: a comment with two hyphens in a row, or a character that XML cannot hold.
    """
    if "--" in comment or comment.endswith("-") or _FORBIDDEN.search(comment):
        raise LexsubError(f"comment {comment!r} cannot stand in XML: leave out hyphens in a row")
    lines = ['<?xml version="1.0" ?>']
    if comment:
        lines.append(f"<!-- {comment} -->")
    lines += ["", '<corpus lang="english">']
    for lexelt, group in groupby(items, key=lambda item: str(item.lexelt)):
        lines.append(f"\t<lexelt item={quoteattr(lexelt)}>")
        for item in group:
            lines.append(f"\t\t<instance id={quoteattr(item.id)}>")
            lines.append(f"\t\t\t<context>{_context(item)}</context>")
            lines.append("\t\t</instance>")
        lines.append("\t</lexelt>")
    lines.append("</corpus>\n")
    return "\n".join(lines)


def write_semeval_xml(path: Path, items: Iterable[Item], comment: str = "") -> None:
    """Write a sentence file, whole or not at all; see :func:`format_semeval_xml`."""
    write_text(path, format_semeval_xml(items, comment))


def _context(item: Item) -> str:
    bad = _FORBIDDEN.search(item.text)
    if bad is not None:
        raise LexsubError(
            f"item {item.id}: character U+{ord(bad[0]):04X} cannot stand in XML: remove it"
        )
    before, after = item.text[: item.start], item.text[item.end :]
    return f"{escape(before)}<head>{escape(item.target)}</head>{escape(after)}"
