"""Where a person waits: commands from start to end, everything they need in the cache.

    python benchmarks/waits.py [ROW ...] [--data DIR] [--boundary RUN] [--runs N]

Rows: quickstart, run, score, report, boundary, morphy, jabbari; all but jabbari without a name.
Each prints the processor time of the whole process (median of N), what it is meant to stay below
and its share of that, and how it grows from every second item of semeval2007/test to all of them.
The report's page is opened in Chromium by playwright where both are there.  Boundaries are learned
by cross-validation on five systems of RUN (best that of jabbari2010), and for the growth on
systems that draw at random.  Morphy stands beside NLTK (wordnet.py), the Jabbari experiment beside
KenLM alone (jabbari.py: minutes; it wants its corpus); windows have window_counts.py.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lexsub.data.catalogue import load  # noqa: E402
from lexsub.storage.user_folders import data_folders  # noqa: E402
from tests.browsers import chromium, find_chromium  # noqa: E402

SYSTEMS = 12
FIVE = ("bow", "lm", "cmlc", "ku", "order")
"""Systems of jabbari2010 whose boundaries are learned."""


class Bench:
    """What the rows share: a folder, how often to run, and runs of systems over all and half."""

    def __init__(self, folder: Path, runs: int, boundary: str | None) -> None:
        self.folder, self.runs, self.boundary = folder, runs, boundary
        self.data = {"all": "semeval2007/test", "half": str(folder / "half.jsonl")}
        self.items = write_half(folder / "half.jsonl")

    def systems(self, part: str) -> list[str]:
        """Return how to run a dozen systems over WordNet's candidates, once they have been run."""
        config, out = self.folder / f"{part}.toml", self.folder / part
        call = ["run", str(config), "--out", str(out), "--no-page", "--quiet"]
        if not config.exists():
            systems = "".join(
                f'[[systems]]\nname = "random-{seed}"\ncandidates = {{ name = "wordnet" }}\n'
                f'ranker = {{ name = "random", seed = {seed} }}\n'
                for seed in range(SYSTEMS)
            )
            config.write_text(f'name = "{part}"\ndata = "{self.data[part]}"\n{systems}')
            processor(call)
        return call

    def row(self, name: str, aim: float, whole: list[str], half: list[str] | None = None) -> None:
        """Print a command's median, its aim, and its growth where there is a half of it."""
        took = statistics.median(processor(whole) for _ in range(self.runs))
        text = f"{name:<58} {took:6.2f} s" + (
            f", aim {aim:g} s: {took / aim:.2f} of it" if aim else ""
        )
        if half:
            less = statistics.median(processor(half) for _ in range(self.runs))
            text += f"; half of it {less:.2f} s: to the power of {math.log2(took / less):.2f}"
        print(text, flush=True)


