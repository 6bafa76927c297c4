"""What is wrong with a part, found when it is registered: its author learns it at once.

A part that lacks a method would otherwise fail late, behind hours of work, and with a stack
trace.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

Check = Callable[[str, Any], str]
"""(registered name, part) → what is wrong with it, "" for nothing."""


def follows(protocol: type[Any], page: str, *optional: type[Any]) -> Check:
    """Return the check that a part is a dataclass with all that its protocol asks for.

    Args:
        protocol: the protocol, as :class:`lexsub.parts.base.Ranker`.
        page: where it is described, for the message.
        optional: protocols of further needs: whoever says one of their ``needs_…`` has the rest.
    """
    wanted = members(protocol)

    def check(name: str, part: Any) -> str:
        del name
        if fault := no_dataclass(part):
            return f"{fault} (see {page})"
        fields = {field.name for field in dataclasses.fields(part)}
        missing = [one for one in wanted if not hasattr(part, one) and one not in fields]
        if missing:
            return f"{part.__name__} has no {' and no '.join(missing)} (see {page})"
        for more in optional:
            named = members(more)
            said = [one for one in named if one.startswith("needs_") and hasattr(part, one)]
            lacks = [one for one in named if not hasattr(part, one) and one not in fields]
            if said and lacks:
                return f"{part.__name__} has {said[0]} and no {' and no '.join(lacks)} (see {page})"
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


def members(protocol: type[Any]) -> list[str]:
    """Return the names of what a protocol asks for, those of its bases included."""
    found: dict[str, None] = {}
    for base in reversed(protocol.__mro__):
        if base.__module__ in ("typing", "builtins"):
            continue
        found |= dict.fromkeys(vars(base).get("__annotations__", ()))
        found |= dict.fromkeys(
            name
            for name, value in vars(base).items()
            if (callable(value) or isinstance(value, property)) and name[0] != "_"
        )
    return list(found)
