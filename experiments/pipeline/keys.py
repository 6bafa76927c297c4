"""What a kept stage depends on: options, inputs, code, libraries and the stages before it.

From these its key is made (:mod:`experiments.pipeline.store`), so that a stage is made anew
whenever one of them changes, and only then.  No part says what its code is: that is worked out
(:mod:`experiments.pipeline.closure`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from experiments.pipeline.closure import sources
from experiments.pipeline.store import Store
from lexsub.datasets import Dataset
from lexsub.files import sha256
from lexsub.protocols import ModelBuilder, Part
from lexsub.registry import looked_up
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class PartKey:
    """What a part adds to the key of a stage.

    Attributes:
        modules: its own module and those of all parts that it names.
        inputs: digests of the files that it reads, by path.
    """

    modules: frozenset[str]
    inputs: Mapping[Path, str]


def part_key(part: Part, resources: Resources, store: Store) -> PartKey:
    """Return what a part adds to the key of a stage.

    Args:
        part: the part, a dataclass.
        resources: where its inputs are.
        store: takes the digests of the inputs.

    Raises:
        LexsubError: an input is missing or cannot be read.
    """
    with looked_up() as modules:
        # What a part names is looked up when it is made, or when it says what it reads.
        replace(part)  # type: ignore[type-var]
        inputs = part.inputs(resources)
    digests = {path: store.digest(path) for path in inputs}
    return PartKey(frozenset(modules | {type(part).__module__}), digests)


def code(modules: Iterable[str], cache: Path) -> dict[str, Any]:
    """Return what code and libraries decide a stage, as ingredients of its key.

    Args:
        modules: the modules that make the stage, those of parts among them.
        cache: cache folder.
    """
    return sources(cache).code(modules).ingredients()


def model_recipe(builder: ModelBuilder, key: PartKey, cache: Path) -> dict[str, Any]:
    """Return what decides a model that learns from nothing but its inputs.

    Args:
        builder: trains it.
        key: what it adds to the key.
        cache: cache folder.
    """
    return {
        "part": repr(builder),
        "inputs": list(key.inputs.values()),
        "code": code(key.modules, cache),
    }


def items_digest(data: Dataset) -> str:
    """Return a digest of the sentences of a split, as they were read.

    By content, so that neither another reading of the file nor another gold is missed or makes
    anything anew that it does not change.
    """
    return _digest([data.name, data.language, data.items])


def data_digest(data: Dataset) -> str:
    """Return a digest of the sentences and the gold of a split, as they were read."""
    return _digest([data.name, data.language, data.items, data.gold])


def _digest(value: Any) -> str:
    return sha256(
        json.dumps(value, default=_plain, ensure_ascii=False).encode("utf-8", "surrogatepass")
    )


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, frozenset | set):
        return sorted(value)
    return str(value)
