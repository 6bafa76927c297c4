"""The whole experiment of Jabbari, Hepple and Guthrie (2010) with its models in the cache.

    python benchmarks/jabbari.py [--corpus DIR] [--workers 2]

Runs it once, so that the models are there (many minutes the first time), then again with a
cache that holds nothing else of it, and prints the time of that second run (aim: under 60 s on
two cores).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lexsub.resources import user_cache


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", help="Folder of text; default: beside the data sets.")
    parser.add_argument("--workers", default="2")
    options = parser.parse_args()
    command = [sys.executable, "-m", "lexsub", "run", "jabbari2010", "--quiet",
               "--workers", options.workers]  # fmt: skip
    if options.corpus:
        command += ["--resource", f"corpus={options.corpus}"]
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([*command, "--out", f"{name}/first"], check=True, capture_output=True)
        environment = {**os.environ, "LEXSUB_CACHE": str(models_alone(Path(name) / "cache"))}
        start = time.perf_counter()
        done = subprocess.run(
            [*command, "--out", f"{name}/second"],
            check=True, capture_output=True, text=True, env=environment,
        )  # fmt: skip
        seconds = time.perf_counter() - start
        print(done.stdout)
        same = (Path(name) / "first/scores.json").read_bytes()
        equal = same == (Path(name) / "second/scores.json").read_bytes()
    print(f"with cached models, {options.workers} workers: {seconds:.1f} s "
          f"(aim 60); same figures both times: {equal}")  # fmt: skip


def models_alone(folder: Path) -> Path:
    """Make a cache of links to all that the user's own holds but stages other than models."""
    (folder / "stages").mkdir(parents=True)
    for path in user_cache().iterdir():
        if path.name != "stages":
            (folder / path.name).symlink_to(path)
    (folder / "stages" / "model").symlink_to(user_cache() / "stages" / "model")
    return folder


if __name__ == "__main__":
    main()
