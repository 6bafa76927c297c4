"""What a learned ranker owes to its parts: experiments derived from an experiment.

Each takes the table of a config with one system that ranks by a learned model, adds systems
that differ from it in one thing, and asks for the paired tests, so that running the derived
experiment is the measurement.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from lexsub.errors import ConfigError
from lexsub.experiments.config.based_on import label_of

MEASURES = "best-P oot-P P@1 optimal-F"
"""What is compared."""


def without_families(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the experiment with one more system for each feature family, without it.

    Raises:
        ConfigError: no system ranks by a learned model.
    """
    system, model = _learned(table)
    families = table["models"][model]["features"]
    labels = [label_of(family) for family in families]
    models, systems = {}, []
    for label in labels:
        rest = [family for family in families if label_of(family) != label]
        if rest:
            models[f"without-{label}"] = {**table["models"][model], "features": rest}
            systems.append(_ranked_by(system, f"without-{label}"))
    return _derived(table, system, model, "families", "Without one feature family", models, systems)


def without_sources(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the experiment with one more system for each candidate source, without it.

    Raises:
        ConfigError: no system ranks by a learned model, or its candidates are no union.
    """
    system, model = _learned(table)
    labels = [label_of(source) for source in _union(system["candidates"])["sources"]]
    models, systems = {}, []
    for label in labels:
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
        ranker = system.get("ranker")
        name, options = (ranker, {}) if isinstance(ranker, str) else (None, ranker or {})
        if (name or options.get("name")) == "learned":
            model = options.get("model", "learned")
            if model in table.get("models", {}):
                return dict(system), model
    raise ConfigError(
        [
            'systems: none ranks by a learned model of this file; add one with ranker = "learned" '
            "and [models.learned]"
        ]
    )


def _ranked_by(system: Mapping[str, Any], model: str) -> dict[str, Any]:
    return {**system, "name": model, "ranker": {"name": "learned", "model": model}}


def _union(candidates: Any) -> dict[str, Any]:
    found = candidates
    while isinstance(found, dict) and "sources" not in found:
        found = found.get("source")
    if not isinstance(found, dict):
        raise ConfigError(["systems: the learned system's candidates are no union of sources"])
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
    kept = {
        other: made
        for other, made in table["models"].items()
        if other == model or made.get("kind") != "learned"
    }
    # The model learns from its own system's candidates, whatever other systems stand above.
    kept[model] = {**kept[model], "system": system["name"]}
    more = {other: {"system": system["name"], **made} for other, made in models.items()}
    figures = {"name": name, "title": title, "measures": MEASURES}
    compared = {
        **figures,
        # Files of a table and of a comparison are called by their names.
        "name": f"{name}-compared",
        "systems": [system["name"], *(one["name"] for one in systems)],
        "pairs": "first",
    }
    return {
        **{key: value for key, value in table.items() if key not in ("tables", "comparisons")},
        "name": f"{table['name']}-{name}",
        "title": title,
        "models": kept | more,
        "systems": [dict(system), *map(dict, systems)],
        "tables": [figures],
        "comparisons": [compared],
    }
