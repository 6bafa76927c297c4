"""What golds and systems may be given as: our own, plain dicts and lists, or data frames."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast

from lexsub.datasets import Gold, GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.measure import READS, Reads
from lexsub.evaluation.sheets import Answered
from lexsub.rankings import Ranked, Ranking, Submission
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


Lists: TypeAlias = Mapping[str, Sequence[str]] | Mapping[str, Mapping[str, float]]
"""Answers by item id: best first, or with their scores, the higher the better."""

List: TypeAlias = Submission | Lists | Sequence[Ranking] | Frame
"""One list of answers to every item; a data frame has the columns ``id``, ``substitute`` and,
where its rows are not best first, ``score``."""

System: TypeAlias = List | Mapping[str, List]
"""A list for each of best, oot, mw and ranking; or one list, from which they are taken."""

OOT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Lines:
    """The answers of one list by item.

    Attributes:
        answered: answers by item id.
        lexelts: the lexelt a submission gives for each id.
        notes: what was passed over, with how often.
    """

    answered: Mapping[str, Answered]
    lexelts: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)


def read_system(name: str, system: System) -> dict[Reads, Lines]:
    """Bring a system's answers into one form.

    A submission is the list of its task.  Rankings and plain lists stand for all lists but
    mw: best is the first answer, oot the first ten, ranking the whole.

    Raises:
        LexsubError: something else.
    """
    if isinstance(system, Submission):
        return {system.task: _lines(name, system)}
    if isinstance(system, Mapping) and set(system) & set(READS):
        if set(system) - set(READS):
            raise LexsubError(
                f"system {name}: keys {', '.join(map(str, system))}; expected some of "
                f"{', '.join(READS)}, or item ids alone"
            )
        by_task = cast("Mapping[Reads, List]", system)
        return {task: _lines(name, given) for task, given in by_task.items()}
    return _all_lists(_lines(name, cast("List", system)))


def check_ids(systems: Mapping[str, Any], gold: Gold) -> None:
    """Refuse a system that answers no item of the gold: its figures would all be 0.

    Raises:
        LexsubError: there is such a system, which it names, or no gold at all.
    """
    known = {*gold.items, *gold.multiwords}
    if not known:
        raise LexsubError(f"{gold.name} has no gold: there is nothing to score against")
    for name, system in systems.items():
        ids = {
            item_id for lines in read_system(name, system).values() for item_id in lines.answered
        }
        if ids and not ids & known:
            some, item = min(ids), min(known, default="none")
            raise LexsubError(
                f"{name} answers no item of {gold.name}: it has ids such as {some}, the gold such "
                f"as {item}; is it the output of another data set?"
            )


def list_for(lists: Mapping[Reads, Lines], reads: Reads) -> Lines | None:
    """Return the list a measure reads; a ranking falls back on oot, then on best."""
    order: tuple[Reads, ...] = ("ranking", "oot", "best") if reads == "ranking" else (reads,)
    return next((lists[task] for task in order if task in lists), None)


def _lines(name: str, given: List) -> Lines:
    if isinstance(given, Submission):
        return _submission(given)
    if (rows := rows_of(given)) is not None:
        given = ranking_rows(name, rows)
    if isinstance(given, Mapping):
        return Lines({str(key): _given(name, key, answers) for key, answers in given.items()})
    if isinstance(given, Sequence) and all(isinstance(ranking, Ranking) for ranking in given):
        return Lines(
            {ranking.id: _ranked(ranking.ranked) for ranking in given},
            {ranking.id: ranking.lexelt for ranking in given},
        )
    raise LexsubError(
        f"system {name} is a {type(given).__name__}; expected a Submission, a sequence of "
        "Ranking, a mapping from item id to answers, or a data frame with the columns id and "
        "substitute"
    )


def _ranked(ranked: Sequence[Ranked]) -> Answered:
    return Answered([entry.substitute for entry in ranked], [entry.score for entry in ranked])


def _given(name: str, item_id: object, answers: Any) -> Answered:
    if isinstance(answers, Mapping):
        rows = [{"id": item_id, "substitute": a, "score": s} for a, s in answers.items()]
        return _ranked(ranking_rows(name, rows)[0].ranked if rows else ())
    if isinstance(answers, str):
        raise LexsubError(f"system {name}: answers of item {item_id} are a string; expected a list")
    if not isinstance(answers, Sequence) or not all(isinstance(answer, str) for answer in answers):
        raise LexsubError(
            f"system {name}: answers of item {item_id} are {answers!r:.60}; expected a list of "
            "words, or a mapping from word to score"
        )
    return Answered(answers)


def _submission(submission: Submission) -> Lines:
    answered: dict[str, Answered] = {}
    lexelts: dict[str, str] = {}
    repeated = 0
    for answer in submission.answers:
        # As in the official scorer, the first line of an id counts.
        if answer.id in answered:
            repeated += 1
            continue
        answered[answer.id] = Answered(answer.substitutes)
        lexelts[answer.id] = answer.lexelt
    notes = {"second lines of an item": repeated, "lines not readable": len(submission.rejected)}
    return Lines(answered, lexelts, {what: count for what, count in notes.items() if count})


def _all_lists(whole: Lines) -> dict[Reads, Lines]:
    def cut(n: int) -> Lines:
        first = {
            item_id: Answered(
                answered.answers[:n], answered.scores[:n] if answered.scores else None
            )
            for item_id, answered in whole.answered.items()
        }
        return Lines(first, whole.lexelts, whole.notes)

    return {"best": cut(1), "oot": cut(OOT_LIMIT), "ranking": whole}
