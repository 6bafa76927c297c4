"""Keys of stages: every kind of ingredient moves them, what decides no byte does not."""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import grimp
import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.papers.coconut.sets import trained_models
from lexsub.experiments.pipeline import code
from lexsub.experiments.pipeline.code import ASIDE, code_of
from lexsub.experiments.pipeline.keys import Keys
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.pipeline.store import Store
from lexsub.experiments.report import write_report
from lexsub.frequency import FREQUENCIES
from lexsub.parts.base import BOUNDARIES, BUILDERS, DETECTORS, FEATURES, RANKERS, SOURCES
from lexsub.parts.build import build_part
from lexsub.parts.registry import collected_modules
from lexsub.rankers.learned.learners import LEARNERS
from lexsub.resources import Resources
from lexsub.rooms import ROOMS
from tests.caches import cache as run_cache
from tests.checkouts import WITH_LINKS
from tests.test_runner import experiment

# What decides the labels that a ranker learns from.
NORMALISE = "lexsub.matching.policies"

LEARNED = "lexsub.rankers.learned.training"
LANGUAGE_MODEL = "lexsub.rankers.lm.training"
LM_FEATURES = "lexsub.rankers.learned.features.lm"
THESAURUS = "lexsub.candidates.distributional.build"


Edit = Callable[[str, str], None]


@pytest.fixture
def edit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Edit]:
    """Return what adds lines to a module, as far as keys see it."""

    read = code._read

    def add(module: str, lines: str) -> None:
        edited = code._ours()[code._unit_of(module)][module]
        added = {edited: lines.encode()}
        monkeypatch.setattr(code, "_read", lambda path: read(path) + added.get(path, b""))
        code._unit.cache_clear()

    yield add
    code._unit.cache_clear()


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ([LEARNED], NORMALISE),
        ([LM_FEATURES], "lexsub.rankers.lm.array_model"),
        ([LANGUAGE_MODEL], "lexsub.wordnet.reader"),
        ([LANGUAGE_MODEL], "lexsub.rankers.texts"),
        ([THESAURUS, "lexsub.frequency.lists"], "lexsub.frequency.lists"),
        (["lexsub.rankers.learned.learners.lambdarank"], "lexsub.rankers.learned.learners.forest"),
        (["lexsub.candidates.wordnet"], "lexsub.candidates.wordnet"),
        (["lexsub.candidates.features.votes"], "lexsub.candidates.thesaurus_index"),
    ],
)
def test_changed_code_moves_the_key(edit: Edit, parts: list[str], changed: str) -> None:
    before = code_of(parts)
    edit(changed, "\n_ADDED = 1\n")
    after = code_of(parts)
    moved = {name for name in after["units"] if after["units"][name] != before["units"].get(name)}
    assert moved == {code._unit_of(changed)}


@pytest.mark.parametrize(
    "module",
    ["lexsub.progress", "lexsub.rankers.registers", "lexsub.cli.run", "lexsub.rankers.blend"],
)
def test_code_that_has_no_part_in_it_moves_no_key(edit: Edit, module: str) -> None:
    parts = [LANGUAGE_MODEL, LM_FEATURES, "lexsub.candidates.wordnet", "lexsub.boundary.thresholds"]
    before = code_of(parts)
    edit(module, "\n_ADDED = 1\n")
    assert code_of(parts) == before


def test_an_import_inside_a_function_counts(edit: Edit) -> None:
    line = "\ndef late():\n    from lexsub.rankers.bow import training\n    return training\n"
    edit("lexsub.boundary.thresholds", line)
    assert "lexsub.rankers.bow" in code_of(["lexsub.boundary.thresholds"])["units"]


