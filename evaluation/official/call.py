"""The official scorer's command line, argument by argument as the script takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from lexsub.submissions import Task

USAGE = "score.pl usage: systemfile goldfile [-t best|oot|mw] [-v]\n"


@dataclass(frozen=True, slots=True)
class Call:
    """What a call of the script asks for.

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
