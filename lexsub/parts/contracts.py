"""What is wrong with a part, found when it is registered: its author learns it at once.

A part that lacks a method would otherwise fail late, behind hours of work, and with a stack
trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[str, Any], str]
"""(registered name, part) → what is wrong with it, "" for nothing."""


def follows(kind: type[Any], page: str) -> Check:
    """Return the check that a part is a dataclass of a kind, with all that the kind asks for.

    Args:
        kind: the base class, as :class:`lexsub.parts.base.Ranker`; its ``needs_…`` without value
            are said by every part.
        page: where it is described, for the message.
    """

    def check(name: str, part: Any) -> str:
        del name
        if fault := no_dataclass(part):
            return f"{fault} (see {page})"
        if not issubclass(part, kind):
            return (
                f"{part.__name__} is no {kind.__name__}; write class "
                f"{part.__name__}({kind.__name__}) (see {page})"
            )
        said = [one for one in vars(kind).get("__annotations__", ()) if one.startswith("needs_")]
        missing = [one for one in said if not hasattr(part, one)]
        missing += sorted(getattr(part, "__abstractmethods__", ()))
        if missing:
            return f"{part.__name__} has no {' and no '.join(missing)} (see {page})"
        return ""

    return check


def no_dataclass(part: Any) -> str:
    """Say that a part is no dataclass of its own; return "" where it is one."""
    if not isinstance(part, type):
        return f"{part!r} is no class; expected a frozen dataclass"
    # One that is only inherited does not know the fields of the class itself.
    if "__dataclass_fields__" not in vars(part):
        return (
            f"{part.__name__} is no dataclass; write @dataclass(frozen=True) between the line that "
            "registers it and the class"
        )
    return ""
