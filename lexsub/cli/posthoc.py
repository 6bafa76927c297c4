"""``lexsub posthoc``: have answers judged afterwards, and make a second gold of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from lexsub.cli.agreement import plain, tables
from lexsub.cli.common import COUNT, DATA, FILE, JSON, NO_FILE, option, print_json
from lexsub.data.catalogue import DATASETS, load, load_gold
from lexsub.datasets import GoldItem, Item
from lexsub.errors import LexsubError
from lexsub.evaluation import posthoc
from lexsub.evaluation.agreement import labels
from lexsub.formats import judgements
from lexsub.formats.annotations import LabelChoice
from lexsub.formats.outputs.catalogue import top_answers
from lexsub.formats.semeval_xml import parse_semeval_xml
from lexsub.storage.files import decode, file_sha256, read_bytes, write_text
from lexsub.storage.user_folders import data_folders
from lexsub.tables import Entry, Number, Table
from lexsub.tables.terminal import show


@click.group()
def command() -> None:
    """Have answers judged afterwards, blind to who gave them."""


@command.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, type=FILE)
@option(
    "--out",
    "Folder for judge-1.tsv …, and key.json, which judges must not see.",
    required=True,
    type=NO_FILE,
)
@option("--sentences TEXT", "SemEval XML or data set split with the sentences (GOLD's own).")
@option("--items", "Draw so many items (all).", into="size", type=COUNT)
@option("--all-items", "Also items with two single-word substitutes or fewer, names or multiwords.")
@option("--top", "Answers of a system to judge.", 10, type=COUNT)
@option("--judges", "How many sheets, each in an order of its own.", 3, type=COUNT)
@option(
    f"--scale [{'|'.join(judgements.SCALES)}]",
    "Verdicts: good, reasonable, bad; or 0, 1, 2, 3.",
    "words",
)
@option("--seed", "Seed of draw and order.", 1)
@DATA
@JSON
def make(
    gold: str,
    systems: tuple[Path, ...],
    out: Path,
    sentences: str | None,
    size: int | None,
    all_items: bool,
    top: int,
    judges: int,
    scale: judgements.Scale,
    seed: int,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write sheets on which judges say what substitutes are worth.

    GOLD is a data set split or a gold file, SYSTEMS are outputs in any format of convert.
    The substitutes of annotators and systems are pooled, each once, and shuffled.
    """
    folders = data_folders(data)
    standard = load_gold(gold, folders)
    texts = _sentences(sentences or gold, folders)
    names = [path.name for path in systems]
    if len(set(names)) < len(names):
        raise LexsubError(f"systems share a file name ({', '.join(names)}): rename one")
    answers = {path.name: top_answers(path, top) for path in systems}
    ids = posthoc.choose(
        list(standard.items) if all_items else posthoc.eligible(standard), size, seed
    )
    if not ids:
        raise LexsubError(
            f"{standard.name} has no item with more than two single-word substitutes: judge "
            "all items with --all-items"
        )
    lost = [item_id for item_id in ids if item_id not in texts]
    if lost:
        raise LexsubError(
            f"item {lost[0]} has no sentence ({len(lost)} of {len(ids)} have none): name the "
            "sentences of this gold with --sentences"
        )
    rows = posthoc.pool_rows((standard.items[item_id] for item_id in ids), answers)
    key = judgements.SheetKey(
        scale=scale,
        seed=seed,
        gold=(standard.name, standard.sha256),
        systems={path.name: file_sha256(path) for path in systems},
        top=top,
        rows=rows,
    )
    files = {
        out / f"judge-{judge}.tsv": judgements.format_sheet(
            posthoc.shuffled(rows, seed, judge), texts
        )
        for judge in range(1, judges + 1)
    } | {out / "key.json": judgements.format_key(key)}
    there = [path for path in files if path.exists()]
    if there:
        raise LexsubError(
            f"{there[0]} is there already and may hold verdicts: move it away, or name another "
            "folder with --out"
        )
    for path, text in files.items():
        write_text(path, text)
    if as_json:
        print_json({"files": list(files), "items": len(ids), "substitutes": len(rows)})
        return
    click.echo(
        f"{judges} sheets of {len(rows)} substitutes of {len(ids)} items in {out}; verdicts: "
        f"{', '.join(judgements.SCALES[scale])}; keep {out / 'key.json'} from the judges",
        err=True,
    )


