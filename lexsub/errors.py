"""The errors a user can cause, each rendered as one clear line.

Every error says where (file, line), what was found, what was expected and, where
there is one, the step that mends it.  The command line prints ``str(error)`` and
exits with status 2; nothing below the command line prints or exits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from lexsub.printable import spelled

T = TypeVar("T")


class LexsubError(Exception):
    """Base of every error that is the user's to mend, not a fault of the program."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers send errors home by pickle, which by itself would make them anew from their
        # message alone and fail at every class that takes something else.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[LexsubError], args: tuple[Any, ...], state: dict[str, Any]) -> LexsubError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class FormatError(LexsubError):
    """A file that is not what its format says.

    Attributes:
        path: the file, as the user named it.
        line: 1-based line number, or None when the whole file is meant.
        problem: what was found and what was expected instead.
    """

    def __init__(self, path: Path | str, line: int | None, problem: str) -> None:
        self.path, self.line, self.problem = path, line, one_line(problem)
        place = f"{spelled(path)}:{line}" if line else spelled(path)
        super().__init__(f"{place}: {self.problem}")


class Place(NamedTuple):
    """Where a fault is: a line of a file, counted from 1, or (0) the whole of it."""

    path: Path
    line: int = 0

    def fault(self, problem: str) -> FormatError:
        """Return the error that says what was found there, and what was expected instead."""
        return FormatError(self.path, self.line or None, problem)


class FileProblemError(LexsubError):
    """A file that cannot be read or written at all (missing, folder, no permission, no space)."""

    def __init__(self, path: Path | str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{spelled(path)}: {problem}")


class ConfigError(LexsubError):
    """One or more faults of a configuration file, all reported at once."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))

    def at(self, place: object) -> ConfigError:
        """Return the same faults, each with a place before it: a file, or a key path."""
        return ConfigError(*(f"{place}: {problem}" for problem in self.problems))


class UnknownNameError(LexsubError):
    """A name that no registry entry carries; lists the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        super().__init__(f"unknown {kind} {name!r}{suggest(name, self.known)}")


def look_up(kind: str, name: str, known: Mapping[str, T]) -> T:
    """Return what is known by a name.

    Raises:
        UnknownNameError: nothing is.
    """
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return known[name]


class MissingResourceError(LexsubError):
    """Something the work needs is not on this machine; the text says how to get it."""


class DownloadError(LexsubError):
    """A file that cannot be fetched; names the address and how to do without."""

    def __init__(self, url: str, problem: str) -> None:
        self.url, self.problem = url, problem
        super().__init__(f"{url}: {problem}")


class MissingExtraError(LexsubError):
    """An optional library, or several (``a and b``), are not installed."""

    def __init__(self, library: str, extra: str, purpose: str) -> None:
        are = "are" if " and " in library else "is"
        super().__init__(
            f"{purpose} needs {library}, which {are} not installed: "
            f"pip install 'lexsub-toolkit[{extra}]'"
        )


@contextmanager
def needing(library: str, extra: str, purpose: str) -> Iterator[None]:
    """Say of what is imported in the block that it belongs to an extra.

    Args:
        library: its name.
        extra: the extra that brings it.
        purpose: what wants it, as ``building a thesaurus``.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        yield
    except ImportError:
        raise MissingExtraError(library, extra, purpose) from None


def look_for(module: str, library: str, extra: str, purpose: str) -> None:
    """Miss a library that is not installed without importing it, which may take seconds.

    Raises:
        MissingExtraError: it is not installed; see :func:`needing`.
    """
    with needing(library, extra, purpose):
        if find_spec(module) is None:
            raise ImportError(module)


@contextmanager
def well_formed(path: Path, problem: str, way: str = "") -> Iterator[None]:
    """Say of a file of ours that it is damaged, where what it holds does not fit what is done.

    Args:
        path: the file.
        problem: what is said then, as ``is no register model``, before what did not fit.
        way: what stands behind that: the way out, where there is one.

    Raises:
        FormatError: it is damaged.
    """
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"{problem} ({error}){way}") from error


def one_line(text: str, longest: int = 480) -> str:
    """Return a message that quotes a file as one line of bearable length, its middle left out."""
    text = text.replace("\r", "\\r").replace("\n", "\\n")
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]} … {text[-longest // 2 :]}"


def cut(text: str, longest: int = 60) -> str:
    """Return a text for a message, its end left out where it is long."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def key_path(steps: Iterable[object], start: str = "") -> str:
    """Return where something is in a file of tables and lists: ``systems[0].ranker``."""
    path = start
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else str(step)
    return path


_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "extra_forbidden": "no such key",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "string_pattern_mismatch": "text that matches {pattern}",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "string_type": "text",
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    "tuple_type": "a list",
}
_TABLES = ("dict_type", "model_attributes_type", "model_type")


