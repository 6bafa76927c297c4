"""Why a line does not have the shape of its task."""

from __future__ import annotations

import re

from lexsub.formats.semeval_lines import short
from lexsub.submissions import SEPARATORS, Task

_LOOSE = re.compile(r"(\s*)(\S+)(\s+)([^\s:]+)(\s*)(:{2,3})(.*)")


def diagnose(line: str, task: Task) -> tuple[str, str]:
    """Return code and message for a line that the official scorer does not read."""
    separator = SEPARATORS[task]
    expected = f"expected 'lexelt id {separator} {'multiword' if task == 'mw' else 'answer'}'"
    dropped = "the official scorer drops the line"
    match = _LOOSE.match(line)
    if match is None:
        colons = "" if "::" in line else f" without {separator}"
        return "shape", f"{short(line)}: a line of another shape{colons}; {expected}; {dropped}"
    _, _, gap, item_id, before, colons, rest = match.groups()
    if colons != separator:
        return (
            "wrong-task",
            f"separator {colons!r} is not that of {task}; {expected} (another task's "
            f"submission?); {dropped}",
        )
    if "\t" in gap + before + rest[:1]:
        return "tab", f"a tab between the fields; {expected} with single blanks; {dropped}"
    if task == "mw":
        return "non-numeric-id", f"id {item_id!r} is no number; {dropped}"
    if len(gap) > 1 or len(before) > 1:
        return "several-blanks", f"several blanks between the fields; {expected}; {dropped}"
    if not before:
        return "shape", f"no blank before {separator}; {expected}; {dropped}"
    if not rest.startswith(" "):
        return (
            "no-blank-after-colons",
            f"no blank after {separator}; {expected}; {dropped}",
        )
    return "shape", f"{short(line)}: a line of another shape; {expected}; {dropped}"
