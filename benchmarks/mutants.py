"""How many mutants of the scoring code the tests kill: a sample drawn by seed.

    python benchmarks/mutants.py --sample 500 --seed 1 --notes mutants.jsonl

makes the mutants of ``evaluation/``, ``boundary/`` and ``lexsub/matching/`` with operators of
cosmic-ray (``pip install cosmic-ray``; nothing else of lexsub needs it), runs the tests that cover
each file until one fails, and prints the share killed with its 95 % interval (Clopper-Pearson).
Mutants that change nothing but annotations are not drawn.  The notes hold a line a
mutant: a call with the same notes goes on where they end.  Whoever finds by reading that a mutant
changes nothing that could be seen adds ``"equivalent": "why"`` to its line.

Mutants run one after the other in a copy of the checkout, each in a process forked from one that
has the libraries loaded; tests on data sets (``LEXSUB_DATA``) are run where no other has failed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("evaluation", "boundary", "lexsub/matching")
OFFICIAL = ("test_official_scorer", "test_normalisation", "test_validation", "test_matching")
MEASURES = (
    "test_measure_facts", "test_measures", "test_normalisation", "test_bounds", "test_comparison",
    "test_score_command", "test_semdis_baseline", "test_matching", "test_candidate_pools",
    "test_notebooks", "test_given", "test_limits",
)  # fmt: skip
TESTS = {
    "lexsub/matching": ("test_simple_rankers", *OFFICIAL, *MEASURES),
    "evaluation/official": OFFICIAL,
    "evaluation/agreement": ("test_agreement", "test_posthoc"),
    "evaluation/posthoc": ("test_posthoc", "test_agreement"),
    **{
        f"evaluation/{name}": (f"test_{first}", *MEASURES)
        for first, names in {
            "comparison": ("comparison", "resampling"),
            "score_command": ("rendering", "signature", "registry"),
            "bounds": ("bounds",),
            "measures": ("figures", "parsing", "scores", "scoring", "sheets"),
        }.items()
        for name in names
    },
    "evaluation": MEASURES,
    "boundary": ("test_boundaries", "test_matching"),
}
"""Tests by the place they cover, the quickest to fail first."""

LIBRARIES = ("numpy", "scipy.stats", "sklearn.linear_model", "sklearn.isotonic", "hypothesis",
             "pytest", "click", "rich.console", "pydantic", "ir_measures")  # fmt: skip
QUIET = "ignore::pytest.PytestAssertRewriteWarning"
"""That a plugin was loaded before, which is what makes it quick."""

SWEEP = "tests/test_matching.py"
SECONDS = 120
"""Processor time a mutant's tests may take; one that runs longer counts as killed."""

TRIVIAL = re.compile(r"_(BitAnd|BitOr|BitXor|LShift|RShift|Pow)$|(?<!Is)(?<!IsNot)_(Is|IsNot)$")
"""Not used: what puts a bitwise operator in place of another, at which any test of floats falls
over, and ``is`` in place of a comparison, which mostly says the same."""

Mutant = tuple[str, str, int]
"""File, operator, and its how-manieth place there."""


def operators() -> dict[str, Any]:
    """Return the operators by name."""
    plugins = import_module("cosmic_ray.plugins")
    names = [name for name in sorted(plugins.operator_names()) if not TRIVIAL.search(name)]
    found = {name: plugins.get_operator(name) for name in names}
    return {name: made() for name, made in found.items() if not made.arguments()}


def mutants(known: dict[str, Any]) -> Iterator[Mutant]:
    """Yield every mutant of the places."""
    trees = import_module("cosmic_ray.ast")
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            tree = trees.get_ast_from_path(path)
            for name, operator in known.items():
                positions = (
                    p for n in trees.ast_nodes(tree) for p in operator.mutation_positions(n)
                )
                for number, _ in enumerate(positions):
                    yield str(path.relative_to(ROOT)), name, number


def mutated(mutant: Mutant, known: dict[str, Any]) -> str | None:
    """Return the mutant's text, None where it runs as the original does."""
    path, name, number = mutant
    text = (ROOT / path).read_text()
    changed = import_module("cosmic_ray.mutating").mutate_code(text, known[name], number)
    try:
        return None if changed is None or _bare(changed) == _bare(text) else str(changed)
    except SyntaxError:
        return None