@command.command()
@click.argument("key_file", metavar="KEY", type=FILE)
@click.argument("sheets", metavar="SHEET...", nargs=-1, required=True, type=FILE)
@option("--gold", "Write mean ratings as a SemDis gold.", into="gold_out", type=FILE)
@option("--ratings", "Write each judge's ratings as a table.", into="ratings_out", type=FILE)
@JSON
def read(
    key_file: Path,
    sheets: tuple[Path, ...],
    gold_out: Path | None,
    ratings_out: Path | None,
    as_json: bool,
) -> None:
    """Read filled-in sheets: verdicts by origin, judges' agreement, a second gold.

    KEY is the key.json of make.  The 0-3 scale has no majority rule, so its verdicts are not
    shown by origin: compare the gold they make with lexsub agreement --against.
    """
    key = judgements.parse_key(read_bytes(key_file), key_file)
    if len({sheet.stem for sheet in sheets}) < len(sheets):
        raise LexsubError("two sheets have the same file name, which names the judge: rename one")
    ratings = [
        rating
        for sheet in sheets
        for rating in judgements.parse_sheet(decode(read_bytes(sheet), sheet), sheet, key)
    ]
    if gold_out is not None:
        lexelts = {row.item: GoldItem(row.item, row.lexelt, {}) for row in key.rows}
        write_text(
            gold_out, posthoc.format_semdis_gold(posthoc.mean_gold(ratings, lexelts).values())
        )
    if ratings_out is not None:
        write_text(ratings_out, judgements.format_ratings(ratings))
    names = {value: name for name, value in judgements.SCALES[key.scale].items()}
    origins: Sequence[posthoc.OriginRow] = []
    if key.scale == "words":
        given = labels.by_substitute(ratings).items()
        verdicts = {pair: posthoc.decide([names[one] for one in found]) for pair, found in given}
        origins = posthoc.table_8(key.rows, verdicts)
    reports: list[labels.LabelReport | labels.RatingReport] = []
    if len(sheets) > 1:
        choices = [
            LabelChoice(f"{r.item} {r.substitute}", r.annotator, names[r.rating]) for r in ratings
        ]
        reports.append(labels.report_labels(choices))
        if key.scale == "0-3":
            reports.append(labels.report_ratings(ratings, "population"))
    _print(key, origins, reports, as_json)


def _print(
    key: judgements.SheetKey,
    origins: Sequence[posthoc.OriginRow],
    reports: Sequence[labels.LabelReport | labels.RatingReport],
    as_json: bool,
) -> None:
    if as_json:
        document = {
            "substitutes": len(key.rows),
            "gold": key.gold,
            "origins": {row.origin: dict(row.counts) for row in origins},
            **{name: figures for report in reports for name, figures in plain(report).items()},
        }
        print_json(document)
        return
    shown = []
    if origins:
        rows: list[tuple[Entry, ...]] = [
            (row.origin, row.total, *(Number(row.percent(verdict)) for verdict in posthoc.VERDICTS))
            for row in origins
        ]
        title = f"Verdicts on {len(key.rows)} substitutes by origin, per cent"
        shown.append(Table(title, ("origin", "substitutes", *posthoc.VERDICTS), rows))
    show([*shown, *(entry for report in reports for entry in tables(report))])


def _sentences(reference: str, folders: tuple[Path, ...]) -> dict[str, Item]:
    path = Path(reference)
    if path.is_file():
        if path.suffix != ".xml":
            raise LexsubError(
                f"{reference} holds no sentences for judges to read: name SemEval XML or a data "
                "set split with --sentences"
            )
        return {item.id: item for item in parse_semeval_xml(read_bytes(path), path)}
    if reference.partition("/")[0] not in DATASETS:
        # Raises the error that a gold of this name would: unknown data set, nearest names.
        load_gold(reference, folders)
    return {item.id: item for item in load(reference, folders).items}
