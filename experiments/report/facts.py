"""What was run: data, versions and digests, without a path of the machine it ran on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import PurePath
from typing import Any

from lexsub.boundary import BOUNDARIES
from lexsub.candidates import SOURCES
from lexsub.experiments.report.material import Run, RunSystem
from lexsub.parts.build import describe_part
from lexsub.parts.registry import Registry
from lexsub.rankers import RANKERS


@dataclass(frozen=True, slots=True)
class Facts:
    """One run in words.

    Attributes:
        title: the experiment's.
        name: the experiment's name.
        versions: what ran it: (what, version).
        resources: what was found under a resource's name: (name, what is known of it).
        inputs: (file name, sha256) of every file read.
        stages: (stage, whose, key) in order.
        config: the resolved config as TOML.
    """

    title: str
    name: str
    versions: tuple[tuple[str, str], ...]
    resources: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, str, str], ...]
    config: str


def facts(run: Run) -> Facts:
    """Return what the manifest and the config of a run say."""
    given: Mapping[str, Any] = run.manifest
    versions = [("lexsub", str(given.get("lexsub", "")))]
    if given.get("git_revision"):
        versions.append(("git revision", str(given["git_revision"])))
    versions += [("Python", str(given.get("python", ""))), ("platform", str(given.get("platform")))]
    versions += [(name, str(found)) for name, found in dict(given.get("libraries", {})).items()]
    return Facts(
        run.title,
        run.experiment.table.name,
        tuple(versions),
        tuple((name, _known(about)) for name, about in dict(given.get("resources", {})).items()),
        tuple((_name(path), str(digest)) for path, digest in dict(given.get("inputs", {})).items()),
        tuple(
            (str(stage.get("stage")), str(stage.get("of")), str(stage.get("key")))
            for stage in given.get("stages", ())
        ),
        run.config(),
    )


def _known(about: object) -> str:
    if not isinstance(about, Mapping):
        return str(about)
    places = ("path", "index")
    return ", ".join(f"{key} {value}" for key, value in about.items() if key not in places)


def _name(path: str) -> str:
    """Return the last two parts of a path: which file it was, not where it lay."""
    return "/".join(PurePath(path).parts[-2:]).lstrip("/")


def parts_in_words(system: RunSystem) -> dict[str, str]:
    """Return the parts of a system as one line each: name and the options that are not usual."""
    part = system.part
    given = {kind: PurePath(file).name for kind, file in part.answers.items()}
    ranked = given.get("ranking", "–")
    return {
        "candidates": ranked if given else _line(SOURCES, part.candidates),
        "ranker": ranked if given else _line(RANKERS, part.ranker),
        "best": given.get("best", "–"),
        "oot": given.get("oot", "–"),
        **{task: _line(BOUNDARIES, one) for task, one in part.boundaries.items()},
    }


def _line(registry: Registry[Any], part: Any) -> str:
    table = describe_part(registry, part)
    usual = {
        field.name: field.default if field.default is not MISSING
        else field.default_factory() if field.default_factory is not MISSING else MISSING
        for field in fields(part)
    }  # fmt: skip
    options = ", ".join(
        f"{key} {_value(value)}"
        for key, value in table.items()
        if key != "name" and getattr(part, key) != usual[key]
    )
    return f"{table['name']} ({options})" if options else str(table["name"])


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        if "name" not in value:
            return " ".join(f"{key} {_value(one)}" for key, one in value.items())
        # Of a union its sources are shown: its own name says little.
        inner = "".join(f" of {_value(value[key])}" for key in ("sources",) if key in value)
        return str(value.get("label", value["name"])) + inner
    if isinstance(value, list):
        return " ".join(map(_value, value))
    return str(value)
