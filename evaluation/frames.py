"""Golds and answers from other forms: dicts and data frames."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

from lexsub.errors import LexsubError
from lexsub.golds import Gold, GoldItem
from lexsub.rankings import Ranked, Ranking
from lexsub.storage.files import sha256


class Frame(Protocol):
    """A data frame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""
        ...


GoldLike: TypeAlias = Gold | Mapping[str, Mapping[str, float]] | Frame
"""A gold; substitutes with their weights by item id; or a data frame with the columns ``id``,
``substitute`` and ``weight``, and ``lexelt`` where figures by target or part of speech matter."""


def as_gold(given: GoldLike) -> Gold:
    """Return what a caller gave as a gold.

    Where no lexelts are given every item is a target of its own: intervals are then drawn over
    items, which makes them too narrow where targets have several.

    Raises:
        LexsubError: something else, or weights that are no numbers of 0 or more; says which.
    """
    if isinstance(given, Gold):
        return given
    rows = rows_of(given)
    if rows is not None:
        return _of_rows(rows)
    if isinstance(given, Mapping):
        items = {
            str(item_id): _item(str(item_id), "", weights) for item_id, weights in given.items()
        }
        return _gold(items)
    raise LexsubError(
        f"the gold is a {type(given).__name__}; expected a Gold (lexsub.load, lexsub.load_gold), "
        "a mapping from item id to weights by substitute, or a data frame with the columns id, "
        "substitute and weight"
    )


def rows_of(given: Any) -> list[dict[str, Any]] | None:
    """Return the rows of a data frame of pandas or polars, None for anything else."""
    if isinstance(given, Mapping) or not hasattr(given, "columns"):
        return None
    if callable(getattr(given, "to_dicts", None)):
        return cast("list[dict[str, Any]]", given.to_dicts())
    if callable(getattr(given, "to_dict", None)):
        return cast("list[dict[str, Any]]", given.to_dict("records"))
    return None


def ranking_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> list[Ranking]:
    """Return the rankings that a frame's rows are.

    Args:
        name: the system, for messages.
        rows: ``id`` and ``substitute``; best first, or with a ``score`` (the higher the
            better; equal ones stay in the order of the rows).

    Raises:
        LexsubError: a column is missing, or a score is no number.
    """
    scored = bool(rows) and "score" in rows[0]
    found: dict[str, list[Ranked]] = {}
    lexelts: dict[str, str] = {}
    for row in rows:
        item_id, substitute = _cell(row, "id", f"system {name}"), row.get("substitute")
        if not isinstance(substitute, str):
            raise LexsubError(
                f"system {name}: a row of item {item_id} has the substitute {substitute!r}; "
                "expected columns id, substitute and, if you like, score"
            )
        entries = found.setdefault(item_id, [])
        score = (
            _number(row["score"], f"system {name}: {substitute!r} of item {item_id}")
            if scored
            else float(-len(entries))
        )
        entries.append(Ranked(substitute, score))
        lexelts.setdefault(item_id, str(row.get("lexelt") or ""))
    return [
        Ranking(item_id, lexelts[item_id], tuple(sorted(entries, key=lambda one: -one.score)))
        for item_id, entries in found.items()
    ]


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> Gold:
    weights: dict[str, dict[str, float]] = {}
    lexelts: dict[str, str] = {}
    for row in rows:
        item_id, substitute = _cell(row, "id", "the gold"), _cell(row, "substitute", "the gold")
        where = f"{substitute!r} of item {item_id}"
        of_item = weights.setdefault(item_id, {})
        of_item[substitute] = of_item.get(substitute, 0.0) + _number(row.get("weight"), where)
        lexelts.setdefault(item_id, str(row.get("lexelt") or ""))
    return _gold({key: _item(key, lexelts[key], given) for key, given in weights.items()})


def _cell(row: Mapping[str, Any], column: str, whose: str) -> str:
    value = row.get(column)
    if value is None or value != value:  # a frame's gap is None or NaN
        raise LexsubError(f"{whose} has a row without {column}; its columns are {', '.join(row)}")
    return str(value)


def _item(item_id: str, lexelt: str, given: Any) -> GoldItem:
    if not isinstance(given, Mapping):
        raise LexsubError(
            f"the gold of item {item_id} is a {type(given).__name__}; expected a mapping from "
            "substitute to weight"
        )
    weights = {
        str(text): _number(weight, f"{text!r} of item {item_id}") for text, weight in given.items()
    }
    return GoldItem(item_id, lexelt or item_id, weights)


def _number(value: Any, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool | str) or math.isnan(number) or math.isinf(number):
        raise LexsubError(f"{where} has {value!r}; expected a number")
    return number


def _gold(items: Mapping[str, GoldItem]) -> Gold:
    for item in items.values():
        for text, weight in item.weights.items():
            if weight < 0:
                raise LexsubError(
                    f"{text!r} of item {item.id} weighs {weight:g}; expected 0 or more"
                )
    plain = [[item.id, item.lexelt, sorted(item.weights.items())] for item in items.values()]
    return Gold("given", items, sha256(json.dumps(plain).encode()))
