"""The external estimator: KenLM's lmplz and build_binary, found or built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FileProblemError, LexsubError, os_problem
from lexsub.resources import user_cache

SDIST = "kenlm==0.3.0"
# Boost's static program options left cmeel-boost with 1.89.
BOOST = "cmeel-boost<1.89"
TOOLS = ("lmplz", "build_binary")


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the programs are; None for one that is not there."""

    lmplz: Path | None
    build_binary: Path | None


def find_tools(given: Path | None = None, cache: Path | None = None) -> Tools:
    """Look for the programs: the folder or lmplz given, then PATH, then our own build.

    Raises:
        FileProblemError: a place was given and lmplz is not there.
    """
    built = tools_folder(cache)
    if given is not None:
        folder = given if given.is_dir() else given.parent
        if not _runs(folder / "lmplz"):
            raise FileProblemError(folder / "lmplz", "no such program; expected KenLM's lmplz")
        places = [folder]
    else:
        found = shutil.which("lmplz")
        places = [Path(found).parent] if found else []
        places.append(built)
    paths = [
        next((place / tool for place in places if _runs(place / tool)), None) for tool in TOOLS
    ]
    return Tools(paths[0], paths[1])


def tools_folder(cache: Path | None = None) -> Path:
    """Return the folder into which :func:`build_tools` puts the programs."""
    return (cache or user_cache()) / "kenlm-tools"


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


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
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".kenlm-", dir=target.parent) as name:
            work = Path(name)
            _compile(work, report)
            shutil.rmtree(target, ignore_errors=True)
            (work / "bin").replace(target)
    except OSError as error:
        raise FileProblemError(target, f"cannot be written: {os_problem(error)}") from error
    return find_tools(target)


def _compile(work: Path, report: Callable[[str], None]) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    report("fetching the sources of KenLM")
    _run([*pip, "download", "--no-deps", "--no-binary", "kenlm", SDIST, "--dest", str(work)])
    archive = next(work.glob("kenlm-*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(work / "source", filter="data")
    source = next((work / "source").iterdir())
    report("fetching Boost")
    wheels = [BOOST] if shutil.which("cmake") else [BOOST, "cmake"]
    _run([*pip, "install", "--target", str(work / "wheels"), *wheels])
    prefix = work / "wheels" / "cmeel.prefix"
    cmake = shutil.which("cmake") or str(work / "wheels" / "bin" / "cmake")
    environment = {**os.environ, "PYTHONPATH": str(work / "wheels")}
    report("compiling lmplz")
    build = work / "build"
    _run([cmake, "-S", str(source), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
          "-DCMAKE_POLICY_VERSION_MINIMUM=3.5", f"-DCMAKE_PREFIX_PATH={prefix}",
          f"-DBOOST_ROOT={prefix}"], environment)  # fmt: skip
    jobs = str(min(os.cpu_count() or 1, 4))
    _run([cmake, "--build", str(build), "--parallel", jobs, "--target", *TOOLS], environment)
    (work / "bin").mkdir()
    for tool in TOOLS:
        shutil.copy2(build / "bin" / tool, work / "bin" / tool)


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        name = " ".join(command[:4])
        raise LexsubError(f"{name} … failed ({done.returncode}): {last_line(done.stderr)}")


def last_line(text: str) -> str:
    """Return the last line of a program's messages that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" *-0123456789")]
    return lines[-1] if lines else "it printed nothing"


def run_lmplz(
    tool: Path,
    text: Path,
    arpa: Path,
    *,
    order: int,
    prune: Sequence[int],
    fallback: bool,
    vocabulary: Path | None,
    memory: int,
) -> None:
    """Estimate a model with lmplz.

    Args:
        tool: the program.
        text: tokenised text, one sentence a line, no blank lines, final newline: lmplz
            counts a blank line as a sentence.
        arpa: file to write.
        order: order of the model.
        prune: threshold for each order.
        fallback: use fallback discounts where needed.
        vocabulary: file with the words allowed, or None.
        memory: bytes it may use for sorting.

    Raises:
        LexsubError: it fails; the text ends with what it printed last.
    """
    command = [
        str(tool), "--order", str(order), "--text", str(text), "--arpa", str(arpa),
        "--temp_prefix", f"{arpa.parent}/", "--memory", f"{memory}b",
        "--prune", *map(str, prune),
    ]  # fmt: skip
    if fallback:
        command.append("--discount_fallback")
    if vocabulary is not None:
        command += ["--limit_vocab_file", str(vocabulary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = last_line(done.stderr)
        if "Could not calculate Kneser-Ney discounts" in done.stderr:
            reason = (
                "the text is too small or too regular for Kneser-Ney discounts: give more text, "
                "a lower order, or turn the discount fallback on"
            )
        raise LexsubError(f"lmplz failed ({done.returncode}): {reason}")


def run_build_binary(tool: Path, arpa: Path, binary: Path) -> None:
    """Turn an ARPA file into a KenLM binary (a trie: a third of the size, opened at once).

    Raises:
        LexsubError: it fails; the text ends with what it printed last.
    """
    _run([str(tool), "-T", f"{binary.parent}/", "trie", str(arpa), str(binary)])
