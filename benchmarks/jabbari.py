"""The whole experiment of Jabbari, Hepple and Guthrie (2010) with its models in the cache.

    python benchmarks/jabbari.py [--corpus DIR] [--workers 2]

Runs it once, so that the models are there (minutes the first time), then again with a cache that
holds nothing else of it, and prints the time of that second run (aim: 20 s of processor time); its
processor time, too, for machines with other work; and both as multiples of what KenLM alone needs
to open the language model and score the windows of one system, lm on the test sentences, in a bare
loop.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from waits import write_half

from lexsub import experiments
from lexsub.data.catalogue import load
from lexsub.parts.base import SOURCES
from lexsub.rankers.lm.header import read_header
from lexsub.rankers.lm.kenlm import load_kenlm
from lexsub.rankers.lm.ranker import fill_slot
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders, user_cache


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", help="Folder of text; default: beside the data sets.")
    parser.add_argument("--workers", default="2")
    options = parser.parse_args()
    start_of = [sys.executable, "-m", "lexsub", "run"]
    rest = ["--quiet", "--workers", options.workers]
    if options.corpus:
        rest += ["--resource", f"corpus={options.corpus}"]
    command = [*start_of, "jabbari2010", *rest]
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([*command, "--out", f"{name}/first"], check=True, capture_output=True)
        environment = {**os.environ, "LEXSUB_CACHE": str(models_alone(Path(name) / "cache"))}
        start, before = time.perf_counter(), busy()
        done = subprocess.run(
            [*command, "--out", f"{name}/second"],
            check=True, capture_output=True, text=True, env=environment,
        )  # fmt: skip
        seconds, processor = time.perf_counter() - start, busy() - before
        print(done.stdout)
        same = (Path(name) / "first/scores.json").read_bytes()
        equal = same == (Path(name) / "second/scores.json").read_bytes()
        models = json.loads((Path(name) / "second/manifest.json").read_text())["models"]
        alone, count = kenlm_alone(Path(models["lm"]))
        write_half(Path(name) / "half.jsonl")
        config = (Path(experiments.__file__).parent / "jabbari2010.toml").read_text("utf-8")
        (Path(name) / "half.toml").write_text(
            config.replace('"semeval2007/test"', f'"{name}/half.jsonl"')
        )
        environment["LEXSUB_CACHE"] = str(models_alone(Path(name) / "another"))
        before = busy()
        half = [*start_of, f"{name}/half.toml", *rest, "--out", f"{name}/third"]
        subprocess.run(half, check=True, capture_output=True, env=environment)
        less = busy() - before
    print(f"with cached models, {options.workers} workers: {processor:.1f} s of processor time "
          f"(aim 20), {seconds:.1f} s by the clock; same figures both times: {equal}")  # fmt: skip
    print(f"every second item: {less:.1f} s; growth to the power of "
          f"{math.log2(processor / less):.2f}")  # fmt: skip
    print(f"KenLM alone, one model and {count:,} windows: {alone:.2f} s of processor time")
    print(f"experiment / KenLM: {processor / alone:.0f} in processor time")


def busy() -> float:
    """Return the processor time of all finished child processes, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def kenlm_alone(folder: Path) -> tuple[float, int]:
    """Return the processor time of opening a model and scoring windows, and their number."""
    resources, data = Resources(), load("semeval2007/test", data_folders())
    header = read_header(folder)
    source = SOURCES["wordnet"](frequency="none").open(resources)
    slots = [fill_slot(item, source.candidates(item), header) for item in data.items]
    windows = [(text, slot.bos, slot.eos) for slot in slots for text in slot.texts]
    start = time.process_time()
    score = load_kenlm(folder / header.file).score
    for text, bos, eos in windows:
        score(text, bos, eos)
    return time.process_time() - start, len(windows)


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