def test_a_module_that_was_edited_after_it_was_imported_has_no_key(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("VALUE = 1\n")
    with pytest.raises(LexsubError, match=r"module\.py: was changed while lexsub was running"):
        code._read(str(module))
    for other in (code._IMPORTED - 1, time.time_ns() + 10**12):  # or by a clock that was put back
        os.utime(module, ns=(other, other))
        assert code._read(str(module)) == b"VALUE = 1\n"


def test_the_version_of_a_library_moves_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_of([LANGUAGE_MODEL])
    assert before["libraries"]["scipy"].startswith("scipy 1.")
    assert "rich" not in before["libraries"]
    monkeypatch.setattr(code, "_installed", lambda top: f"{top} 99")
    after = code_of([LANGUAGE_MODEL])
    assert after["libraries"]["scipy"] == "scipy 99"
    assert after["units"] == before["units"]


def test_a_library_under_another_name_and_one_that_is_missing() -> None:
    libraries = code_of(["lexsub.boundary.expected_f"])["libraries"]
    assert libraries["sklearn"].startswith("scikit-learn ")
    assert code._installed("no_such_module") == ""


def test_what_asks_a_model_is_in_no_key_of_what_trains_it() -> None:
    """Whoever installs KenLM later keeps what was trained without it."""
    assert "kenlm" not in code_of(["lexsub.rankers.lm.training"])["libraries"]


@WITH_LINKS
def test_every_import_that_another_library_sees_is_seen() -> None:
    graph = imports()
    missed = set()
    # What makes keys or stands above is in none.
    above = ("lexsub.cli", "lexsub.api", "lexsub.experiments.pipeline.graph")
    for name in (one for one in graph.modules if ours(one) and not one.startswith(above)):
        unit = code._unit_of(name)
        imported = filter(ours, graph.find_modules_directly_imported_by(name))
        seen = {unit, *map(code._unit_of, filter(ours, code._unit(unit).imports))}
        missed |= {(name, other) for other in imported if code._unit_of(other) not in seen}
    assert not missed


def ours(module: str) -> bool:
    return module.startswith("lexsub.") and not code._is_aside(module)


@cache
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("lexsub", exclude_type_checking_imports=True, cache_dir=None)


@WITH_LINKS
def test_what_is_left_aside_decides_nothing() -> None:
    graph = imports()
    registered = {
        "lexsub." + place.partition(":")[0]
        for registry in (SOURCES, DETECTORS, RANKERS, BUILDERS,
                         BOUNDARIES, FEATURES, FREQUENCIES, LEARNERS)
        for place in registry.catalogue.values()
    }  # fmt: skip
    for name, why in ASIDE.items():
        assert why
        import_module(name)
        assert name not in registered
        behind = {name, *graph.find_upstream_modules(name)} - {"lexsub"}
        assert not behind & registered
        rooms = {one.split(".")[1] for one in behind} & set(ROOMS)
        assert rooms <= {name.split(".")[1]}
        # Somebody imports it; else there is no need to name it.
        assert graph.find_modules_that_directly_import(name)


def test_no_module_is_imported_by_a_name_that_is_made_up() -> None:
    # A registry looks names up, and what it finds counts; nothing else may hide an import.
    hidden = set()
    for files in code._ours().values():
        for module, path in files.items():
            for node in ast.walk(ast.parse(Path(path).read_bytes())):
                if (
                    isinstance(node, ast.Call)
                    and ast.unparse(node.func) == "import_module"
                    and not isinstance(node.args[0], ast.Constant)
                ):
                    hidden.add(module)
    # Commands and API stand above all stages.
    hidden = {name for name in hidden if not name.startswith(("lexsub.cli", "lexsub.api"))}
    assert hidden == {
        "lexsub.experiments.papers.coconut.scorers",  # a scorer that the user names; not kept
        "lexsub.parts.plugins",
        "lexsub.parts.registry",
    }


def test_options_and_inputs_move_the_key(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("a\n")
    resources = Resources(cache=tmp_path)
    builder = build_part(BUILDERS, {"name": "lm", "corpus": [str(words)]}, "")
    first = Keys(Store(tmp_path)).model(builder, resources).ingredients
    other = replace(builder, order=2)
    options = Keys(Store(tmp_path)).model(other, resources).ingredients
    assert {name for name in first if first[name] != options[name]} == {"part"}
    words.write_text("b\n")
    second = Keys(Store(tmp_path)).model(builder, resources).ingredients
    assert {name for name in first if first[name] != second[name]} == {"inputs"}


def test_parts_that_a_part_names_count(tmp_path: Path) -> None:
    resources = Resources(cache=tmp_path)
    table = {
        "name": "union",
        "sources": ["wordnet", {"name": "gold-pool", "gold": "tutorial/test"}],
    }
    union = build_part(SOURCES, table, "")
    modules = Keys(Store(tmp_path)).part(union, resources).modules
    assert {
        "lexsub.candidates.combined",
        "lexsub.candidates.wordnet",
        "lexsub.candidates.given",
    } <= modules
    assert "lexsub.data.semeval2007" in modules
    assert any(module.startswith("lexsub.frequency.") for module in modules)
    assert "lexsub.candidates.distributional.thesaurus" not in modules


def test_data_counts_as_it_was_read(tmp_path: Path) -> None:
    data = load("tutorial/test", ())
    item = data.items[0]
    other = replace(data, items=(replace(item, text=item.text + "."), *data.items[1:]))
    ungold = replace(data, gold=replace(data.gold, items={}))
    rule = data.under("lemma")
    again = load("tutorial/test", ())

    def digests(made: Dataset) -> tuple[str, str]:
        keys = Keys(Store(tmp_path))
        return keys.items(made), keys.data(made)

    items, whole = digests(data)
    assert digests(again) == (items, whole)
    assert digests(other)[0] != items
    assert digests(ungold)[0] == digests(rule)[0] == items
    assert len({whole, digests(other)[1], digests(ungold)[1], digests(rule)[1]}) == 4


def test_whatever_a_stage_looks_up_is_in_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Store.stage
    stages = []

    def watched(store: Store, name: str, recipe: Any, make: Any, *rest: Any) -> Any:
        def making(draft: Path) -> Any:
            with collected_modules() as modules:
                told = make(draft)
            if name != "report":
                stages.append(name)
                units = {code._unit_of(one) for one in modules if not code._is_aside(one)}
                assert units <= recipe["code"]["units"].keys(), name
            return told

        return made(store, name, recipe, making, *rest)

    monkeypatch.setattr(Store, "stage", watched)
    run_experiment(
        experiment(tuning="tutorial/trial", measures=["P@1", "GAP"]),
        tmp_path / "run", Resources(cache=run_cache(tmp_path)), page=write_report,
    )  # fmt: skip
    assert {"candidates", "rankings", "answers", "scores", "details"} <= set(stages)


def test_modules_beside_a_plugin_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside_it.py").write_text("VALUE = 1\n")
    package = tmp_path / "its_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "parts.py").write_text("from . import inner\nimport beside_it\nimport numpy\n")
    (package / "inner.py").write_text("from .deep import VALUE\n")
    (package / "deep.py").write_text("VALUE = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import_module("its_package.parts")
    found = code_of(["its_package.parts"])
    assert set(found["units"]) == {"its_package", "beside_it"}
    assert set(found["libraries"]) == {"numpy"}
    for changed in (package / "deep.py", tmp_path / "beside_it.py"):
        before = code_of(["its_package.parts"])
        changed.write_text("VALUE = 2\n")
        assert code_of(["its_package.parts"]) != before
    with pytest.raises(LexsubError, match="its file is not to be found"):
        code_of(["nowhere_at_all"])


def test_a_model_has_one_recipe_whoever_trains_it(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("a small dog\na small cat\n" * 5)
    resources = Resources(cache=tmp_path / "cache")
    ((name, _),) = trained_models([str(text)], (2,), ("additive",), resources)
    assert name == "2-gram additive"
    options = {"corpus": [str(text)], "order": 2, "smoothing": "additive", "engine": "embedded"}
    table = {
        "name": "x", "data": "tutorial/test", "models": {"m": {"kind": "lm", **options}},
        "systems": [{"name": "x", "candidates": "wordnet", "ranker": {"name": "lm", "model": "m"}}],
    }  # fmt: skip
    builder = make_experiment(table, tmp_path).models["m"]
    store = Store(resources.cache)
    assert store.has("model", Keys(store).model(builder, resources).ingredients)


def test_an_input_that_changes_between_two_systems_stops_the_run(tmp_path: Path) -> None:
    # The first is made from the old words already; a manifest has one digest for them.
    words = tmp_path / "words.tsv"
    words.write_text("bright.a\tclever\n")
    keys, resources = Keys(Store(tmp_path / "cache")), Resources()

    def ask(**more: object) -> None:
        options = {"name": "thesaurus-file", "file": str(words), "format": "tsv", **more}
        keys.part(build_part(SOURCES, options, "test"), resources)

    ask()
    ask(multiwords=False)
    first = dict(keys.inputs)
    words.write_text("bright.a\tvivid\n")
    with pytest.raises(LexsubError, match=r"words\.tsv: was changed while the run went on"):
        ask(relations=["synonym"])
    assert keys.inputs == first
