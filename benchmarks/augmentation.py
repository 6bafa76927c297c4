"""Augmented texts beside nlpaug's: what they are worth, how they read, how fast they are made.

    python benchmarks/augmentation.py study CORPUS [--copies FILE]
    python benchmarks/augmentation.py sheet OUT [-n N] [--seed N] [--skip N]
    python benchmarks/augmentation.py count OUT JUDGEMENTS …
    python benchmarks/augmentation.py speed [-n N] [--workers N]

The peer is SynonymAug of nlpaug 1.1 with its defaults: random synonyms of WordNet, of the part of
speech that NLTK's tagger gives.  It wants ``pip install nlpaug`` and the data packages wordnet and
averaged_perceptron_tagger_eng where NLTK looks for them (NLTK_DATA).

study learns to tell from which of four sources a sentence is, from few of each, with and without
three copies of each.  CORPUS is a folder of NAME.txt or NAME.txt.xz, a paragraph or sentence a
line, a blank line between documents; no document gives two sentences.  FILE keeps the copies, so
that a study that was ended goes on.

sheet writes OUT.tsv: sentences of benchmarks/own-sentences.tsv as they are and as one of the two
has changed them, shuffled, with two verdicts to fill in; OUT.key.json says whose they are.
``grammatical`` is 1 where the changed sentence reads well, ``same`` where it means about the same.
count reads copies of OUT.tsv with verdicts, one a judge: what a majority takes, with Wilson's
interval, and Fleiss's kappa.

speed augments sentences of the same file, with one process and with several; without nlpaug where
that is not installed.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __package__:
    from benchmarks.blind import agreement, own_sentences
else:
    from blind import agreement, own_sentences

from lexsub.experiments.suggestions.augmenting import Augmenter
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.resources import Resources

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester

SOURCES = ("ldp_howtos", "medquad_nih_health", "openstax_textbooks_ccby", "usgov_web_writing")
POOL, TESTED, WORDS = 40, 250, (8, 20)
"""Of each source: sentences to draw training examples from, and to test on; their words."""
SIZES, SEEDS, COPIES, SHARE = (5, 10, 20), range(10), 3, 0.2
QUESTIONS = ("grammatical", "same")
FIELDS = ("number", *QUESTIONS, "sentence", "changed")
T_NINE = 2.262
"""Student's t at .975 with nine degrees of freedom: ten seeds."""

Again = Callable[[str, int], list[str]]
"""From a text and a number of copies to the copies, none of which is the text."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    study = commands.add_parser("study")
    study.add_argument("corpus", type=Path)
    study.add_argument("--copies", type=Path)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("out")
    sheet.add_argument("-n", type=int, default=50)
    sheet.add_argument("--seed", type=int, default=0)
    sheet.add_argument("--skip", type=int, default=0, help="sentences, after they are shuffled")
    count = commands.add_parser("count")
    count.add_argument("out")
    count.add_argument("judgements", nargs="+", type=Path)
    speed = commands.add_parser("speed")
    speed.add_argument("-n", type=int, default=120)
    speed.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    if asked.command == "study":
        print_study(asked.corpus, asked.copies)
    elif asked.command == "sheet":
        write_sheet(
            asked.out, {"lexsub": ours(), "nlpaug": peer()}, asked.n, asked.seed, asked.skip
        )
    elif asked.command == "count":
        print(counted(asked.out, asked.judgements))
    else:
        print_speed(asked.n, asked.workers)


def english() -> Suggester:
    return open_suggester("", "", Resources(), model="english")


def ours() -> Again:
    suggester = english()
    return lambda text, n: [one.text for one in suggester.augment(text, share=SHARE, n=n)]


def peer() -> Again:
    """Return nlpaug's synonyms of WordNet; the same text gives the same copies."""
    numpy: Any = import_module("numpy")
    made = import_module("nlpaug.augmenter.word").SynonymAug(aug_src="wordnet", aug_p=SHARE)

    def again(text: str, n: int) -> list[str]:
        random.seed(text)
        numpy.random.seed(len(text))
        return [one for one in made.augment(text, n=n) if one != text]

    return again


# How sentences read


