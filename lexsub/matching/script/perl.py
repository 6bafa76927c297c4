"""The few habits of Perl that show in the scorer's output.

Integers stay integers until they overflow, numbers print with 15 significant digits, an
undefined counter prints as nothing, and ``"0"`` is false.
"""

from __future__ import annotations

from math import isfinite

Number = int | float

_LARGEST = 2**64
_NOT_FINITE = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}
BLANK = " \t\n\r\f\v"
"""What ``\\s`` matches in a byte string."""


def number(digits: str) -> Number:
    """Read a run of digits; one too large for a machine integer becomes a float."""
    # Python refuses to read very long runs of digits as an integer.
    return exact(int(digits)) if len(digits) <= 20 else float(digits)


def exact(value: Number) -> Number:
    """Return an integer as long as Perl would keep it one."""
    return float(value) if value >= _LARGEST else value


def show(value: Number | None) -> str:
    """Print a number as Perl does (``%.15g``), an undefined one as nothing."""
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    return f"{value:.15g}" if isfinite(value) else _NOT_FINITE[f"{value}"]


def true(text: str | None) -> bool:
    """Whether Perl takes a string for true."""
    return text not in (None, "", "0")


def pieces(text: str) -> list[str]:
    """Split at semicolons: trailing empty pieces vanish, leading and inner ones stay."""
    parts = text.split(";")
    while parts and not parts[-1]:
        parts.pop()
    return parts


def blank(text: str) -> bool:
    """Whether a text has nothing but ASCII blanks."""
    return not text.strip(BLANK)


def percent(fraction: float) -> str:
    """Round as the script does: times 100 twice, add one half, cut, two decimals.

    The two multiplications matter: .14375 prints 14.37, because 14.375 times 100 falls just
    under 1437.5.
    """
    return _padded(_whole(fraction * 100 * 100 + 0.5) / 100, 2)


def fraction(value: float) -> str:
    """Round to three decimals, as the trial version prints."""
    return _padded(_whole(value * 1000 + 0.5) / 1000, 3)


def _whole(value: float) -> float:
    # Counts of hundreds of digits are infinite, and infinite over infinite is no number.
    return int(value) if isfinite(value) else value


def _padded(value: float, places: int) -> str:
    if not isfinite(value):
        return show(value)
    whole, _, decimals = show(float(value)).partition(".")
    return f"{whole}.{decimals:0<{places}}"
