"""The external estimator: KenLM's lmplz and build_binary, where they are found."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FileProblemError, LexsubError


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the programs are; None for one that is not there."""

    lmplz: Path | None
    build_binary: Path | None


def find_tools(given: Path | None = None) -> Tools:
    """Look for the programs: in the folder, or beside the lmplz, that is given, or else on PATH.

    Raises:
        FileProblemError: a place was given and lmplz is not there.
    """
    if given is not None:
        folder = given if given.is_dir() else given.parent
        if not _runs(folder / "lmplz"):
            raise FileProblemError(folder / "lmplz", "no such program; expected KenLM's lmplz")
    elif found := shutil.which("lmplz"):
        folder = Path(found).parent
    else:
        return Tools(None, None)
    binary = folder / "build_binary"
    return Tools(folder / "lmplz", binary if _runs(binary) else None)


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _last_line(text: str) -> str:
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
        reason = _last_line(done.stderr)
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
    command = [str(tool), "-T", f"{binary.parent}/", "trie", str(arpa), str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LexsubError(f"{tool} failed ({done.returncode}): {_last_line(done.stderr)}")
