"""Experiments made from others: built on one, or varied one thing at a time.

A file that is built on another says what it takes over, leaves out, changes and adds.  What a
learned ranker owes to its parts is measured by experiments that are derived from one: each takes
the table of a config with one system that ranks by a learned model, adds systems that differ from
it in one thing, and asks for the paired tests.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from lexsub.errors import ConfigError, suggest
from lexsub.experiments.config.schema import BaseTable, Table
from lexsub.parts.build import validate

KEYS = tuple(BaseTable.model_fields)
"""Keys of a file that is built on another; the merged table has none of them."""


def build_on(base: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of an experiment that is built on another.

    The base's ``same_as`` are written out first, so that nothing of it hangs on what is left
    out or changed; then ``without`` leaves out.  Of the file, systems, tables, comparisons and
    models stand behind those that are left of the base, in the file's order; one that the base
    has, too, takes from there what the file does not say.  ``resources`` and ``notes`` are
    joined name by name, ``plugins`` are those of both, every other key is the file's.

    Args:
        base: the table built on, itself no longer built on anything.
        table: the file's own.

    Raises:
        ConfigError: ``without`` names what the base has not, or ``more`` makes longer what is no
            list of the base.
    """
    merged = _written_out(base)
    for path in base_of(table).without:
        try:
            merged = _left_out(merged, path)
        except ConfigError as error:
            raise ConfigError(f"without: {path!r}: {error}") from error
    for key, value in table.items():
        theirs: Any = merged.get(key)
        if key in ("systems", "tables", "comparisons") and _are(list, value, theirs):
            merged[key] = _behind(theirs, value)
        elif key == "models" and _are(dict, value, theirs):
            changed = {name: _changed(name, theirs.get(name), new) for name, new in value.items()}
            kept = {name: model for name, model in theirs.items() if name not in value}
            merged[key] = kept | changed
        elif key in ("resources", "notes") and _are(dict, value, theirs):
            merged[key] = theirs | value
        elif key == "plugins" and _are(list, value, theirs):
            merged[key] = [*theirs, *(one for one in value if one not in theirs)]
        elif key not in KEYS:
            merged[key] = value
    return merged


def base_of(table: Mapping[str, Any]) -> BaseTable:
    """Return what a table says of the experiment that it is built on.

    Raises:
        ConfigError: it says so otherwise than declared.
    """
    return validate(BaseTable, {key: table[key] for key in KEYS if key in table}, "")


def label_of(entry: Any) -> str:
    """Return what an entry of a list is called: its label, its name, or itself."""
    if isinstance(entry, Mapping):
        return str(entry.get("label", entry.get("name", "")))
    return str(entry)