def write_sheet(out: str, systems: dict[str, Again], n: int, seed: int, skipped: int = 0) -> None:
    """Write the first ``n`` sentences, shuffled, that every system changes, behind some."""
    draw = random.Random(seed)
    texts = [sentence.replace("*", "") for _, sentence in own_sentences()]
    draw.shuffle(texts)
    key = list[dict[str, str]]()
    for text in texts[skipped:]:
        if len(key) == n * len(systems):
            break
        changed = {name: again(text, 1)[:1] for name, again in systems.items()}
        if all(changed.values()):
            key += [{"system": name, "sentence": text, "changed": new}
                    for name, (new,) in changed.items()]  # fmt: skip
    draw.shuffle(key)
    with Path(f"{out}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(FIELDS)
        for number, one in enumerate(key, start=1):
            writer.writerow([number, "", "", one["sentence"], one["changed"]])
    Path(f"{out}.key.json").write_text(
        json.dumps(key, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    print(f"{out}.tsv: {len(key)} changed sentences; {out}.key.json: whose")


def read_verdicts(path: Path, numbers: int) -> list[dict[str, int]]:
    """Return the verdicts of a judge by question, a dictionary a sentence; all must be there."""
    found = dict[int, dict[str, int]]()
    with path.open(encoding="utf-8", newline="") as file:
        for line, row in enumerate(csv.DictReader(file, delimiter="\t"), start=2):
            for question in QUESTIONS:
                if row.get(question) not in ("0", "1"):
                    verdict = row.get(question)
                    raise SystemExit(f"{path}:{line}: {question} {verdict!r}; expected 0 or 1")
            found[int(row["number"])] = {question: int(row[question]) for question in QUESTIONS}
    if sorted(found) != list(range(1, numbers + 1)):
        raise SystemExit(f"{path}: expected the numbers 1 to {numbers}, each once")
    return [found[number] for number in sorted(found)]


def counted(out: str, judgements: Sequence[Path]) -> str:
    key = json.loads(Path(f"{out}.key.json").read_text("utf-8"))
    judges = [read_verdicts(path, len(key)) for path in judgements]
    systems = sorted({one["system"] for one in key})
    lines = [f"{'taken by a majority':22}" + "".join(f"{name:>24}" for name in systems)]
    taken = dict[str, list[bool]]()
    for question in QUESTIONS:
        votes = [[judge[i][question] for judge in judges] for i in range(len(key))]
        taken[question] = [2 * sum(row) > len(row) for row in votes]
    taken["both"] = [all(row) for row in zip(*taken.values(), strict=True)]
    for question, verdicts in taken.items():
        cells = ""
        for name in systems:
            own = [yes for one, yes in zip(key, verdicts, strict=True) if one["system"] == name]
            low, high = wilson(sum(own), len(own))
            cells += f"{f'{sum(own)} of {len(own)} [{low:.2f}, {high:.2f}]':>24}"
        lines.append(f"{question:22}{cells}")
    for question in QUESTIONS:
        agreed, kappa = agreement(
            [[judge[i][question] for judge in judges] for i in range(len(key))]
        )
        lines.append(f"{question}: judges agree on {100 * agreed:.1f} % of pairs; "
                     f"Fleiss's kappa {kappa:.2f}")  # fmt: skip
    return "\n".join(lines)


def wilson(yes: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    middle = (yes + z * z / 2) / (of + z * z)
    half = z / (of + z * z) * (yes * (of - yes) / of + z * z / 4) ** 0.5
    return middle - half, middle + half


# What they are worth


def documents(path: Path) -> Iterator[list[str]]:
    """Yield the lines of each document."""
    lines = list[str]()
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                lines.append(line.strip())
            elif lines:
                yield lines
                lines = []
    if lines:
        yield lines


def sentences_of(corpus: Path, name: str) -> tuple[list[str], list[str]]:
    """Return the sentences of a source to train on and to test on, no two of one document."""
    draw = random.Random(name)
    path = next(path for path in (corpus / f"{name}.txt", corpus / f"{name}.txt.xz")
                if path.exists())  # fmt: skip
    found = dict[str, None]()
    for lines in documents(path):
        fit = [one for one in lines if WORDS[0] <= len(one.split()) <= WORDS[1]
               and one not in found]  # fmt: skip
        if fit:
            found[draw.choice(fit)] = None
    drawn = draw.sample(list(found), POOL + TESTED)
    return drawn[:POOL], drawn[POOL:]


def copies_of(text: str, name: str, again: Again, kept: dict[tuple[str, str], list[str]],
              file: Path | None) -> list[str]:  # fmt: skip
    """Return the copies of a text, kept in memory and in a file."""
    if (name, text) not in kept:
        kept[name, text] = again(text, COPIES)
        if file:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps([name, text, kept[name, text]]) + "\n")
    return kept[name, text]


def print_study(corpus: Path, file: Path | None) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    parts = {name: sentences_of(corpus, name) for name in SOURCES}
    kept = dict[tuple[str, str], list[str]]()
    if file and file.exists():
        for line in file.read_text("utf-8").splitlines():
            name, text, copies = json.loads(line)
            kept[name, text] = copies
    systems: dict[str, Again] = {"none": lambda *_: [], "lexsub": ours(), "nlpaug": peer()}
    tested = [(text, name) for name, (_, test) in parts.items() for text in test]
    figures = {(size, system): list[float]() for size in SIZES for system in systems}
    for seed in SEEDS:
        draw = random.Random(seed)
        drawn = {name: draw.sample(pool, max(SIZES)) for name, (pool, _) in parts.items()}
        for (size, system), found in figures.items():
            rows = [(copy, name) for name, texts in drawn.items() for text in texts[:size]
                    for copy in (text, *copies_of(text, system, systems[system], kept,
                                                  file if system != "none" else None))]  # fmt: skip
            model = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1000))
            model.fit(*zip(*rows, strict=True))
            found.append(100 * float(model.score(*zip(*tested, strict=True))))
    print(f"{'examples a source':20}" + "".join(f"{name:>22}" for name in systems))
    for size in SIZES:
        print(f"{size:<20}" + "".join(f"{told(figures[size, name]):>22}" for name in systems))
    print("less none")
    for size in SIZES:
        cells = ""
        for name in systems:
            pairs = zip(figures[size, name], figures[size, "none"], strict=True)
            cells += f"{told([a - b for a, b in pairs]) if name != 'none' else '':>22}"
        print(f"{size:<20}{cells}")
    for name in ("lexsub", "nlpaug"):
        own = [copies for (system, _), copies in kept.items() if system == name]
        print(f"{name}: {sum(map(len, own)) / len(own):.2f} copies a text of {len(own)}")


def told(values: Sequence[float]) -> str:
    """Return the mean over ten seeds, and Student's interval."""
    mean = sum(values) / len(values)
    deviation = (sum((one - mean) ** 2 for one in values) / (len(values) - 1)) ** 0.5
    half = T_NINE * deviation / len(values) ** 0.5
    return f"{mean:.1f} [{mean - half:.1f}, {mean + half:.1f}]"


# How fast they are made


def print_speed(n: int, workers: int) -> None:
    texts = [sentence.replace("*", "") for _, sentence in own_sentences()][:n]
    augmenter = Augmenter(share=SHARE, n=COPIES)
    head = f"{len(texts)} sentences, {COPIES} copies each"
    print(f"{head:32}{'a second':>11}{'a second of processor':>26}{'copies':>9}")
    opened = {"english": english(), "WordNet's order": open_suggester("suggest", "", Resources())}
    for each in opened.values():
        each.augment(texts[0], n=1)
    runs: list[tuple[str, Callable[[], Iterator[Sequence[Any]]]]] = [
        (f"{name}, {several} process{'es' * (several > 1)}",
         partial(suggester.augmented, [(text, ()) for text in texts], augmenter, several))
        for name, suggester in opened.items()
        for several in dict.fromkeys((1, workers))
    ]  # fmt: skip
    try:
        again = peer()
        again(texts[0], 1)
        runs.append(("nlpaug, 1 process", lambda: (again(text, COPIES) for text in texts)))
    except (ImportError, LookupError) as error:
        print(f"without nlpaug: {str(error).strip().splitlines()[0]}")
    for name, run in runs:
        before, start = processor(), time.perf_counter()
        copies = sum(len(one) for one in run())
        took = time.perf_counter() - start
        if name.endswith("processes"):
            import_module("joblib.externals.loky").get_reusable_executor().shutdown(wait=True)
        used = processor() - before
        print(
            f"{name:32} {len(texts) / took:>10.1f} {len(texts) / used:>25.1f} {copies:>8}",
            flush=True,
        )


def processor() -> float:
    """Return the seconds of processor of this process and of those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
