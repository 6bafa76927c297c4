"""Tables as LaTeX for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexsub.printable import printable
from lexsub.tables.value import UNDEFINED, Entry, Number, Table, text_of

_SIGNS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", UNDEFINED: "--",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}  # fmt: skip
_SIGN = re.compile("[" + re.escape("".join(_SIGNS)) + "]")


def to_latex(table: Table) -> str:
    """Return a table as a ``tabular`` with booktabs rules, title and notes as comments.

    The best figures are bold; the letters of the systems a figure is significantly better than
    stand above it.
    """
    figures = len(table.columns) - table.names
    lines = [
        comment(table.title),
        r"\begin{tabular}{" + "l" * table.names + "r" * figures + "}",
        r"\toprule",
        _row(map(escaped, table.columns)),
        r"\midrule",
        *(_row(map(_cell, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join([*lines, *map(comment, filter(None, table.notes))]) + "\n"


def comment(text: str) -> str:
    """Return a text as a comment, which no line end of its own leaves."""
    return f"% {printable(text)}"


def escaped(text: str) -> str:
    """Return a text so that LaTeX prints it as it is."""
    return _SIGN.sub(lambda sign: _SIGNS[sign[0]], printable(text))


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(entry: Entry) -> str:
    if not isinstance(entry, Number):
        return escaped(text_of(entry))
    value, interval = (
        escaped(text).replace("-", "$-$") if text != UNDEFINED else "--"
        for text in (entry.text, entry.interval)
    )
    if entry.best:
        value = rf"\textbf{{{value}}}"
    if entry.marks:
        value += rf"$^{{\mathrm{{{entry.marks.replace(' ', '')}}}}}$"
    return f"{value} {interval}".rstrip()