def _bare(text: str) -> str:
    """Return a module's tree without annotations and marks in signatures."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):  # marks in signatures are taken for operators
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.posonlyargs, node.kwonlyargs = [], []
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign) and "ClassVar" not in ast.unparse(node.annotation):
            node.annotation = ast.Constant(value=0)
    return ast.dump(tree)


def survives(copy: Path, mutant: Mutant, text: str, stamp: int) -> bool:
    """Run the tests that cover a mutant; return True if all pass."""
    path, original = copy / mutant[0], (copy / mutant[0]).read_text()
    place = max((place for place in TESTS if mutant[0].startswith(place)), key=len)
    files = [f"tests/{name}.py" for name in dict.fromkeys(("test_values", *TESTS[place]))]
    path.write_text(text)
    # Each text a time of its own, or Python would take the bytecode of another.
    os.utime(path, (stamp, stamp))
    try:
        if not _passes(copy, [*files, "-m", "not data"]):
            return False
        # The sweep over all data sets takes longer than all else together.
        files = [file for file in files if file != SWEEP]
        return not os.environ.get("LEXSUB_DATA") or _passes(copy, [*files, "-m", "data"])
    finally:
        path.write_text(original)


def _passes(copy: Path, arguments: list[str]) -> bool:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, 5)  # 5: no such test
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        os.chdir(copy)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        sys.path.insert(0, str(copy))
        os.environ["PYTHONPATH"] = str(copy)
        status = int(import_module("pytest").main(["-x", "-q", "-n", "0", "-W", QUIET, *arguments]))
    except BaseException:
        status = 1
    os._exit(status)


def report(notes: list[dict[str, Any]], total: int) -> None:
    """Print the share killed, by place and in all, and what survived."""
    binomtest = import_module("scipy.stats").binomtest
    counted = [note for note in notes if "equivalent" not in note]
    places = Counter(note["file"].rsplit("/", 1)[0] for note in counted)
    dead = Counter(note["file"].rsplit("/", 1)[0] for note in counted if note["killed"])
    for place, number in sorted(places.items()):
        print(f"{place:<24} {dead[place]:>4} of {number:>4}")
    killed = sum(dead.values())
    low, high = binomtest(killed, len(counted)).proportion_ci()
    print(
        f"{len(notes)} of {total} mutants drawn, {len(notes) - len(counted)} of them equivalent; "
        f"killed {killed} of {len(counted)}: {100 * killed / len(counted):.1f} % "
        f"[{100 * low:.1f}, {100 * high:.1f}]"
    )


def main() -> None:
    """Draw, run and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--again", action="store_true", help="try once more what survived")
    options = parser.parse_args()
    known = operators()
    everything = list(mutants(known))
    # By digest, so that a change elsewhere does not draw others.
    order = sorted(everything, key=lambda one: sha256(f"{options.seed} {one}".encode()).digest())
    lines = options.notes.read_text().splitlines() if options.notes.is_file() else []
    notes = {(n["file"], n["operator"], n["number"]): n for n in map(json.loads, lines)}
    if options.again:
        notes = {key: n for key, n in notes.items() if n["killed"] or "equivalent" in n}
    for name in LIBRARIES:
        import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
        for name in listed.stdout.splitlines():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
        for place in PLACES if len(notes) < options.sample else ():
            path = f"{place}/__init__.py"
            if not survives(copy, (path, "", 0), (copy / path).read_text(), 10**9):
                sys.exit(f"the tests of {place} fail as things stand")
        drawn: list[dict[str, Any]] = []
        for mutant in order:
            if len(drawn) == options.sample:
                break
            text = mutated(mutant, known)
            if text is None:
                continue
            original = (ROOT / mutant[0]).read_text()
            diff = list(difflib.unified_diff(original.split("\n"), text.split("\n"), n=0))[3:]
            if mutant in notes and notes[mutant]["diff"] == diff:
                drawn.append(notes[mutant])
                continue
            killed = not survives(copy, mutant, text, 10**9 + len(drawn))
            note = dict(zip(("file", "operator", "number"), mutant, strict=True))
            notes[mutant] = note | {"killed": killed, "diff": diff}
            drawn.append(notes[mutant])
            print(f"{len(drawn)} {'killed' if killed else 'ALIVE'} {mutant[0]} {diff}", flush=True)
            options.notes.write_text("".join(f"{json.dumps(n)}\n" for n in notes.values()))
    report(drawn, len(everything))


if __name__ == "__main__":
    main()
