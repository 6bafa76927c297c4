"""JSON files checked against a model of their shape."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from lexsub.errors import FormatError

T = TypeVar("T", bound=BaseModel)


def parse_json(model: type[T], data: bytes | str, path: Path, line: int | None = None) -> T:
    """Read JSON of a given shape.

    Args:
        model: the shape, as a pydantic model.
        data: the JSON text.
        path: the file it comes from, for messages.
        line: the line it stands on, for files with one object a line.

    Raises:
        FormatError: not JSON, or of another shape; names the place inside it.
    """
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=True)[0]
        if first["type"] == "json_invalid":
            raise FormatError(path, line, f"not JSON: {first['msg']}") from error
        place = " -> ".join(map(str, first["loc"])) or "the top"
        found = repr(first["input"])
        found = found if len(found) <= 60 else found[:57] + "..."
        expected = first["msg"][0].lower() + first["msg"][1:]
        raise FormatError(path, line, f"at {place}: {found}; {expected}") from error
