"""``lexsub convert``: system outputs from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import COUNT, DATA, JSON, option, tell
from lexsub.data.catalogue import DATASETS, load, load_gold
from lexsub.errors import LexsubError
from lexsub.formats.outputs import catalogue
from lexsub.formats.outputs.plain import separator_of
from lexsub.formats.outputs.trec import format_qrels, relevance, respelled, seen_by_others
from lexsub.storage.addresses import exists
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import STDIN, decode, write_text
from lexsub.storage.user_folders import data_folders

QRELS = ".qrels"
"""The name's end of a gold for trec_eval."""
_FILE = click.Path(path_type=Path, allow_dash=True)


def _list_formats(context: click.Context, _: click.Parameter, value: bool) -> Any:
    if value:
        width = max(map(len, catalogue.OUTPUT_FORMATS))
        for entry in catalogue.OUTPUT_FORMATS.values():
            print(f"{entry.name.ljust(width)}  {entry.about} ({entry.suffix})")
        context.exit()


@click.command()
@click.argument("source", metavar="IN", type=_FILE)
@click.argument("target", metavar="OUT", type=_FILE)
@option("--from F", "Format of IN; told by its content.", into="source_format")
@option("--to F", "Format of OUT; told by its name's end.", into="target_format")
@option("--top", "Answers to keep (best 1, oot 10, else all).", type=COUNT)
@option(
    "--gold GOLD",
    "Gold file or data set split that knows lexelts, sentences (tsar), spellings (trec).",
)
@DATA
@JSON
@option(
    "--list",
    "List the formats and stop.",
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
)
def command(
    source: Path,
    target: Path,
    source_format: str | None,
    target_format: str | None,
    top: int | None,
    gold: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Convert a system's output IN to another format, as OUT ("-": standard streams).

    Formats: best, oot, gap, semdis, ranked (Melamud et al.), swords, tsar (TSAR-2022), tsv, jsonl,
    trec. Answers are trimmed; items without an answer get no line, but in tsar. A gold (a data
    set, SemEval's lines, or any that goes to a file .qrels) becomes qrels by --to trec.
    """
    wanted = _target(target, target_format)
    if as_json and target == STDIN:
        raise LexsubError("--json prints what was done and OUT is standard output; name a file")
    if wanted.name == "trec" and (target.suffix == QRELS or _is_gold(source)):
        _write_qrels(source, target, data, as_json)
        return
    rankings, found = catalogue.read_output(source, source_format)
    keep = top or wanted.top
    if gold is None:
        text = wanted.write(rankings, keep)
    elif wanted.write_for is not None:
        answered = load(gold, data_folders(data))
        ids = {item.id: str(item.lexelt) for item in answered.items}
        text = wanted.write_for(answered, catalogue.with_lexelts(rankings, ids), keep)
    else:
        known = load_gold(gold, data_folders(data))
        lexelts = {item.id: item.lexelt for item in known.items.values()}
        rankings = catalogue.with_lexelts(rankings, lexelts)
        if wanted.name == "trec":
            rankings = respelled(seen_by_others(known), rankings)
        text = wanted.write(rankings, keep)
    _put(target, text)
    empty = sum(not ranking.ranked for ranking in rankings)
    items = len(rankings) - empty
    said = f"{items} items, {found.name} to {wanted.name}, "
    said += f"the first {keep} of each" if keep else "every answer"
    if empty:
        said += f"; {empty} without an answer{'' if wanted.write_for else ' left out'}"
    names = {"from": found.name, "to": wanted.name}
    record = {"items": items, **names, "kept": keep, "empty": empty, "out": target}
    tell(record, said, as_json, err=True)


def _write_qrels(source: Path, target: Path, data: Path | None, as_json: bool) -> None:
    """Write a gold as qrels, in the spellings that a run converted with --gold has, too."""
    seen = seen_by_others(load_gold(str(source), data_folders(data)))
    weights = relevance(seen)
    _put(target, format_qrels(weights))
    record = {"items": len(weights), "to": "qrels", "rules": seen.policy.name, "out": target}
    said = f"{len(weights)} items with gold, to qrels (rules: {seen.policy.name})"
    tell(record, said, as_json, err=True)


def _is_gold(source: Path) -> bool:
    """Return True if IN is a data set's name, or a gold in SemEval's lines."""
    if source == STDIN or (source.parts and source.parts[0] in DATASETS and not exists(source)):
        return source != STDIN
    text = decode(read_unpacked(source), source)
    return separator_of(text) == "::" and catalogue.is_gold(text)


def _put(target: Path, text: str) -> None:
    if target == STDIN:
        print(text, end="")
    else:
        write_text(target, text)


def _target(target: Path, name: str | None) -> catalogue.OutputFormat:
    if name is None and target.suffix == QRELS:
        name = "trec"
    if name is not None:
        return catalogue.OUTPUT_FORMATS[name]
    if target == STDIN:
        raise LexsubError(f"output to - needs --to ({', '.join(catalogue.OUTPUT_FORMATS)})")
    return catalogue.format_of_name(target)
