"""The manifest of a run: everything one needs to know to trust or repeat it."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lexsub import __version__
from lexsub.experiments.pipeline.store import Stage


def manifest(
    inputs: Mapping[str, str],
    libraries: Mapping[str, str],
    seed: int,
    stages: Iterable[Stage],
    notes: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the manifest as plain JSON values.

    Args:
        inputs: sha256 by path of every file that was read.
        libraries: versions of the libraries that had a part in the stages, those that were reused
            among them.
        seed: the run's seed.
        stages: finished stages in order, with their wall times in seconds.
        notes: what the parts report of themselves, such as the WordNet version found.
    """
    return {
        "lexsub": __version__,
        "git_revision": git_revision(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": dict(libraries),
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "seed": seed,
        "inputs": dict(inputs),
        "resources": dict(notes),
        "stages": [
            {
                "stage": stage.name,
                "of": stage.label,
                "key": stage.key,
                "reused": stage.reused,
                "seconds": round(stage.seconds, 3),
            }
            for stage in stages
        ],
    }


def git_revision() -> str | None:
    """Return the revision of the checkout this runs from, ``+`` behind it where it was edited.

    None for an installed package.
    """
    home = Path(__file__).resolve().parents[2]
    if not (home / ".git").exists():
        return None
    try:
        revision = _git(home, "rev-parse", "HEAD")
        dirty = _git(home, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return None
    return revision + ("+" if dirty else "")


def _git(home: Path, *arguments: str) -> str:
    result = subprocess.run(
        ["git", "-C", str(home), *arguments], capture_output=True, text=True, check=True
    )
    return result.stdout.strip()