def expected_of(fault: Mapping[str, Any], table: str = "a table") -> str:
    """Return what was expected where pydantic found a fault, in words of the file's kind.

    Args:
        fault: an entry of ``ValidationError.errors()``, with its context.
        table: what a mapping is called there.
    """
    kind: str = fault["type"]
    if kind in _TABLES:
        return table
    if kind in _EXPECTED:
        # Of numbers pydantic makes those with a point: 1.0.
        limits = {
            key: int(limit) if isinstance(limit, float) and limit.is_integer() else limit
            for key, limit in fault.get("ctx", {}).items()
        }
        words = _EXPECTED[kind].format(**limits)
        return words.replace("1 entries", "1 entry").replace("1 characters", "1 character")
    message: str = fault["msg"]
    return message.removeprefix("Value error, ").removeprefix("Input should be ")


def suggest(name: str, known: Iterable[str], meant: Mapping[str, str] | None = None) -> str:
    """Return ``; did you mean …? (known: …)`` for an unknown name.

    Args:
        name: it.
        known: the names that there are.
        meant: known names by what others call the same.
    """
    names = sorted(known)
    same = (meant or {}).get(name.strip().casefold())
    near = f"; did you mean {same}?" if same else did_you_mean(name, names)
    return f"{near} (known: {', '.join(names) or 'none'})"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?``, or ``""`` where nothing is near."""
    near = nearest(name, known)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return at most three known names that a user who typed ``name`` may have meant.

    Those are the ones that the fewest slips of a finger make of it, one in a short name and two
    in one of six letters or more, else those of which one slip makes it the beginning (``semval``
    of ``semeval2007``), else those of which it begins a part (``sword`` of ``learned-swords``).  A
    name that only looks a bit alike is worse than none.
    """
    # What is longer by more than two letters is none of them, and may be a whole file.
    able = [one for one in known if len(name) <= len(one) + 2]
    slips = {one: _slips(name.casefold(), one.casefold()) for one in able}
    fewest = min(slips.values(), default=0)
    if fewest < len(name) and fewest <= (1 if len(name) < _LONG else 2):
        return sorted(one for one in slips if slips[one] == fewest)[:3]
    if len(name) >= _LONG:
        begun = [
            one for one in slips if _slips(name.casefold(), one[: len(name) + 1].casefold()) == 1
        ]
        if begun:
            return sorted(begun)[:3]
    part = re.compile(rf"(?<![^\W_]){re.escape(name)}", re.IGNORECASE)
    return sorted(one for one in slips if len(name) > 2 and part.search(one))[:3]


_LONG = 6


def _slips(a: str, b: str) -> int:
    """Count letters left out, put in, changed, or swapped with the next (Damerau, 1964)."""
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            slips = min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and other == a[i - 2]:
                slips = min(slips, before[j - 2] + 1)
            row.append(slips)
        before, above = above, row
    return above[-1]


def os_problem(error: OSError) -> str:
    """Say in a few words why the operating system refused."""
    if isinstance(error, IsADirectoryError):
        return "is a folder, expected a file"
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if error.strerror or error.errno:
        return (error.strerror or os.strerror(error.errno or 0)).lower()
    # Raised by a library, not by the system.
    return one_line(str(error)) or type(error).__name__
