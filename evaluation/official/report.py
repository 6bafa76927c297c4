"""The official scorer's whole print-out, and the further analysis of ``scoreFA.pl``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import get_args

from lexsub.evaluation.official.best_oot import matched_lines, tally
from lexsub.matching import script
from lexsub.rankings import Task

_HEADERS = (
    ("NMWT", "without items identified as MWs"),
    ("NMWS", "using only single word substitutes"),
    ("RAND", " items selected randomly"),
    ("MAN", " items selected manually"),
)
"""Subsets of the further analysis, and how their headers end."""


@dataclass(frozen=True, slots=True)
class ScriptOutput:
    """What a run of the script leaves.

    Attributes:
        stdout: what it printed, byte for byte.
        death: why it died of a division by zero after that, or None.
    """

    stdout: bytes
    death: str | None = None


def official(
    system: bytes,
    gold: bytes,
    task: Task = "best",
    *,
    verbose: bool = False,
    rules: script.Rules = script.FINAL,
    subset: script.Subset | None = None,
    system_name: str = "system",
    gold_name: str = "gold",
) -> ScriptOutput:
    """Score a submission file against a gold file and print as the script does.

    Args:
        system: the submission's bytes.
        gold: the gold's bytes.
        task: best, oot or mw.
        verbose: whether each item gets its lines.
        rules: the version of the script.
        subset: the items to score (best and oot).
        system_name: the submission's name as its error lines give it.
        gold_name: the same for the gold.
    """
    text = system.decode("latin-1")
    if task == "mw":
        multiwords = script.read_multiword_gold(gold.decode("latin-1"))
        return score_mw(text, multiwords, verbose, rules, system_name, gold_name)
    subset = subset or script.Subset()
    read = script.read_official_gold(gold.decode("latin-1"), rules, subset)
    return score_best_oot(
        text,
        read,
        task,
        verbose=verbose,
        rules=rules,
        system_name=system_name,
        single_words_only=subset.single_words_only,
    )


def score_best_oot(
    text: str,
    gold: script.OfficialGold,
    task: Task,
    *,
    verbose: bool = False,
    rules: script.Rules = script.FINAL,
    system_name: str = "system",
    single_words_only: bool = False,
) -> ScriptOutput:
    """Score a best or oot submission against a gold that was read before."""
    counted = tally(
        text,
        gold,
        task,
        rules=rules,
        file_name=system_name,
        verbose=verbose,
        single_words_only=single_words_only,
    )
    out = list(counted.printed)
    show_figure = script.percent if rules.percent else script.fraction
    if counted.impossible:
        return _died(out, "the counts of an item's gold answers sum to 0")
    if counted.duplicates:
        out.append(f"WARNING OOT file contains duplicates on {counted.duplicates} lines")
    if not counted.attempted:
        return _died(out, "no scored item is attempted; is this a submission for this gold?")
    out.append(f"Total = {gold.items}, attempted = {counted.attempted}")
    out.append(
        f"precision = {show_figure(counted.credit / counted.attempted)}, "
        f"recall = {show_figure(counted.credit / gold.items)}"
    )
    if not counted.modes_attempted or not gold.modes:
        return _died(out, "no item with a mode is attempted")
    out.append(f"Total with mode {gold.modes} attempted {counted.modes_attempted}")
    precision, recall = (
        ("Mode precision", "Mode recall") if task == "best" else ("precision", "recall")
    )
    out.append(
        f"{precision} = {show_figure(counted.mode_hits / counted.modes_attempted)}, "
        f"{recall} = {show_figure(counted.mode_hits / gold.modes)}"
    )
    return ScriptOutput(_bytes(out))


def score_mw(
    text: str,
    gold: script.MultiwordGold,
    verbose: bool = False,
    rules: script.Rules = script.FINAL,
    system_name: str = "system",
    gold_name: str = "gold",
) -> ScriptOutput:
    """Score an mw submission against a gold that was read before.

    The answer is the rest of the line as it stands.  A line with a blank answer counts as
    detected, though not as found, so a precision above 100 is possible.
    """
    out = [f"Error in {gold_name} on line {number}" for number in gold.bad_lines]
    found: int | None = None
    detected: int | None = None
    right = 0
    seen: set[str] = set()
    for lexelt, item_id, answer in matched_lines(text, "mw"):
        if not lexelt:
            out.append(f"Error in {system_name} on line {item_id}")
            continue
        if item_id in seen:
            continue
        seen.add(item_id)
        if not script.blank(answer):
            found = (found or 0) + 1
        mode = gold.modes.get(item_id)
        if mode is None or mode == "0":
            if verbose:
                out.append(f"{lexelt} {item_id} No MW found by annotators, system {answer}")
            continue
        detected = (detected or 0) + 1
        right += mode == answer
        if verbose:
            out.append(f"{lexelt} {item_id} human mode is {mode} system {answer}")
    if not gold.count:
        return _died(out, "the gold has no multiword item; is it an mw gold?")
    show_figure = script.percent if rules.percent else script.fraction

    def precision(hits: int) -> str:
        return show_figure(hits / found) if found else ""

    counts = f"System found {script.show(found)} of which {script.show(detected)} were genuine"
    out += [
        f"Total MWs in GS = {gold.count}, {counts}",
        f"Detection precision = {precision(detected or 0)}, "
        f"recall = {show_figure((detected or 0) / gold.count)}",
        "Number that matched GS",
        f"Identification precision = {precision(right)}, "
        f"recall = {show_figure(right / gold.count)}",
    ]
    return ScriptOutput(_bytes(out))


def further_analysis(
    system: bytes,
    gold: bytes,
    task: Task,
    multiword_ids: AbstractSet[str],
    manual_words: AbstractSet[str],
    *,
    verbose: bool = False,
    rules: script.Rules = script.FINAL,
    system_name: str = "system",
) -> ScriptOutput:
    """Score the whole set and then NMWT, NMWS, RAND and MAN, each under its header.

    As in the script, a division by zero in one of them ends the whole run.
    """
    printed = b""
    for header, subset in _parts(task, multiword_ids, manual_words):
        outcome = official(
            system, gold, task, verbose=verbose, rules=rules, subset=subset, system_name=system_name
        )
        printed += header.encode() + outcome.stdout
        if outcome.death:
            return ScriptOutput(printed, f"{outcome.death} (subset {subset.name})")
    return ScriptOutput(printed)


def _parts(
    task: Task, multiword_ids: AbstractSet[str], manual_words: AbstractSet[str]
) -> Iterator[tuple[str, script.Subset]]:
    yield "", script.Subset()
    for name, what in _HEADERS:
        header = f"\nFURTHER ANALYSIS Scoring {what}\n"
        if task == "oot" and name == "MAN":
            # The oot half of the script words its last header differently.
            header = "\n FURTHER ANALYSIS Scoring just items selected manually\n"
        yield header, script.Subset(name, multiword_ids, manual_words)


def _died(out: list[str], why: str) -> ScriptOutput:
    return ScriptOutput(_bytes(out), why)


def _bytes(out: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in out).encode("latin-1")


USAGE = "score.pl usage: systemfile goldfile [-t best|oot|mw] [-v]\n"


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a call of the script.

    Attributes:
        system: name of the submission file.
        gold: name of the gold file.
        task: best, oot or mw; None where the script scores nothing.
        verbose: whether each item gets its lines.
        usage: whether the usage line is printed.
        complete: whether both files were named.
    """

    system: str = ""
    gold: str = ""
    task: Task | None = None
    verbose: bool = False
    usage: bool = False
    complete: bool = True


def parse_call(arguments: Sequence[str]) -> Call:
    """Read ``SYSTEM GOLD [-t best|oot|mw] [-v]``.

    The arguments are positional: ``-v`` alone stands third, after ``-t TASK`` fifth;
    anything else is answered with the usage line, a ``-t`` without a task with nothing.
    File names that end in ``-t`` or ``-v`` are taken as they are (the script refuses
    them, and every gold with ``-t`` or ``-v`` inside its name).
    """
    system, gold, switch, value, last = [*arguments[:5], "", "", "", "", ""][:5]
    if not system or not gold:
        return Call(system, gold, usage=True, complete=False)
    if not switch:
        return Call(system, gold, "best")
    if switch == "-v" and not value and not last:
        return Call(system, gold, "best", verbose=True)
    if switch != "-t":
        return Call(system, gold, usage=True)
    for task in get_args(Task):
        if value == task:
            return Call(system, gold, task, verbose=bool(last))
    return Call(system, gold, usage=bool(value))