def write_half(path: Path) -> int:
    """Write every second item of semeval2007/test as a data set; return how many it has in all."""
    data = load("semeval2007/test", data_folders())
    with path.open("w", encoding="utf-8") as file:
        for item in data.items[::2]:
            given = data.gold.items.get(item.id)
            row = {
                "id": item.id, "sentence": item.text, "start": item.start, "end": item.end,
                "lemma": item.lexelt.lemma, "pos": item.pos,
                "substitutes": dict(given.positive) if given else {},
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")
    return len(data.items)


def processor(arguments: Sequence[str]) -> float:
    """Run lexsub; return the processor time of the process and of its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "lexsub", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"lexsub {' '.join(arguments)}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def quickstart(bench: Bench) -> None:
    """The first experiment, a second time."""
    call = ["run", "quickstart", "--out", str(bench.folder / "quickstart"), "--quiet"]
    processor(call)
    bench.row("lexsub run quickstart, everything cached", 1, call)


def run(bench: Bench) -> None:
    """A larger run, a second time."""
    name = f"lexsub run, {SYSTEMS} systems x {bench.items} items, everything cached"
    bench.row(name, 0, bench.systems("all"), bench.systems("half"))


def score(bench: Bench) -> None:
    """One file of answers; the half has half the gold, too."""
    bench.systems("all")
    gold = data_folders()[0] / "semeval2007/scoring/gold"
    answers = bench.folder / "all/random-1.oot"
    halves = [bench.folder / name for name in ("half.gold", "half.oot")]
    for path, half in zip((gold, answers), halves, strict=True):
        lines = path.read_text("utf-8", "surrogateescape").splitlines(keepends=True)
        half.write_text("".join(lines[::2]), "utf-8", "surrogateescape")
    bench.row(f"lexsub score GOLD FILE, {bench.items} items", 0.5,
              ["score", str(gold), str(answers)], ["score", *map(str, halves)])  # fmt: skip


def report(bench: Bench) -> None:
    """The page of a dozen systems."""
    page = bench.folder / "page.html"
    for part in ("half", "all"):
        bench.systems(part)
    whole, half = (
        ["report", str(bench.folder / part), "-o", str(page.with_stem(part))]
        for part in ("all", "half")
    )
    bench.row(f"lexsub report, {SYSTEMS} systems x {bench.items} items", 5, whole, half)
    page = page.with_stem("all")
    print(f"  its page: {page.stat().st_size / 1e6:.2f} MB (aim 5 MB), {opened(page)}")


def boundary(bench: Bench) -> None:
    """Boundaries learned on a run's own items."""
    tune = ["--tune", "cross-validation"]
    if bench.boundary:
        names = [word for name in FIVE for word in ("--system", name)]
        bench.row("lexsub boundary --tune cross-validation, 5 systems of RUN", 30,
                  ["boundary", bench.boundary, *tune, *names])  # fmt: skip
    names = [word for seed in range(5) for word in ("--system", f"random-{seed}")]
    for part in ("all", "half"):
        bench.systems(part)
    calls = (["boundary", str(bench.folder / part), *tune, *names] for part in ("all", "half"))
    bench.row("lexsub boundary --tune cross-validation, 5 random systems", 30, *calls)


def other(script: str) -> Callable[[Bench], None]:
    """Return a row that is a benchmark of its own."""

    def called(bench: Bench) -> None:
        del bench
        subprocess.run([sys.executable, str(Path(__file__).with_name(script))], check=True)

    return called


def opened(page: Path) -> str:
    """Say how long Chromium takes to open a page, from the call to its load event."""
    path = find_chromium()
    if path is None:
        return "no Chromium"
    try:
        with chromium(path) as browser:
            tab = browser.new_page()
            took = []
            for _ in range(5):
                start = time.perf_counter()
                tab.goto(page.as_uri(), wait_until="load")
                took.append(time.perf_counter() - start)
    except ImportError:
        return "no playwright"
    return f"opens in {statistics.median(took):.2f} s by the clock (aim 1 s)"


ROWS: dict[str, Callable[[Bench], None]] = {
    "quickstart": quickstart,
    "run": run,
    "score": score,
    "report": report,
    "boundary": boundary,
    "morphy": other("wordnet.py"),
    "jabbari": other("jabbari.py"),
}


def main() -> None:
    """Print a row a command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--data", default=os.environ.get("LEXSUB_DATA", "../shared/data"))
    parser.add_argument("--boundary", metavar="RUN", help="A finished run of jabbari2010.")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    wanted = options.rows or [name for name in ROWS if name != "jabbari"]
    if unknown := [name for name in wanted if name not in ROWS]:
        parser.error(f"no row {unknown[0]}; expected some of {', '.join(ROWS)}")
    os.environ["LEXSUB_DATA"] = options.data
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start; seconds of "
          f"processor time, median of {options.runs}")  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.runs, options.boundary)
        for wanted_row in wanted:
            ROWS[wanted_row](bench)


if __name__ == "__main__":
    main()
