"""Whole-process times of the main job: start-up, a cold run, warm runs.

    python benchmarks/experiment.py [--data DIR] [--runs N]

The cold run starts from an empty cache (it builds the WordNet index); warm runs find
every stage there; `recompute` keeps the indexes and makes every stage again (--force).
The peer of each is named beside its ratio.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | environment,
        check=True, capture_output=True,
    )  # fmt: skip
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LEXSUB_DATA", "../shared/data"))
    parser.add_argument("--config", default="experiments/semeval2007-wordnet.toml")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"LEXSUB_CACHE": f"{scratch}/cache"}
        run = ["-m", "lexsub", "run", options.config, "--data", options.data,
               "--out", f"{scratch}/run", "--quiet"]  # fmt: skip

        def median(arguments: list[str]) -> float:
            return statistics.median(seconds(arguments, environment) for _ in range(options.runs))

        bare = median(["-c", "pass"])
        start = median(["-m", "lexsub", "--help"])
        cold = seconds(run, environment)
        recompute = median([*run, "--force"])
        warm = median(run)
    print(f"medians of {options.runs} runs of whole processes, in seconds")
    print(f"python -c pass         {bare:7.3f}")
    print(f"lexsub --help          {start:7.3f}   {start / bare:5.1f} x python -c pass")
    print(f"run, empty cache       {cold:7.3f}   (one run)")
    print(f"run, stages recomputed {recompute:7.3f}   {recompute / cold:5.2f} x the cold run")
    print(f"run, warm cache        {warm:7.3f}   {warm / cold:5.2f} x the cold run")


if __name__ == "__main__":
    main()
