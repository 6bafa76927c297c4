"""How ``lexsub serve`` bears many clients: answers lost or crossed, speed, memory.

    python benchmarks/serve.py [--model NAME|DIR] [--config CONFIG [--system NAME]]
        [--clients N] [--requests N] [--workers N]

Clients ask without a pause, each over a connection of its own, about words of WordNet in
sentences of this file.  Every answer is compared with that of the same suggester called directly,
which is also the peer in speed, in the same run and on one core.  Memory is that of the server's
processes (Linux alone).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import requests

SENTENCES = {
    "n": "They talked about the *{}*.n for most of the evening.",
    "v": "Sooner or later all of us have to *{}*.v again.",
    "a": "It was a very *{}*.a thing to find in such a place.",
    "r": "He said it *{}*.r, and then he was silent.",
}
PHASES = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "config", "system"):
        parser.add_argument(f"--{name}", default="")
    for name, default in (("clients", 50), ("requests", 5000), ("workers", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()

    from lexsub.experiments.suggestions.suggesting import open_suggester
    from lexsub.resources import Resources
    from lexsub.wordnet import open_wordnet

    suggester = open_suggester(given.config, given.system, Resources(), given.model)
    questions = list(sentences(open_wordnet(Resources()), given.requests))
    expected, direct = [], time.perf_counter()
    for question in questions:
        found = suggester(question)
        expected.append((found.text, [(one.sentence, one.score) for one in found]))
    direct = time.perf_counter() - direct
    print(f"{suggester.name}: {len(questions)} sentences, "
          f"{len(set(questions))} different")  # fmt: skip
    with serving(given) as (url, process):
        load(url, process, questions, expected, given.clients, direct)


def sentences(wordnet: Any, number: int) -> Iterator[str]:
    """Yield sentences about words spread over WordNet, single words of letters."""
    words = [(word, pos) for word, pos in wordnet.all_words() if word.isalpha()]
    step = max(1, len(words) // number)
    for place in range(number):
        word, pos = words[(place * step) % len(words)]
        yield SENTENCES[pos].format(word)


@contextmanager
def serving(given: argparse.Namespace) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "lexsub", "serve", "--port", "0", "--model", given.model,
         "--config", given.config, "--system", given.system,
         "--workers", str(given.workers), "--timeout", "60"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        print(f"ended with status {process.wait()}")


def load(
    url: str, process: subprocess.Popen[str], questions: list[str], expected: list[Any],
    clients: int, direct: float,
) -> None:  # fmt: skip
    latencies: list[float] = []
    wrong: list[int] = []
    lost: list[str] = []
    print(f"memory before: {memory(process.pid)} in all processes")
    whole = time.perf_counter()
    for phase in range(PHASES):
        # Every client has sentences of its own, so that a crossed answer is a wrong one.
        parts = [range(phase + PHASES * client, len(questions), PHASES * clients)
                 for client in range(clients)]  # fmt: skip
        threads = [
            threading.Thread(
                target=client, args=(url, part, questions, expected, latencies, wrong, lost)
            )
            for part in parts
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"memory after {len(latencies):>6} answers: {memory(process.pid)}")
    whole = time.perf_counter() - whole
    median, late = numpy.percentile(latencies, (50, 99)) * 1000
    print(
        f"{clients} clients: {len(latencies)} answers of {len(questions)}, {len(lost)} lost, "
        f"{len(wrong)} not the direct ones"
    )
    for one in lost[:3]:
        print(f"  {one}")
    print(f"{len(latencies) / whole:.0f} answers/s; each waited {median:.0f} ms (median), "
          f"{late:.0f} ms (99 of 100)")  # fmt: skip
    print(f"peer, Suggester called directly on one core: {len(questions) / direct:.0f} answers/s")


def client(
    url: str, part: range, questions: list[str], expected: list[Any], latencies: list[float],
    wrong: list[int], lost: list[str],
) -> None:  # fmt: skip
    with requests.Session() as session:
        for place in part:
            start = time.perf_counter()
            try:
                answer = session.post(
                    f"{url}suggest", json={"sentence": questions[place]}, timeout=120
                )
                answer.raise_for_status()
            except requests.RequestException as error:
                lost.append(f"{type(error).__name__}: {error}")
                continue
            latencies.append(time.perf_counter() - start)
            found = answer.json()
            told = [(one["sentence"], one["score"]) for one in found["suggestions"]]
            if (found["text"], told) != expected[place]:
                wrong.append(place)


def memory(pid: int) -> str:
    """Return the memory of a process and its children, in MB.

    In all, pages that several map counted once (what smaps calls Pss), and how much of that is the
    processes' own, not pages of the model's files; in brackets each process with all that it maps.
    """
    # A child is listed with the thread that started it.
    listed = " ".join(one.read_text() for one in Path(f"/proc/{pid}/task").glob("*/children"))
    shared, kept, own = 0, 0, []
    for one in (pid, *map(int, listed.split())):
        lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        found = {line.split()[0]: int(line.split()[1]) for line in lines[1:]}
        shared += found["Pss:"]
        kept += found["Pss_Anon:"]
        own.append(found["Rss:"])
    each = ", ".join(f"{one / 1000:.0f}" for one in own)
    return f"{shared / 1000:.0f} MB, {kept / 1000:.0f} their own ({sum(own) / 1000:.0f}: {each})"


if __name__ == "__main__":
    main()
