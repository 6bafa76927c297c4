"""What ``score``, ``compare``, ``validate`` and ``official`` read, and the list of measures."""

from __future__ import annotations

import codecs
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from lexsub.cli.parts import plain
from lexsub.data.catalogue import DATASETS, load_gold
from lexsub.datasets import Gold
from lexsub.errors import LexsubError
from lexsub.evaluation.measure import CUT, GROUPS, MEASURES, Measure, show
from lexsub.formats.outputs.catalogue import read_answers, system_name
from lexsub.formats.semeval_lines import parse_gold
from lexsub.formats.variants import parse_candidate_pool
from lexsub.matching.script import read_mrsamples, read_mwids
from lexsub.rankings import Task
from lexsub.storage.addresses import exists, is_file
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, read_text, text_lines
from lexsub.storage.user_folders import data_folders

_POOL_LINE = re.compile(r"\s*[^\s:]+::[^:]")


def read_scored_gold(
    reference: str,
    task: Task | None = None,
    *,
    data: Path | None = None,
    language: str | None = None,
    mwgold: Path | None = None,
    mwids: Path | None = None,
    mrsamples: Path | None = None,
) -> Gold:
    """Return the gold with its mw part and subset lists.

    A data set's name brings them along; for a gold file they are files of their own, and
    ``mwids`` and ``MRsamples`` are looked for beside it.

    Args:
        reference: data set split or file.
        task: of the files; without ``mwgold`` the gold of mw is that of the file itself.
        data: folder of data sets, searched first.
        language: of a file of the user's own.
        mwgold: mw gold file.
        mwids: list of multiword items, for NMWT.
        mrsamples: list of manually drawn words, for RAND and MAN.
    """
    gold = load_gold(reference, data_folders(data), language)
    path = Path(reference)
    if is_file(path):
        mwids = mwids or _beside(path, "mwids")
        mrsamples = mrsamples or _beside(path, "MRsamples")
    if task == "mw" and mwgold is None and not gold.multiwords:
        gold = replace(gold, multiwords=gold.items)
    if mwgold:
        gold = replace(gold, multiwords=parse_gold(read_text(mwgold), mwgold))
    if mwids:
        gold = replace(gold, multiword_ids=read_mwids(_plain_lines(mwids)))
    if mrsamples:
        gold = replace(gold, manual_words=read_mrsamples(_plain_lines(mrsamples)))
    return gold


def _plain_lines(path: Path) -> str:
    # The script's patterns know neither a byte order mark nor line ends other than LF.
    text = read_text(path, "latin-1").removeprefix(codecs.BOM_UTF8.decode("latin-1"))
    return "".join(f"{line}\n" for line in text_lines(text))


def read_systems(paths: Sequence[Path], task: Task | None = None) -> dict[str, Any]:
    """Read systems' files, by name.

    Files that differ only in their last ending (``a.best``, ``a.oot``, ``a.mw``, ``a.jsonl``)
    are one system.  Submissions are kept as they stand, for the official normalisation;
    other formats become rankings.

    Args:
        paths: the files; ``-`` for standard input.
        task: the task of all of them; else told by ending or content.

    Raises:
        LexsubError: a file that is no system's output, or given twice.
    """
    refuse_data_sets(paths, "GOLD SYSTEM...")
    for path in paths:
        if paths.count(path) > 1:
            raise LexsubError(f"{path} is given twice")
    systems: dict[str, dict[str, Any]] = {}
    for path in paths:
        kind, answers = read_answers(path, task)
        name = system_name(path)
        if kind in systems.get(name, {}):  # x/run.best and y/run.best
            name = str(path)
        systems.setdefault(name, {})[kind] = answers
    # A ranking alone stands for best and oot too; beside submissions it is only itself.
    return {
        name: lists["ranking"] if set(lists) == {"ranking"} else lists
        for name, lists in systems.items()
    }


def refuse_data_sets(paths: Sequence[Path], order: str) -> None:
    """Refuse a data set's name where a file of answers belongs: the arguments are swapped.

    Raises:
        LexsubError: one of them is no file, but the name of a data set.
    """
    for path in paths:
        if path.parts and path.parts[0] in DATASETS and not exists(path):
            raise LexsubError(
                f"{path} is a data set; expected a file of answers here: the order is {order}"
            )


