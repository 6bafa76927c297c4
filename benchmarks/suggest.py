"""How long ``lexsub suggest`` takes: to load in a new process, and for each sentence then.

    python benchmarks/suggest.py [CONFIG [SYSTEM]] [--no-spacy]

CONFIG as for ``lexsub suggest --config``, its models trained; without one, the best ready config
that is.  Sentences are those of the tutorial set, each a target not asked for before.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester

LOAD = """
import json, sys, time
if sys.argv[3]:
    class Absent:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] == "spacy":
                raise ModuleNotFoundError(name)
    sys.meta_path.insert(0, Absent())
start = time.perf_counter()
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.resources import Resources
suggester = open_suggester(*sys.argv[1:3], Resources())
print(json.dumps([time.perf_counter() - start, time.process_time(),
                  suggester.config, suggester.system]))
"""


def main(*arguments: str) -> None:
    config, system = ([word for word in arguments if word[0] != "-"] + ["", ""])[:2]
    absent = "absent" if "--no-spacy" in arguments else ""
    loads = []
    for _ in range(4):
        run = subprocess.run(
            [sys.executable, "-c", LOAD, config, system, absent],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        loads.append(json.loads(run.stdout))
    # The first one fills the disk's cache and writes the interpreter's own.
    wall, cpu = (statistics.median(load[i] for load in loads[1:]) for i in (0, 1))
    print(f"{loads[0][2]}, system {loads[0][3]}")
    print(f"load: {wall:.2f} s ({cpu:.2f} s of processor), median of 3")

    from lexsub.experiments.suggestions.suggesting import open_suggester
    from lexsub.resources import Resources
    from lexsub.storage.memory import seldom_collected

    with seldom_collected():  # as the command does
        measure(open_suggester(config, system, Resources()))


def measure(suggester: Suggester) -> None:
    from lexsub.data.catalogue import load
    from lexsub.marked_sentences import Marked

    items = {item.lexelt: item for item in load("tutorial/test", ()).items}
    # The first sentence of a part of speech opens what it needs.
    warm = {item.pos: item for item in reversed(items.values())}
    first = time.process_time()
    for item in warm.values():
        suggester.suggest(Marked(item.text, item.start, item.end, item.pos))
    opened = (time.process_time() - first) * 1000
    times, candidates = [], []
    for item in items.values():
        if item is warm[item.pos]:
            continue
        start = time.process_time()
        found = suggester.suggest(Marked(item.text, item.start, item.end, item.pos))
        times.append((time.process_time() - start) * 1000)
        candidates.append(found.candidates)
    print(f"first sentences of {len(warm)} parts of speech: {opened:.0f} ms of processor together")
    print(
        f"{len(times)} more, {statistics.mean(candidates):.0f} candidates each, of processor: "
        f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
