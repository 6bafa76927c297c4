"""The house rules that a program can check."""

from __future__ import annotations

import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.checkouts import WITH_LINKS
from tests.conftest import ROOT


def run(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@WITH_LINKS
def test_imports_only_point_down() -> None:
    result = run("-c", "from importlinter.cli import lint_imports_command as lint; lint()")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@WITH_LINKS
def test_no_imports_go_in_a_circle() -> None:
    """Inside rooms, too, and neither by an import in a function nor by one for type checkers."""
    graph = grimp.build_graph("lexsub", cache_dir=None)
    # The package names its API for type checkers alone; at run time it is looked up by name.
    graph.remove_import(importer="lexsub", imported="lexsub.api")
    imports = {
        module: graph.find_modules_directly_imported_by(module) - {module}
        for module in graph.modules
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"these import each other: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize(
    "tool",
    [
        pytest.param(["mypy"], marks=WITH_LINKS),
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
    ],
    ids=" ".join,
)
def test_code_is_clean(tool: list[str]) -> None:
    result = run("-m", *tool)
    assert result.returncode == 0, result.stdout + result.stderr


def test_import_is_lazy() -> None:
    code = "import sys, lexsub; print('numpy' in sys.modules, 'lexsub.api' in sys.modules)"
    assert run("-c", code).stdout.split() == ["False", "False"]


def test_public_names_resolve() -> None:
    import lexsub

    for name in dir(lexsub):
        assert getattr(lexsub, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = lexsub.nonsense


def test_packages_of_the_user_take_no_place_of_ours(tmp_path: Path) -> None:
    for name in ("candidates", "rankers", "boundary", "evaluation", "experiments"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the user's own')")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    run_all = "import lexsub; [getattr(lexsub, name) for name in dir(lexsub)]"
    for arguments in (["-m", "lexsub", "parts"], ["-c", run_all]):
        result = run(*arguments, cwd=tmp_path, PYTHONPATH=path)
        assert result.returncode == 0, result.stderr


def test_unknown_command_names_the_nearest() -> None:
    result = run("-m", "lexsub", "rnu")
    assert result.returncode == 2
    assert "did you mean run?" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_no_path_of_a_machine_is_committed() -> None:
    listed = subprocess.run(
        ["git", "grep", "-nIE", r"/(work|root|home/[a-z]+)/", "--", ":!tests/test_house.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed.stdout == ""
