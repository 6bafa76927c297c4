"""Count what the house is made of: files, code, mechanisms, circles of imports.

    python benchmarks/house.py [FOLDER ...]

A column a checkout (by default this one), so that two states of the code stand side by side. Lines
of code are those that hold a token of Python, docstrings and comments aside; laid out alike, as
ruff lays them out where no line is kept from it.  Every import counts, also inside functions and
for type checkers alone; a package stands for its ``__init__``.  What is walked through is measured
by ``walks.py``: the calls of a checkout's own functions, and the processor time of one of several
processes, the quickest.  A cell is "-" where a checkout cannot do it.
"""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOMS = ("lexsub", "candidates", "rankers", "boundary", "evaluation", "experiments")
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
NO_CODE |= {tokenize.ENCODING, tokenize.ENDMARKER}

WALKS = {"key": "first key", "model": "model opened again", "sentence": "sentence asked again"}
TIMES = 5


def sources(folder: Path) -> dict[str, Path]:
    """Return the product's modules by their names in Python, as git knows them."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *ROOMS], cwd=folder, capture_output=True, text=True, check=True
    )
    found = {}
    for line in listed.stdout.splitlines():
        path = folder / line
        if path.suffix == ".py" and path.is_file():
            parts = [part for part in Path(line).with_suffix("").parts if part != "__init__"]
            name = ".".join(parts if parts[0] == "lexsub" else ["lexsub", *parts])
            found[name] = path
    return found


def docstring_lines(tree: ast.AST) -> set[int]:
    """Return the lines of all strings that stand as statements."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def code_lines(text: str, tree: ast.AST) -> int:
    """Return the number of lines that hold code."""
    held = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(held - docstring_lines(tree))


def laid_out(texts: Sequence[str]) -> list[str]:
    """Return modules as the formatter lays them out, whatever they ask it to skip."""
    style = ["--line-length=100", "--config=format.skip-magic-trailing-comma=true"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.py") for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text.replace("# fmt: skip", ""), "utf-8")
        subprocess.run(["ruff", "format", "-q", "--isolated", *style, folder], check=True)
        return [path.read_text("utf-8") for path in paths]


def imported(name: str, package: bool, tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules of ours that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = name.split(".")[: len(name.split(".")) - node.level + package]
                base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                if full in known or base in known:
                    yield full if full in known else base


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import one another (Tarjan 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for other in graph[name]:
            if other not in order:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], order[other])
        if lowest[name] == order[name]:
            at = stack.index(name)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                groups.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for name in sorted(graph):
        if name not in order:
            visit(name)
    return groups


def count(folder: Path) -> tuple[dict[str, int], list[list[str]]]:
    """Return the figures of a checkout, and its circles."""
    known = sources(folder)
    figures: Counter[str] = Counter()
    graph: dict[str, set[str]] = {}
    importers: dict[str, set[str]] = defaultdict(set)
    classes: Counter[str] = Counter()
    for name, path in known.items():
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        figures["files"] += 1
        figures["lines"] += text.count("\n")
        figures["lines of code"] += code_lines(text, tree)
        figures["longest file"] = max(figures["longest file"], text.count("\n"))
        figures["'# fmt: skip'"] += text.count("# fmt: skip")
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes[node.name] += 1
                bases = {ast.unparse(base).split("[")[0] for base in node.bases}
                figures["protocols"] += "Protocol" in bases
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                figures["functions"] += 1
        graph[name] = set(imported(name, path.stem == "__init__", tree, known)) - {name}
        for other in graph[name]:
            importers[other].add(name)
    for text in laid_out([path.read_text("utf-8") for path in known.values()]):
        figures["lines of code, laid out alike"] += code_lines(text, ast.parse(text))
    parents = {name: name.rpartition(".")[0] for name in known}
    figures["modules at the root of lexsub"] = sum(
        path.parent.name == "lexsub" and not path.stem.startswith("__") for path in known.values()
    )
    figures["imported by one sibling alone"] = sum(
        len(of) == 1 and parents[name] == parents[min(of)] and known[name].stem != "__init__"
        for name, of in importers.items()
    )
    figures["class names used twice"] = sum(times > 1 for times in classes.values())
    # The package names its API for type checkers; at run time it looks names up when asked.
    graph["lexsub"].discard("lexsub.api")
    found = circles(graph)
    figures["circles of imports"] = len(found)
    figures["files in circles"] = sum(map(len, found))
    return dict(figures), found


def walked(folder: Path) -> dict[str, float]:
    """Return what is counted and timed of a checkout at work."""
    figures: dict[str, float] = {}
    for subject, title in WALKS.items():
        figures |= {f"{title}: {name}": n for name, n in walk(folder, subject, "counted").items()}
        times = [walk(folder, subject, "timed") for _ in range(TIMES)]
        if all(times):
            figures[f"{title}: ms"] = round(min(one["ms"] for one in times), 1)
    return figures


def walk(folder: Path, subject: str, way: str) -> dict[str, float]:
    """Return the figures of one process, none where it fails."""
    call = [sys.executable, str(Path(__file__).with_name("walks.py")), str(folder), subject, way]
    # Python compiles once what is imported late.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=env)
    found: dict[str, float] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def main() -> None:
    """Print the table, and the circles of the last checkout."""
    folders = [Path(given) for given in sys.argv[1:]] or [Path(__file__).parents[1]]
    columns, found = list[dict[str, float]](), list[list[str]]()
    for folder in folders:
        figures, found = count(folder)
        columns.append({**figures, **walked(folder)})
    for row in columns[-1]:
        cells = (f"{column[row]:,}" if row in column else "-" for column in columns)
        print(f"{row:38}" + "".join(f"{cell:>12}" for cell in cells))
    for group in found:
        print("circle:", " ".join(group))


if __name__ == "__main__":
    main()
