"""What each stage depends on: options, inputs, code, libraries and the stages before it.

From these its key is made (:mod:`lexsub.experiments.pipeline.store`), so that a stage is made anew
whenever one of them changes, and only then.  No part says what its code is: that is worked out
(:mod:`lexsub.experiments.pipeline.code`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.evaluation.measure import parse_measures
from lexsub.experiments.pipeline.code import code_of, modules_below
from lexsub.experiments.pipeline.makers import answers as answering
from lexsub.experiments.pipeline.makers import rankings as ranking
from lexsub.experiments.pipeline.store import Stage, Store
from lexsub.experiments.results.config_tables import TESTED, write_tests
from lexsub.experiments.results.scoring import measures_of
from lexsub.languages import language_of
from lexsub.parts.base import Boundary, ModelBuilder, Part
from lexsub.parts.build import describe_part, parts_in
from lexsub.parts.registry import collected_modules
from lexsub.rankings import Task
from lexsub.resources import Resources
from lexsub.storage.files import sha256


@dataclass(frozen=True, slots=True)
class Key:
    """What one stage depends on.

    Attributes:
        ingredients: everything, as plain JSON values.
        inputs: the files that are read while it is made, with their digests, which stand among
            the ingredients.
    """

    ingredients: Mapping[str, Any]
    inputs: Mapping[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartKey:
    """What a part adds to the key of a stage.

    Attributes:
        modules: its own module and those of all parts that it names.
        inputs: digests of the files that it reads, by path.
    """

    modules: frozenset[str]
    inputs: Mapping[Path, str]


@dataclass
class Keys:
    """Makes the keys of a run; what several stages share is worked out once.

    Attributes:
        store: takes the digests of inputs.
        inputs: digests of all files that were asked for, by path, for the manifest.
    """

    store: Store
    inputs: dict[str, str] = field(default_factory=dict)
    _parts: dict[tuple[object, ...], PartKey] = field(default_factory=dict)
    _code: dict[frozenset[str], dict[str, Any]] = field(default_factory=dict)
    _data: dict[tuple[str, tuple[str, ...], bool], str] = field(default_factory=dict)

    def of_part(
        self, part: Part, resources: Resources, makers: Iterable[str], **given: object
    ) -> Key:
        """Return the key of what a part makes.

        Args:
            part: a source, a family of features, a ranker or a detector.
            resources: where its inputs are.
            makers: modules that make the stage.
            given: digests and keys of what it works on.
        """
        key = self.part(part, resources)
        with collected_modules() as spoken:
            language_of(resources.language)
        ingredients = {
            "part": describe_part(part),
            "inputs": list(key.inputs.values()),
            **given,
            **self.code({*key.modules, *spoken, *makers}),
        }
        return Key(ingredients, key.inputs)

    def answers(self, boundary: Boundary, task: Task, seed: int, **given: object) -> Key:
        """Return the key of what a boundary leaves of rankings.

        Args:
            boundary: the boundary.
            task: the task.
            seed: seed of everything random.
            given: keys of the rankings, and digests of what else the boundary looks at.
        """
        part = describe_part(boundary)
        made_by = {*_modules(boundary), answering.__name__, ranking.__name__}
        return Key({"part": part, "task": task, "seed": seed, **given, **self.code(made_by)})

    def given(self, task: Task, path: Path) -> Key:
        """Return the key of answers that another program's file holds.

        Raises:
            LexsubError: it cannot be read, or has changed since the run read it.
        """
        digest = self.store.digest(path)
        self.note({path: digest})
        code = self.code({answering.__name__})
        return Key({"task": task, "given": digest, **code}, {path: digest})

    def model(self, builder: ModelBuilder, resources: Resources, **given: object) -> Key:
        """Return the key of a model.

        Args:
            builder: trains it.
            resources: where its inputs are.
            given: what it learns from beside its inputs.
        """
        part = self.part(builder, resources)
        ingredients = {"part": repr(builder), "inputs": list(part.inputs.values()), **given}
        return Key({**ingredients, **self.code(part.modules)}, part.inputs)

    def scores(
        self, data: Dataset, answers: Mapping[Task, Stage], ranked: Stage,
        measures: Sequence[str], seed: int,
    ) -> Key:  # fmt: skip
        """Return the key of a system's figures."""
        with collected_modules() as modules:
            measures_of(answers, measures)
        return Key({
            "data": self.data(data),
            "answers": {task: stage.key for task, stage in answers.items()},
            "rankings": ranked.key if measures else None,
            "measures": measures,
            "seed": seed,
            **self.code({*modules, measures_of.__module__}),
        })  # fmt: skip

    def tests(self, data: Dataset, answers: Mapping[str, Mapping[Task, Stage]]) -> Key:
        """Return the key of the tests of all pairs of systems, given their answers by task."""
        with collected_modules() as modules:
            parse_measures(TESTED)
        keys = {name: {task: stage.key for task, stage in given.items()}
                for name, given in answers.items()}  # fmt: skip
        code = self.code({*modules, write_tests.__module__})
        return Key({"data": self.data(data), "answers": keys, **code})

    def page(self, module: str, looks: str, given: Mapping[str, Any]) -> Key:
        """Return the key of the report of a run.

        Args:
            module: makes it.
            looks: digest of its templates.
            given: what the run's files depend on.
        """
        # The page looks boundaries and measures up by name, so all of them count.
        made_by = {module, *modules_below("lexsub.evaluation"), *modules_below("lexsub.boundary")}
        return Key({**given, "looks": looks, **self.code(made_by)})

    def note(self, inputs: Mapping[Path, str]) -> None:
        """Note files that were read, for the manifest.

        Raises:
            LexsubError: one had other content when this run read it first; the manifest can name
                one digest only, and systems made from different contents do not compare.
        """
        for path, digest in inputs.items():
            if self.inputs.setdefault(str(path), digest) != digest:
                raise LexsubError(
                    f"{path}: was changed while the run went on: some of it is made from what the "
                    "file held before; run again"
                )

    def part(self, part: Part, resources: Resources) -> PartKey:
        """Return what a part adds to the key of a stage.

        Raises:
            LexsubError: an input is missing, cannot be read, or has changed since the run read it.
        """
        known = (type(part), repr(part), *sorted(resources.models.items()))
        if known not in self._parts:
            with collected_modules() as modules:
                # Frequency lists and the like are looked up when a part says what it reads.
                paths = part.inputs(resources)
            inputs = {path: self.store.digest(path) for path in paths}
            self.note(inputs)
            self._parts[known] = PartKey(frozenset(modules | _modules(part)), inputs)
        return self._parts[known]

    def items(self, data: Dataset) -> str:
        """Return a digest of the sentences of a split, as they were read.

        By content, so that neither another reading of the file nor another gold is missed, or
        makes anything anew that it does not change.
        """
        return self._digest(data, with_gold=False)

    def data(self, data: Dataset) -> str:
        """Return a digest of the sentences and the gold of a split, as they were read."""
        return self._digest(data, with_gold=True)

    def code(self, modules: Iterable[str]) -> dict[str, Any]:
        """Return what code and libraries decide the output of modules, as an ingredient."""
        asked = frozenset(modules)
        if asked not in self._code:
            self._code[asked] = code_of(asked)
        return {"code": self._code[asked]}

    def libraries(self) -> dict[str, str]:
        """Return the versions of all libraries in the keys so far, by name."""
        texts = {text for one in self._code.values() for text in one["libraries"].values()}
        installed = ", ".join(sorted(texts - {"not installed"}))
        named = (text.rpartition(" ") for text in installed.split(", ") if text)
        return {name: version for name, _, version in named}

    def _digest(self, data: Dataset, *, with_gold: bool) -> str:
        # Of a split some items may be learned from, and all be ranked.
        known = (data.name, tuple(item.id for item in data.items), with_gold)
        if known not in self._data:
            left_out = {"files"} if with_gold else {"files", "gold"}
            shown = [getattr(data, one.name) for one in fields(data) if one.name not in left_out]
            text = json.dumps(shown, default=_plain, ensure_ascii=False)
            self._data[known] = sha256(text.encode("utf-8", "surrogatepass"))
        return self._data[known]


def _modules(part: Part) -> set[str]:
    return {type(one).__module__ for one in parts_in(part)}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return [getattr(value, one.name) for one in fields(value)]
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, frozenset | set):
        return sorted(value)
    return str(value)
