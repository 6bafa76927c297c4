"""The external estimator: KenLM's lmplz and build_binary, where they are found."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FileProblemError, LexsubError
from lexsub.resources import user_cache

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
    """Return the folder into which ``lexsub lm get-lmplz`` puts the programs."""
    return (cache or user_cache()) / "kenlm-tools"


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def run_program(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    """Run a program of which only success is wanted.

    Raises:
        LexsubError: it fails; the text ends with what it printed last.
    """
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

    The text is tokenised, one sentence a line, without blank lines (lmplz counts each as a
    sentence) and with a final newline; ``vocabulary`` is a file with the words allowed, ``memory``
    the bytes for sorting.

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
    run_program([str(tool), "-T", f"{binary.parent}/", "trie", str(arpa), str(binary)])
