"""Training a language model: the embedded estimator against lmplz on the same tokens.

    python benchmarks/lm_training.py CORPUS [CORPUS …] [--tokens 10000000] [--order 3] [--spread 1]

Takes the first TOKENS tokens of a corpus as training text and the next 20,000 lines as held-out
text, trains with both engines in processes of their own, and prints tokens a second (text to
ARPA file; also of processor time, for machines with other work), peak memory, their ratio, and
the greatest difference in log10 for a held-out word.  With ``--spread`` it trains by blocks and
ranges as well, which is how a cluster does it, on two processes that have so many gigabytes
together, and compares the bytes of the ARPA file.  Peak memory is that of the largest process.
Aims: 250,000 tokens/s on 10M words; difference below 1e-4.  lmplz: on PATH.
"""

from __future__ import annotations

import argparse
import filecmp
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from lexsub.corpus.reader import Corpus
from lexsub.rankers.lm.kenlm import load_kenlm
from lexsub.rankers.lm.tokens import tokenise

HELD_OUT = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="+")
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--spread", type=float)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = split(options.corpus, options.tokens, folder)
        print(f"{count:,} tokens, order {options.order}")
        rates = {}
        for engine in ("embedded", "lmplz", *(["spread"] if options.spread else [])):
            seconds, busy, megabytes = train(engine, options.order, folder, options.spread)
            rates[engine] = count / seconds
            print(
                f"{engine:9} {rates[engine]:>10,.0f} tokens/s {seconds:7.1f} s {megabytes:7.0f} MB "
                f"({count / busy:,.0f} tokens a second of processor time)"
            )
        print(f"embedded / lmplz: {rates['embedded'] / rates['lmplz']:.2f}")
        if options.spread:
            one, two = (folder / engine / "model.arpa" for engine in ("embedded", "spread"))
            print(f"by blocks, the same bytes: {filecmp.cmp(one, two, shallow=False)}")
        print(f"greatest difference for a held-out word: {difference(folder):.1e} log10")


def split(corpus: list[str], tokens: int, folder: Path) -> int:
    count = held = 0
    with (folder / "text.txt").open("w") as train_text, (folder / "held.txt").open("w") as test:
        for line in Corpus(tuple(corpus)).lines():
            words = tokenise(line)
            if count < tokens:
                count += len(words)
                train_text.write(" ".join(words) + "\n")
            else:
                test.write(" ".join(words) + "\n")
                held += 1
                if held == HELD_OUT:
                    break
    return count


def train(
    engine: str, order: int, folder: Path, gigabytes: float | None
) -> tuple[float, float, float]:
    command = [
        sys.executable, "-m", "lexsub", "lm", "train", str(folder / "text.txt"),
        "--order", str(order), "--arpa", "-o", str(folder / engine),
        *(["--engine", "embedded", "--memory", str(gigabytes), "--workers", "2"]
          if engine == "spread" else ["--engine", engine, "--memory", "8"]),
    ]  # fmt: skip
    start = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    top, peak, used = psutil.Process(process.pid), 0, {}
    while process.poll() is None:
        with suppress(psutil.Error):
            for each in [top, *top.children(recursive=True)]:
                times = each.cpu_times()
                used[each.pid] = times.user + times.system
                peak = max(peak, each.memory_info().rss)
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{engine} failed; try: {' '.join(command)}")
    return time.perf_counter() - start, sum(used.values()), peak / 1e6


def difference(folder: Path) -> float:
    one, two = (load_kenlm(folder / e / "model.arpa") for e in ("embedded", "lmplz"))
    greatest = 0.0
    with (folder / "held.txt").open() as lines:
        for line in lines:
            pairs = zip(one.full_scores(line), two.full_scores(line), strict=True)
            greatest = max([greatest, *(abs(a[0] - b[0]) for a, b in pairs)])
    return greatest


if __name__ == "__main__":
    main()
