"""Window counts of running text against GloVe's cooccur, and how they grow with the text.

    python benchmarks/window_counts.py CORPUS [--glove FOLDER] [--words 10 20 57] [--workers 2]

For the first millions of words of CORPUS (57 at last), writes them as plain lines of tokens and
counts the pairs of words at most two apart: with ``lexsub thesaurus build --text`` (every frequent
form a word and a context), and with GloVe's vocab_count and cooccur on the same file, compiled
from its public source in FOLDER (the git repository stanfordnlp/GloVe, or its folder ``src``).
Prints seconds of waiting and of the processor, peak memory of all processes together, the number
of pairs, and the exponent of growth.  scikit-learn's CountVectorizer stands beside them in what it
can do, pairs of neighbours within a line, over the first million words in memory.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lexsub.candidates.distributional.windows import _TOKENS  # noqa: E402
from lexsub.corpus.reader import Corpus  # noqa: E402

FORM_TOKENS, SIZE, MEMORY = 10, 2, 2.0


def watched(command: list[str], **given: object) -> dict[str, float]:
    """Run a command; return seconds, processor seconds and peak bytes of all its processes."""
    start, peak, used = time.perf_counter(), 0, {}
    process = subprocess.Popen(command, **given)  # type: ignore[call-overload]
    top = psutil.Process(process.pid)
    while process.poll() is None:
        total = 0
        try:
            for each in [top, *top.children(recursive=True)]:
                times = each.cpu_times()
                used[each.pid] = times.user + times.system
                total += each.memory_full_info().pss
        except psutil.Error:
            continue
        peak = max(peak, total)
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with status {process.returncode}")
    return {"s": time.perf_counter() - start, "cpu": sum(used.values()), "peak": peak}


def write_text(corpus: str, path: Path, millions: float) -> int:
    """Write the first words of a corpus as lines of tokens; return how many they are."""
    words = 0
    with path.open("w", encoding="utf-8") as file:
        for line in Corpus((corpus,)).lines():
            if words >= millions * 1e6:
                break
            tokens = _TOKENS.findall(line.lower())
            words += len(tokens)
            file.write(" ".join(tokens) + "\n")
    return words


def ours(text: Path, folder: Path, workers: int) -> dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    options = {"text": text, "workers": workers, "size": SIZE, "form-tokens": FORM_TOKENS,
               "contexts": 10**8, "word-tokens": 1}  # fmt: skip
    command = [sys.executable, "-m", "lexsub", "thesaurus", "build", "-o", str(folder)]
    command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    environment = {**os.environ, "LEXSUB_CACHE": str(folder.with_name("cache"))}
    used = watched(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    header = json.loads((folder / "header.json").read_text())
    (space,) = header["spaces"].values()
    return {**used, "pairs": space["nonzeros"], "total": space["tokens"]}


def compiled(source: Path, folder: Path) -> Path:
    """Compile GloVe's two counting programs."""
    if (source / "objects").is_dir() or source.name.endswith(".git") or (source / ".git").exists():
        names = [f"src/{name}" for name in ("common.c", "common.h", "vocab_count.c", "cooccur.c")]
        for name in names:
            shown = subprocess.run(
                ["git", "-C", str(source), "show", f"HEAD:{name}"], check=True, capture_output=True
            )
            (folder / Path(name).name).write_bytes(shown.stdout)
        source = folder
    for name in ("vocab_count", "cooccur"):
        subprocess.run(
            ["gcc", f"{name}.c", "common.c", "-o", str(folder / name), "-lm", "-pthread", "-O3",
             "-march=native", "-funroll-loops", "-w"], check=True, cwd=source,
        )  # fmt: skip
    return folder


def glove(text: Path, programs: Path, folder: Path) -> dict[str, float]:
    vocabulary, pairs = folder / "vocabulary.txt", folder / "pairs.bin"
    with text.open("rb") as given, vocabulary.open("wb") as out:
        first = watched(
            [str(programs / "vocab_count"), "-min-count", str(FORM_TOKENS), "-verbose", "0"],
            stdin=given, stdout=out,
        )  # fmt: skip
    with text.open("rb") as given, pairs.open("wb") as out:
        second = watched(
            [str(programs / "cooccur"), "-vocab-file", str(vocabulary), "-memory", str(MEMORY),
             "-window-size", str(SIZE), "-distance-weighting", "0", "-verbose", "0",
             "-overflow-file", str(folder / "overflow")], stdin=given, stdout=out,
        )  # fmt: skip
    records = np.memmap(pairs, [("row", "<i4"), ("column", "<i4"), ("value", "<f8")], "r")
    found = {"pairs": len(records), "total": int(records["value"].sum())}
    pairs.unlink()
    return {
        **{what: first[what] + second[what] for what in ("s", "cpu")},
        "peak": max(first["peak"], second["peak"]), **found,
    }  # fmt: skip


def vectorizer(text: Path, words: int = 1_000_000) -> float:
    """Return processor microseconds a word for pairs of neighbours."""
    from sklearn.feature_extraction.text import CountVectorizer

    lines, held = [], 0
    with text.open(encoding="utf-8") as file:
        for line in file:
            lines.append(line)
            held += line.count(" ") + 1
            if held > words:
                break
    start = time.process_time()
    CountVectorizer(ngram_range=(2, 2), token_pattern=r"\S+", lowercase=False).fit_transform(lines)
    return (time.process_time() - start) / held * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--glove", type=Path, help="GloVe's source, or its git repository")
    parser.add_argument("--words", type=float, nargs="+", default=[10, 20, 57], help="millions")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start")
    rows: dict[str, list[tuple[int, dict[str, float]]]] = {"lexsub": [], "GloVe": []}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        text = folder / "text.txt"
        programs = compiled(given.glove.resolve(), folder) if given.glove else None
        for millions in given.words:
            words = write_text(given.corpus, text, millions)
            rows["lexsub"].append((words, ours(text, folder / "made", given.workers)))
            if programs:
                rows["GloVe"].append((words, glove(text, programs, folder)))
            for who, found in rows.items():
                if found:
                    show(who, *found[-1])
        for who, found in rows.items():
            if len(found) > 1:
                (few, one), (many, two) = found[0], found[-1]
                grown = math.log(two["cpu"] / one["cpu"]) / math.log(many / few)
                print(f"{who}: processor time grows with words to the power of {grown:.2f}")
        each = vectorizer(text)
        last, used = rows["lexsub"][-1]
        mine = used["cpu"] / last * 1e6
        print(
            f"CountVectorizer, pairs of neighbours of a million words: {each:.2f} us of processor "
            f"time a word, {each / mine:.1f} times lexsub's {mine:.2f} for two on either side"
        )


def show(who: str, words: int, used: dict[str, float]) -> None:
    print(
        f"{who:<7}{words:>11,} words: {used['s']:6.1f} s, {used['cpu']:6.1f} s of processor time, "
        f"peak memory {used['peak'] / 1e9:.2f} GB, {used['pairs']:,} pairs, {used['total']:,} "
        f"counted, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
