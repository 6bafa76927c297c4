"""The further analysis: the whole set, then its four subsets, as ``scoreFA.pl`` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from lexsub.evaluation.official.report import Outcome, official
from lexsub.matching.script.rules import FINAL, Rules
from lexsub.matching.script.subsets import Subset
from lexsub.submissions import Task

_HEADERS = (
    ("NMWT", "without items identified as MWs"),
    ("NMWS", "using only single word substitutes"),
    ("RAND", " items selected randomly"),
    ("MAN", " items selected manually"),
)


def further_analysis(
    system: bytes,
    gold: bytes,
    task: Task,
    multiword_ids: AbstractSet[str],
    manual_words: AbstractSet[str],
    *,
    verbose: bool = False,
    rules: Rules = FINAL,
    system_name: str = "system",
) -> Outcome:
    """Score the whole set and then NMWT, NMWS, RAND and MAN, each under its header.

    As in the script, a division by zero in one of them ends the whole run.
    """
    printed = b""
    for header, subset in _parts(task, multiword_ids, manual_words):
        outcome = official(
            system,
            gold,
            task,
            verbose=verbose,
            rules=rules,
            subset=subset,
            system_name=system_name,
        )
        printed += header.encode() + outcome.stdout
        if outcome.death:
            return Outcome(printed, f"{outcome.death} (subset {subset.name})")
    return Outcome(printed)


def _parts(
    task: Task, multiword_ids: AbstractSet[str], manual_words: AbstractSet[str]
) -> Iterator[tuple[str, Subset]]:
    yield "", Subset()
    for name, what in _HEADERS:
        header = f"\nFURTHER ANALYSIS Scoring {what}\n"
        if task == "oot" and name == "MAN":
            # The oot half of the script words its last header differently.
            header = "\n FURTHER ANALYSIS Scoring just items selected manually\n"
        yield header, Subset(name, multiword_ids, manual_words)
