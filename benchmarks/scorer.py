"""How fast a submission is scored, against the official Perl script as a process.

    python benchmarks/scorer.py [--perl SCORE_PL] [--data DIR]

Makes a gold of 1696 scored items, a best submission of one answer a line and an oot
submission of ten, and times ``parse + score`` in this process (gold read once before) and
the script as a whole (``--perl``: the script is not part of this package).
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from pathlib import Path

from measures import seconds

from lexsub.evaluation.official.report import score_best_oot
from lexsub.matching.script import read_official_gold
from lexsub.rankings import SEPARATORS, Task

ITEMS = 1696


def make(seed: int = 1) -> tuple[str, dict[Task, str]]:
    """Return a gold and its submissions, shaped like those of the test set."""
    rng = random.Random(seed)
    words = [
        "".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(3, 9))) for _ in range(4000)
    ]
    words += [f"{rng.choice(words)} {rng.choice(words)}" for _ in range(500)]
    words += [f"{rng.choice(words[:4000])}-{rng.choice(words[:4000])}" for _ in range(100)]
    gold, best, oot = [], [], []
    for number in range(ITEMS):
        lexelt = f"{words[number // 10]}.{'nvar'[number % 4]}"
        pool = rng.sample(words, 24)
        counts = sorted(rng.choices([1, 1, 1, 2, 3, 4], k=4), reverse=True)
        answers = "".join(f"{word} {count};" for word, count in zip(pool, counts, strict=False))
        gold.append(f"{lexelt} {number} :: {answers}\n")
        rng.shuffle(pool)
        best.append(f"{lexelt} {number} {SEPARATORS['best']} {pool[0]}\n")
        oot.append(f"{lexelt} {number} {SEPARATORS['oot']} {';'.join(pool[:10])}\n")
    return "".join(gold), {"best": "".join(best), "oot": "".join(oot)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perl", type=Path, help="the official score.pl, to compare with")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    gold_text, submissions = make()
    gold = read_official_gold(gold_text)
    print(f"{gold.items} scored items, {gold.modes} with a mode")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "gold").write_text(gold_text)
        for task, text in submissions.items():
            (Path(folder) / "system").write_text(text)
            ours = seconds(lambda t=task, s=text: score_best_oot(s, gold, t), options.rounds)  # type: ignore[misc]
            line = f"{task:4}  lexsub {ours * 1000:7.2f} ms"
            if options.perl:
                command = ["perl", str(options.perl.resolve()), "system", "gold", "-t", task]
                run = subprocess.run(command, cwd=folder, capture_output=True, check=True)
                if run.stdout != score_best_oot(text, gold, task).stdout:
                    raise SystemExit(f"{task}: the two print different things")
                perl = seconds(
                    lambda c=command: subprocess.run(c, cwd=folder, capture_output=True),  # type: ignore[misc]
                    max(5, options.rounds // 3),
                )
                line += f"   Perl process {perl * 1000:7.2f} ms   {perl / ours:5.1f} times faster"
            print(line)


if __name__ == "__main__":
    main()
