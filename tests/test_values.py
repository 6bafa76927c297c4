"""What scoring hands on is never changed by whoever gets it."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest


def modules() -> Iterator[str]:
    for name in ("lexsub.evaluation", "lexsub.boundary", "lexsub.matching"):
        package = importlib.import_module(name)
        yield from (one.name for one in pkgutil.walk_packages(package.__path__, f"{name}."))


@pytest.mark.parametrize("name", sorted(modules()))
def test_dataclasses_are_frozen(name: str) -> None:
    for value in vars(importlib.import_module(name)).values():
        if isinstance(value, type) and value.__module__ == name and dataclasses.is_dataclass(value):
            assert value.__dataclass_params__.frozen, value  # type: ignore[attr-defined]
