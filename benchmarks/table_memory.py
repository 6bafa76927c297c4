"""All words of a thesaurus compared with all, within bounds of memory: what one process takes.

    python benchmarks/table_memory.py [--millions 20] [--word-tokens 400] [--memory MB ...]

Counts made text (made_text.py), then computes the table of lin once a bound, each time in a
process of its own: seconds of processor time, greatest resident memory above that of the process
before it began, and whether the bytes are the same.  The first may have to compile the loop.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from made_text import Made

from lexsub.candidates.distributional import build
from lexsub.candidates.distributional.kernel import compiled_kernel
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import read_header
from lexsub.candidates.distributional.table import build_table
from lexsub.resources import Resources
from lexsub.storage.digests import FILE


def main() -> None:
    """Count, then start a process a bound."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--millions", type=int, default=20)
    parser.add_argument("--word-tokens", type=int, default=400)
    parser.add_argument("--memory", type=int, nargs="+", default=[1500, 600, 200, 100, 10])
    parser.add_argument("--compare", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.compare:
        compare(options.compare, options.memory[0])
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "thesaurus"
        folder.mkdir()
        recipe = Path(name) / "recipe.txt"
        recipe.write_text("made\n")
        build.pieces = lambda _: [Made(number) for number in range(options.millions)]  # type: ignore[attr-defined]
        builder = build.ThesaurusBuilder(
            text=(str(recipe),), contexts=20_000, word_tokens=options.word_tokens, memory=600
        )
        builder.build(Resources(cache=Path(name) / "cache"), folder)
        (space,) = read_header(folder).spaces.values()
        print(f"{space.words:,} words, {space.nonzeros:,} cells; load {os.getloadavg()[0]:.1f}")
        for memory in options.memory:
            call = [sys.executable, __file__, "--compare", str(folder), "--memory", str(memory)]
            subprocess.run(call, check=True)


def compare(folder: Path, memory: int) -> None:
    """Compute the table and say what it took."""
    compiled_kernel(parse_measure("lin").formula(), True)
    import_module("scipy.sparse")  # what the process would load is no part of the bound
    shutil.rmtree(folder / "tables", ignore_errors=True)
    before, start = peak(), time.process_time()
    table = build_table(folder, "lin", memory=memory)
    took = time.process_time() - start
    digest = hashlib.sha256((table / FILE).read_bytes()).hexdigest()[:16]
    print(
        f"memory {memory} MB: {took:.1f} s of processor time, {peak() - before:.0f} MB above the "
        f"{before:.0f} of the process, digest {digest}",
        flush=True,
    )


def peak() -> float:
    """Return the greatest resident memory so far, in MB; getrusage knows the parent's, too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
