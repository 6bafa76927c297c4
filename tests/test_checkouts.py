"""Checkouts: the rooms beside the package, with symbolic links and without."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.plugin.interface import BuilderInterface
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from lexsub.rooms import ROOMS, folder_of
from tests.checkouts import OTHERS, copy_as_installed, copy_without_links
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def unlinked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("unlinked") / "checkout"
    copy_without_links(place)
    return place


def python(code: str, place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code from a folder, whose packages are found before those installed."""
    start = f"import sys; sys.path.insert(0, {str(place)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", start + code, *arguments], cwd=place, capture_output=True, text=True
    )


def files_of(builder: BuilderInterface) -> dict[str, str]:  # type: ignore[type-arg]
    """Return what a build holds, to the files that it is taken from."""
    return {file.distribution_path: file.path for file in builder.recurse_included_files()}


def test_a_checkout_without_links_imports(unlinked: Path) -> None:
    code = (
        "from importlib import import_module\n"
        "from lexsub.experiments.pipeline.code import modules_below\n"
        "import lexsub.rankers.lm\n"
        "for name in modules_below('lexsub.boundary'): import_module(name)\n"
        "print(lexsub.rankers.lm.__file__, modules_below('lexsub.boundary'), sep='\\n')\n"
        "from lexsub.cli import main; main(['suggest', 'A *bright* boy.', '--model', 'english'])\n"
    )
    here, there = python(code, ROOT), python(code, unlinked)
    assert there.returncode == 0, there.stderr
    assert there.stdout.splitlines()[0] == str(unlinked / "rankers" / "lm" / "__init__.py")
    assert here.stdout.replace(str(ROOT), str(unlinked)) == there.stdout
    assert "clever" in there.stdout


def test_what_lies_beside_a_checkout_is_not_in_the_package(unlinked: Path) -> None:
    for name in ("tests", "docs", "benchmarks", "lexsub"):
        (unlinked / name).mkdir(exist_ok=True)
        code = f"import lexsub.{name}"
        assert f"No module named 'lexsub.{name}'" in python(code, unlinked).stderr
    assert python("import lexsub.rankers.nothing", unlinked).stderr.endswith(
        "ModuleNotFoundError: No module named 'lexsub.rankers.nothing'\n"
    )


def test_installed_rooms_come_before_a_stranger_s_folders(tmp_path: Path) -> None:
    copy_as_installed(tmp_path, "english")
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("raise SystemExit('the user's own')")
    code = "import lexsub.rankers as one, sys; print(one.__file__, len(sys.meta_path))"
    plain = python("import sys; print(len(sys.meta_path))", tmp_path).stdout
    done = python(code, tmp_path)
    assert done.stdout == f"{tmp_path}/lexsub/rankers/__init__.py {plain}", done.stderr


def test_a_room_by_its_folder_s_name_is_refused(tmp_path: Path) -> None:
    code = (
        "for room in sys.argv[1:]:\n"
        "    for name in (room, f'lexsub.{room}, {room}'):\n"
        "        try: exec(f'import {name}')\n"
        "        except ImportError as error: print(error)\n"
    )
    assert python(code, ROOT, *ROOMS).stdout.splitlines() == [
        f"import lexsub.{room}, not {room}: under two names its parts would be there twice"
        for room in ROOMS
        for _ in range(2)
    ]
    (tmp_path / "mine.py").write_text(f"import sys; sys.path[:0] = [{str(ROOT)!r}]; import rankers")
    call = [sys.executable, "-m", "lexsub", "parts", "--plugin", "mine.py"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "cannot be imported: ImportError: import lexsub.rankers, not" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_checkout_without_links_builds_the_same(unlinked: Path, tmp_path: Path) -> None:
    copy_as_installed(tmp_path)
    expected = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert {f"lexsub/{path.relative_to(ROOT).as_posix()}" for path in modules} <= expected
    assert files_of(WheelBuilder(str(ROOT))).keys() == expected
    assert files_of(WheelBuilder(str(unlinked))).keys() == expected
    packed = files_of(SdistBuilder(str(unlinked)))
    whole = files_of(SdistBuilder(str(ROOT)))
    assert packed.keys() - whole.keys() == set()
    assert all(name in OTHERS or name.startswith(("tests/", "benchmarks/", "docs/", ".ci/"))
               or name.endswith(".md") for name in whole.keys() - packed.keys())  # fmt: skip
    packed["pyproject.toml"] = str(unlinked / "pyproject.toml")  # added by hatchling itself
    for name, path in packed.items():
        (tmp_path / "sdist" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / "sdist" / name)
    assert files_of(WheelBuilder(str(tmp_path / "sdist"))).keys() == expected


def test_the_build_knows_all_rooms() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    rooms = sorted(ROOMS)
    assert sorted(build["exclude"]) == [f"/lexsub/{room}" for room in rooms]
    wheel = build["targets"]["wheel"]
    assert wheel["sources"] == {room: f"lexsub/{room}" for room in rooms}
    assert sorted(wheel["only-include"]) == sorted(["lexsub", *rooms])
    assert {*rooms} <= {*build["targets"]["sdist"]["only-include"]}
    for room in rooms:
        left = ROOT / "lexsub" / room
        assert (str(left.readlink()) if left.is_symlink() else left.read_text()) == f"../{room}"
        assert folder_of(room) == ROOT / room
