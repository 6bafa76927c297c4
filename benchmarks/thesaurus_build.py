"""Window contexts of a whole corpus: time, peak memory, and a kill half-way.

    python benchmarks/thesaurus_build.py CORPUS [--workers 2] [--kill] [-- BUILD OPTIONS]

Runs ``lexsub thesaurus build --text CORPUS`` and prints words a second and the peak memory of
all its processes.  With --kill a second build is killed (SIGKILL, all its processes) after
half the time of the first, started again, and its files are compared byte by byte.  Beside it
stands plain Python: a Counter over the same pairs of the first lines, in words a second.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lexsub.candidates.distributional.windows import _TOKENS  # noqa: E402
from lexsub.corpus.reader import Corpus  # noqa: E402


def memory(process: psutil.Process) -> int:
    """Return the bytes that a process and its children hold (shared pages counted once)."""
    total = 0
    for each in [process, *process.children(recursive=True)]:
        try:
            total += each.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def build(out: Path, cache: Path, arguments: list[str], stop_after: float | None) -> dict:
    command = [sys.executable, "-m", "lexsub", "thesaurus", "build", "-o", str(out), *arguments]
    start, peak = time.perf_counter(), 0
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "LEXSUB_CACHE": str(cache)}, start_new_session=True
    )
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            peak = max(peak, memory(watched))
        except psutil.Error:
            break
        if stop_after is not None and time.perf_counter() - start > stop_after:
            os.killpg(process.pid, signal.SIGKILL)
            break
        time.sleep(0.5)
    code = process.wait()
    return {"seconds": time.perf_counter() - start, "peak": peak, "code": code}


def digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return whole.hexdigest()


def plain_speed(corpus: str, lines: int = 20_000, size: int = 2) -> float:
    """Return words a second of a Counter over the pairs, one at a time."""
    text = list(islice(Corpus((corpus,)).lines(), lines))
    start = time.perf_counter()
    counts: Counter[tuple[str, str]] = Counter()
    words = 0
    for line in text:
        tokens = _TOKENS.findall(line.lower())
        words += len(tokens)
        for i, word in enumerate(tokens):
            for other in tokens[max(0, i - size) : i] + tokens[i + 1 : i + 1 + size]:
                counts[word, other] += 1
    return words / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("options", nargs="*", help="further options of thesaurus build, behind --")
    given = parser.parse_args()
    arguments = ["--text", given.corpus, "--workers", str(given.workers), *given.options]
    print(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        whole = build(folder / "whole", folder / "cache", arguments, None)
        if whole["code"]:
            raise SystemExit(f"the build ended with status {whole['code']}")
        header = json.loads((folder / "whole" / "header.json").read_text())
        words = header["sources"][-1]["tokens"]
        pairs = sum(space["nonzeros"] for space in header["spaces"].values())
        print(
            f"build: {words:,} words, {pairs:,} pairs in {whole['seconds'] / 60:.1f} min "
            f"({words / whole['seconds']:,.0f} words/s), peak memory {whole['peak'] / 1e9:.2f} GB"
        )
        plain = plain_speed(given.corpus)
        print(
            f"against a plain Counter in one process ({plain:,.0f} words/s, all in memory, "
            f"counting alone): ratio {words / whole['seconds'] / plain:.2f}"
        )
        if given.kill:
            shutil.rmtree(folder / "cache", ignore_errors=True)
            again = folder / "again"
            killed = build(again, folder / "cache", arguments, whole["seconds"] / 2)
            print(f"killed after {killed['seconds'] / 60:.1f} min: status {killed['code']}")
            rest = build(again, folder / "cache", arguments, None)
            same = digest(again) == digest(folder / "whole")
            print(
                f"resumed: {rest['seconds'] / 60:.1f} min more, "
                f"{'the same bytes' if same else 'OTHER BYTES'}"
            )
            if not same:
                raise SystemExit(1)


if __name__ == "__main__":
    main()