def check_measures(missing: Sequence[tuple[str, str]], systems: Mapping[str, Any], n: int) -> None:
    """Refuse a system whose answers are of a task that none of the measures reads.

    Args:
        missing: (system, measure) of what could not be computed.
        systems: the systems read.
        n: how many measures were asked for.

    Raises:
        LexsubError: there is such a system; names it and what it has.
    """
    for name, lists in systems.items():
        lacking = [measure for system, measure in missing if system == name]
        if n and len(lacking) == n:
            has = ", ".join(lists) if isinstance(lists, dict) else "ranking"
            raise LexsubError(
                f"{name} has no answers for {', '.join(lacking)}: its files hold {has}; expected "
                "measures of that (lexsub score --list)"
            )


def read_bounds(pool: str, gold: Gold, normalisation: str, seed: int) -> dict[str, Any]:
    """Return the ceiling and the floor of a candidate pool as systems.

    Args:
        pool: a file of rankings, whose order is ignored, or of candidates by target
            (``lemma.pos::a;b``), or ``gold`` for the gold's own substitutes pooled by target.
        gold: the gold.
        normalisation: the policy under which it will be scored.
        seed: seed of the random order.

    Returns:
        ``oracle``; ``random``, one random order; ``tied``, all candidates of equal score: under
        ``ties=expected`` the mean of all random orders.

    Raises:
        LexsubError: the pool holds candidates for none of the gold's items.
    """
    from lexsub.evaluation.bounds import all_tied, oracle, random_order

    candidates = _candidates(pool, gold)
    if not any(candidates.get(item_id) for item_id in gold.items):
        first = next(iter(gold.items.values()))
        raise LexsubError(
            f"{pool} has candidates for none of the {len(gold.items)} items of {gold.name}; "
            f"expected targets such as {first.lexelt}, or ids such as {first.id}"
        )
    return {
        "oracle": oracle(gold, candidates, normalise=normalisation),
        "random": random_order(candidates, seed),
        "tied": all_tied(candidates),
    }


def _candidates(pool: str, gold: Gold) -> Mapping[str, Sequence[str]]:
    from lexsub.evaluation.bounds import given_candidates, pooled_candidates

    if pool == "gold":
        return pooled_candidates(gold, multiwords=True)
    path = Path(pool)
    text = decode(read_unpacked(path), path)
    if _POOL_LINE.match(text):
        return given_candidates(gold, parse_candidate_pool(text, path))
    from lexsub.formats.outputs.catalogue import detect

    rankings = detect(text, path).read(text, path)
    return {one.id: [entry.substitute for entry in one.ranked] for one in rankings}


def default_measures(systems: dict[str, Any]) -> str:
    """Return the measures of the tasks that the systems answer."""
    tasks = {task for lists in systems.values() if isinstance(lists, dict) for task in lists}
    if any(not isinstance(lists, dict) for lists in systems.values()):
        tasks |= {"best", "oot", "ranking"}
    groups = {"best": "best", "oot": "oot", "mw": "mw", "ranking": "GAP"}
    return " ".join(group for task, group in groups.items() if task in tasks)


def _beside(path: Path, name: str) -> Path | None:
    found = path.parent / name
    return found if is_file(found) else None


def measure_list() -> str:
    """Return every measure with what it is, its parameters and its reference, then the groups."""
    lines: list[str] = []
    for name in MEASURES:
        part = MEASURES[name]
        lines.append(name)
        lines.append(f"    {plain((part.__doc__ or '').strip().splitlines()[0])}")
        lines += [f"    {line}" for line in _parameters(part)]
        lines.append(f"    [{plain(part.reference)}]")
    lines += ["", "sets of measures"]
    lines += [f"    {group}: {members}" for group, members in GROUPS.items()]
    return "\n".join(lines) + "\n"


def _parameters(part: type[Measure]) -> Iterator[str]:
    hints = get_type_hints(part)
    for field in dataclasses.fields(part):
        if field.name == CUT:
            yield f"@k (default {field.default})"
            continue
        choices = get_args(hints[field.name]) or (
            ("yes", "no") if hints[field.name] is bool else ()
        )
        others = [str(choice) for choice in choices if choice != show(field.default)]
        yield f"{field.name}={show(field.default)}" + (
            f" (or {', '.join(others)})" if others else ""
        )