def model_table(name: str, models: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the table of a model, with what ``same_as`` and ``more`` stand for.

    Raises:
        ConfigError: there is no such model, or it is like another itself.
    """
    table = dict(models[name])
    if "same_as" not in table:
        return table
    of, where = table.pop("same_as"), f"models.{name}.same_as"
    if not isinstance(of, str) or of == name or of not in models:
        others = [other for other in models if other != name]
        raise ConfigError(f"{where}: no other model {of!r}{suggest(str(of), others)}")
    if "same_as" in models[of]:
        raise ConfigError(f"{where}: {of!r} is like another model itself; name that one")
    return _with_more(table, models[of], name, repr(of))


def source_table(candidates: Table, where: str, others: Mapping[str, Table]) -> Table:
    """Return the table of a system's candidates, with what ``same_as`` stands for.

    Args:
        candidates: as the file has them.
        where: key path of the system, for messages.
        others: candidates of the other systems by name.

    Raises:
        ConfigError: there is no such system, or it has another's candidates itself.
    """
    if not isinstance(candidates, dict) or "same_as" not in candidates:
        return candidates
    name: object = candidates["same_as"]
    if more := sorted(candidates.keys() - {"same_as"}):
        raise ConfigError(f"{where}.candidates.{more[0]}: expected no other key beside same_as")
    if not isinstance(name, str) or name not in others:
        hint = suggest(str(name), others)
        raise ConfigError(f"{where}.candidates.same_as: no other system {name!r}{hint}")
    found = others[name]
    if isinstance(found, dict) and "same_as" in found:
        raise ConfigError(
            f"{where}.candidates.same_as: {name!r} has its candidates from another "
            "system itself; name that one"
        )
    return found


def _with_more(
    table: Mapping[str, Any], of: Mapping[str, Any], name: str, called: str
) -> dict[str, Any]:
    table = dict(table)
    longer = table.pop("more", {})
    for key, entries in longer.items() if isinstance(longer, dict) else [("", None)]:
        if not isinstance(entries, list) or not isinstance(of.get(key), list):
            raise ConfigError(
                f"models.{name}.more: {key or longer!r}; expected lists of {called} "
                "that are made longer, as { features = [...] }"
            )
        table[key] = [*of[key], *entries]
    return {**of, **table}


def _written_out(base: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table without same_as; what is faulty stays, to be told with the other faults."""
    merged = dict(base)
    try:
        if isinstance(models := base.get("models"), dict):
            merged["models"] = {name: model_table(name, models) for name in models}
        if isinstance(systems := base.get("systems"), list):
            sources = {one["name"]: one.get("candidates", "") for one in systems}
            merged["systems"] = [
                {**one, "candidates": source_table(one["candidates"], "", sources)}
                if "candidates" in one
                else one
                for one in systems
            ]
    except (ConfigError, TypeError, KeyError, AttributeError, ValueError):
        return dict(base)
    return merged


def _left_out(value: Any, path: str) -> Any:
    """Return a table or list without what a path leads to; entries of lists go by their names."""
    names: dict[str, Any] = {}
    if isinstance(value, dict):
        names = {name: name for name in value}
    elif isinstance(value, list):
        names = {label_of(entry): place for place, entry in enumerate(value)}
    # Names may have dots.
    found = [name for name in names if f"{path}.".startswith(f"{name}.")]
    if not found:
        raise ConfigError(f"no {path!r} in the experiment built on{suggest(path, names)}")
    step = max(found, key=len)
    place, rest = names[step], path[len(step) + 1 :]
    left = value.copy()
    if rest:
        left[place] = _left_out(value[place], rest)
    else:
        del left[place]
    return left


def _are(kind: type, *values: Any) -> bool:
    return all(isinstance(value, kind) for value in values)


def _behind(theirs: Sequence[Any], own: Sequence[Any]) -> list[Any]:
    old = {name: one for one in theirs if (name := _name(one))}
    new = [(_name(one), one) for one in own]
    kept = [one for one in theirs if _name(one) not in {name for name, _ in new if name}]
    return kept + [old.get(name, {}) | one if name else one for name, one in new]


def _name(entry: Any) -> str | None:
    """Return the name of a system, table or comparison; None where it has none that is text."""
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else None


def _changed(name: str, old: Any, new: Any) -> Any:
    if not _are(dict, old, new) or {"kind", "same_as"} & new.keys():
        return new
    return _with_more(new, old, name, f"the {name!r} built on")


MEASURES = "best-P oot-P P@1 optimal-F"
"""What is compared."""


def without_families(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the experiment with one more system for each feature family, without it.

    Raises:
        ConfigError: no system ranks by a learned model.
    """
    system, model = _learned(table)
    families = table["models"][model]["features"]
    models = {}
    for label in map(label_of, families):
        if rest := [family for family in families if label_of(family) != label]:
            models[f"without-{label}"] = {**table["models"][model], "features": rest}
    systems = [_ranked_by(system, name) for name in models]
    return _derived(table, system, model, "families", "Without one feature family", models, systems)


def without_sources(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the experiment with one more system for each candidate source, without it.

    Raises:
        ConfigError: no system ranks by a learned model, or its candidates are no union.
    """
    system, model = _learned(table)
    models, systems = {}, []
    for label in map(label_of, _union(system["candidates"])["sources"]):
        name = f"without-{label}"
        models[name] = {**table["models"][model], "system": name}
        fewer = copy.deepcopy(_ranked_by(system, name))
        union = _union(fewer["candidates"])
        union["sources"] = [one for one in union["sources"] if label_of(one) != label]
        if union["sources"]:
            systems.append(fewer)
    title = "Without one candidate source"
    return _derived(table, system, model, "sources", title, models, systems)


def by_targets(table: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """Return the experiment with one more system for each number of training targets.

    Raises:
        ConfigError: no system ranks by a learned model.
    """
    system, model = _learned(table)
    models = {
        f"targets-{number}": {**table["models"][model], "targets": number} for number in numbers
    }
    systems = [_ranked_by(system, name) for name in models]
    return _derived(table, system, model, "targets", "By training targets", models, systems)


def _learned(table: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the first system that ranks by a learned model, and the model's name."""
    for system in table.get("systems", ()):
        ranker = system.get("ranker") or {}
        ranker = {"name": ranker} if isinstance(ranker, str) else ranker
        model = ranker.get("model", "learned")
        if ranker.get("name") == "learned" and model in table.get("models", {}):
            return dict(system), model
    raise ConfigError(
        'systems: none ranks by a learned model of this file; add one with ranker = "learned" '
        "and [models.learned]"
    )


def _ranked_by(system: Mapping[str, Any], model: str) -> dict[str, Any]:
    return {**system, "name": model, "ranker": {"name": "learned", "model": model}}


def _union(candidates: Any) -> dict[str, Any]:
    found = candidates
    while isinstance(found, dict) and "sources" not in found:
        found = found.get("source")
    if not isinstance(found, dict):
        raise ConfigError("systems: the learned system's candidates are no union of sources")
    return found


def _derived(
    table: Mapping[str, Any],
    system: Mapping[str, Any],
    model: str,
    name: str,
    title: str,
    models: Mapping[str, Any],
    systems: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    own = system["name"]
    kept = {
        other: made
        for other, made in table["models"].items()
        if other == model or made.get("kind") != "learned"
    }
    # The model learns from its own system's candidates, whatever other systems stand above.
    kept[model] = {**kept[model], "system": own}
    more = {other: {"system": own, **made} for other, made in models.items()}
    figures = {"name": name, "title": title, "measures": MEASURES}
    # Files of a table and of a comparison are called by their names.
    compared = figures | {"name": f"{name}-compared", "pairs": "first"}
    return {
        **{key: value for key, value in table.items() if key not in ("tables", "comparisons")},
        "name": f"{table['name']}-{name}",
        "title": title,
        "models": kept | more,
        "systems": [dict(system), *map(dict, systems)],
        "tables": [figures],
        "comparisons": [compared | {"systems": [own, *(one["name"] for one in systems)]}],
    }
