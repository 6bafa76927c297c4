"""Builds KenLM's lmplz and build_binary from source, by pip alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from lexsub.errors import LexsubError
from lexsub.files import writing
from lexsub.rankers.lm.lmplz import TOOLS, Tools, find_tools, last_line, run_program, tools_folder

SDIST = "kenlm==0.3.0"
# Boost's program options left cmeel-boost with 1.89.
BOOST = "cmeel-boost<1.89"
LIBRARIES = ("program_options", "system", "thread", "atomic", "chrono")
"""Of Boost, what the programs load when they start."""

BESIDE = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
"""Where the programs look for these: beside themselves, since the wheel is thrown away."""


def build_tools(cache: Path | None = None, report: Callable[[str], None] = print) -> Tools:
    """Compile lmplz and build_binary from KenLM's source distribution.

    pip fetches the sources, Boost as a wheel, and cmake where none is on PATH; a C++ compiler
    and make must be there.  Nothing is installed into the running environment, and the
    programs appear together or not at all.

    Raises:
        LexsubError: a step fails; the text ends with what it printed last.
    """
    target = tools_folder(cache)
    for tool in ("make", "c++"):
        if shutil.which(tool) is None:
            raise LexsubError(
                f"building lmplz needs {tool}, which is not on PATH; use the embedded engine "
                "(lexsub lm train --engine embedded) or install a C++ compiler and make"
            )
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".kenlm-", dir=target.parent) as name:
            work = Path(name)
            _compile(work, report)
            shutil.rmtree(target, ignore_errors=True)
            (work / "bin").replace(target)
    return find_tools(target)


def _compile(work: Path, report: Callable[[str], None]) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    report("fetching the sources of KenLM")
    run_program([*pip, "download", "--no-deps", "--no-binary", "kenlm", SDIST, "--dest", str(work)])
    archive = next(work.glob("kenlm-*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(work / "source", filter="data")
    source = next((work / "source").iterdir())
    report("fetching Boost")
    wheels = [BOOST] if shutil.which("cmake") else [BOOST, "cmake"]
    run_program([*pip, "install", "--target", str(work / "wheels"), *wheels])
    prefix = work / "wheels" / "cmeel.prefix"
    cmake = shutil.which("cmake") or str(work / "wheels" / "bin" / "cmake")
    environment = {**os.environ, "PYTHONPATH": str(work / "wheels")}
    report("compiling lmplz")
    build = work / "build"
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_POLICY_VERSION_MINIMUM": "3.5",
        "CMAKE_PREFIX_PATH": prefix,
        "BOOST_ROOT": prefix,
        "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
        "CMAKE_INSTALL_RPATH": BESIDE,
    }
    given = [f"-D{name}={value}" for name, value in settings.items()]
    run_program([cmake, "-S", str(source), "-B", str(build), *given], environment)
    jobs = str(min(os.cpu_count() or 1, 4))
    run_program([cmake, "--build", str(build), "--parallel", jobs, "--target", *TOOLS], environment)
    (work / "bin").mkdir()
    for tool in TOOLS:
        shutil.copy2(build / "bin" / tool, work / "bin" / tool)
    for library in _libraries(prefix / "lib"):
        shutil.copy2(library, work / "bin" / library.name)
    for tool in TOOLS:
        _check_starts(work / "bin" / tool)


def _libraries(folder: Path) -> list[Path]:
    """Return Boost's libraries, links to them left out: the programs name the files."""
    found = (*folder.glob("libboost_*.so.*"), *folder.glob("libboost_*.dylib"))
    return sorted(path for path in found if path.name.split(".")[0].split("_", 1)[1] in LIBRARIES)


def _check_starts(tool: Path) -> None:
    # lmplz ends with 1 where it is asked for help, and the loader with 127 or a signal
    # where a library is missing.
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise LexsubError(f"{tool.name} was built but does not start: {last_line(done.stderr)}")
