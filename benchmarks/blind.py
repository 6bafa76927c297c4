"""First answers to sentences of our own, judged by people who do not know whose they are.

    python benchmarks/blind.py sheet OUT NAME=MODEL … [--kinds noun,verb …] [--seed N]
    python benchmarks/blind.py count OUT JUDGEMENTS …
    python benchmarks/blind.py answers NAME=MODEL … [--kinds more,issue] [-n N]

benchmarks/own-sentences.tsv holds them: kind, tab, sentence; nothing is tuned on them.  A MODEL is
a folder, the name of a model, or wordnet (the ready config suggest: the order of WordNet).

sheet writes OUT.tsv, a line an answer in one shuffled list (number, verdict to fill in, the
sentence with the target in stars, the sentence with the answer), each different answer once, and
OUT.key.json, which says whose it is; judges see the first alone.  A verdict is 1 (the answer could
stand there: it reads well and means about the same) or 0.

count reads copies of OUT.tsv with verdicts, one a judge, and prints for each model how many of its
first answers a majority takes, by kind, and how well the judges agree (share of pairs, and
Fleiss's kappa).

answers prints what models answer, side by side, as a Markdown table.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.marked_sentences import parse_marked
from lexsub.resources import Resources

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester

SENTENCES = Path(__file__).with_name("own-sentences.tsv")
KINDS = "noun,verb,adjective,adverb,phrasal,ambiguous"
FIELDS = ("number", "verdict", "sentence", "answer")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("out")
    sheet.add_argument("models", nargs="+", metavar="NAME=MODEL")
    sheet.add_argument("--kinds", default=KINDS)
    sheet.add_argument("--seed", type=int, default=0)
    count = commands.add_parser("count")
    count.add_argument("out")
    count.add_argument("judgements", nargs="+", type=Path)
    answers = commands.add_parser("answers")
    answers.add_argument("models", nargs="+", metavar="NAME=MODEL")
    answers.add_argument("--kinds", default="issue,more")
    answers.add_argument("-n", type=int, default=3)
    options = parser.parse_args()
    if options.command == "count":
        print(counted(options.out, options.judgements))
        return
    lines = [(k, s) for k, s in own_sentences() if k in options.kinds.split(",")]
    opened = {
        name: opened_as(model) for name, _, model in (m.partition("=") for m in options.models)
    }
    if options.command == "answers":
        print(side_by_side(lines, opened, options.n))
    else:
        write_sheet(options.out, lines, opened, options.seed)


def own_sentences() -> list[tuple[str, str]]:
    """Return kind and sentence of each."""
    lines = SENTENCES.read_text("utf-8").splitlines()
    return [(kind, sentence) for kind, _, sentence in (line.partition("\t") for line in lines)]


def opened_as(model: str) -> Suggester:
    if model == "wordnet":
        return open_suggester("suggest", "", Resources())
    return open_suggester("", "", Resources(), model)


def side_by_side(lines: Iterable[tuple[str, str]], models: dict[str, Suggester], n: int) -> str:
    rows = [["sentence", *models], ["---"] * (len(models) + 1)]
    for _, sentence in lines:
        cells = []
        for suggester in models.values():
            found = suggester.suggest(parse_marked(sentence), n)
            cells.append(", ".join(one.form for one in found) or found.note or "nothing")
        rows.append([sentence.replace("|", "\\|"), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def write_sheet(
    out: str, lines: Sequence[tuple[str, str]], models: dict[str, Suggester], seed: int
) -> None:
    whose: dict[tuple[int, str], list[str]] = defaultdict(list)
    for place, (_, sentence) in enumerate(lines):
        for name, suggester in models.items():
            found = suggester.suggest(parse_marked(sentence), 1)
            whose[place, found.best[0].sentence if found.best else ""].append(name)
    answers = list(whose)
    random.Random(seed).shuffle(answers)
    with Path(f"{out}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(FIELDS)
        shown = [one for one in answers if one[1]]
        for number, (place, answer) in enumerate(shown, start=1):
            writer.writerow([number, "", lines[place][1], answer])
    key = [
        {"number": shown.index(one) + 1 if one[1] else None, "kind": lines[one[0]][0],
         "sentence": lines[one[0]][1], "answer": one[1], "models": whose[one]}
        for one in answers
    ]  # fmt: skip
    Path(f"{out}.key.json").write_text(
        json.dumps(key, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    print(f"{out}.tsv: {len(shown)} answers to {len(lines)} sentences; {out}.key.json: whose")


def read_verdicts(path: Path) -> dict[int, int]:
    """Return the verdict on each number; every one must be there."""
    found = {}
    with path.open(encoding="utf-8", newline="") as file:
        for line, row in enumerate(csv.DictReader(file, delimiter="\t"), start=2):
            if row.get("verdict") not in ("0", "1"):
                raise SystemExit(f"{path}:{line}: verdict {row.get('verdict')!r}; expected 0 or 1")
            found[int(row["number"])] = int(row["verdict"])
    return found


def counted(out: str, judgements: Sequence[Path]) -> str:
    key = json.loads(Path(f"{out}.key.json").read_text("utf-8"))
    judges = [read_verdicts(path) for path in judgements]
    numbers = sorted(one["number"] for one in key if one["number"])
    for path, verdicts in zip(judgements, judges, strict=True):
        if sorted(verdicts) != numbers:
            raise SystemExit(f"{path}: expected the numbers 1 to {len(numbers)}, each once")
    taken = {n: 2 * sum(judge[n] for judge in judges) > len(judges) for n in numbers}
    names = list(dict.fromkeys(name for one in key for name in one["models"]))
    kinds = list(dict.fromkeys(kind for kind, _ in own_sentences()))
    kinds = [kind for kind in kinds if any(one["kind"] == kind for one in key)]
    lines = [f"{'taken by a majority':22}" + "".join(f"{name:>12}" for name in names)]
    for kind in [*kinds, "all"]:
        cells = ""
        for name in names:
            own = [one for one in key if name in one["models"] and kind in (one["kind"], "all")]
            good = sum(bool(one["number"]) and taken[one["number"]] for one in own)
            cells += f"{f'{good} of {len(own)}':>12}"
        lines.append(f"{kind:22}{cells}")
    each = "  ".join(f"{p.name} {sum(j.values())}" for p, j in zip(judgements, judges, strict=True))
    agreed, kappa = agreement([[judge[n] for judge in judges] for n in numbers])
    lines.append(f"answers taken of {len(numbers)}: {each}")
    lines.append(f"judges agree on {100 * agreed:.1f} % of pairs; Fleiss's kappa {kappa:.2f}")
    return "\n".join(lines)


def agreement(verdicts: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Return the share of agreeing pairs and Fleiss's kappa (1971), of verdicts by answer."""
    judges = len(verdicts[0])
    yes = [sum(row) for row in verdicts]
    pairs = judges * (judges - 1)
    agreed = sum((y * (y - 1) + (judges - y) * (judges - y - 1)) / pairs for y in yes) / len(yes)
    share = sum(yes) / (judges * len(yes))
    chance = share**2 + (1 - share) ** 2
    return agreed, 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


if __name__ == "__main__":
    main()
