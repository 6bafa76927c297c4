"""``lexsub corpus``: look at the text that models are made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import COUNT, DATA, JSON, option
from lexsub.errors import LexsubError
from lexsub.storage.user_folders import data_folders

if TYPE_CHECKING:
    from lexsub.corpus.overlap import Overlap


@click.group()
def command() -> None:
    """Look at corpora: text files, globs and folders, plain or compressed."""


@command.command()
@click.argument("corpus", nargs=-1, required=True)
@click.argument("dataset")
@option("-n", "Words of an n-gram.", 10, type=COUNT)
@option("--top", "Sentences to list.", 20, type=click.IntRange(min=0))
@JSON
@DATA
def overlap(
    corpus: tuple[str, ...], dataset: str, n: int, top: int, as_json: bool, data: Path | None
) -> None:
    """Find sentences of DATASET (as semeval2007/test) that stand in CORPUS, whole or in part.

    Words are compared without case, signs and apostrophes; line ends of the corpus part
    nothing. A model trained on such a corpus has seen what it is tested on.

    Exit status: 0 no n-gram is shared, 1 some are, 2 the input or the call was wrong.
    """
    from lexsub.corpus.overlap import find_overlap
    from lexsub.corpus.reader import Corpus
    from lexsub.data.catalogue import load

    items = load(dataset, data_folders(data)).items
    found = find_overlap(Corpus(corpus), items, n)
    if not found.words:
        # "No sentence is shared" would suggest that there was text to compare.
        raise LexsubError(f"{', '.join(corpus)}: holds no words; expected text, one line or many")
    if as_json:
        click.echo(json.dumps(_record(found, dataset), ensure_ascii=False, indent=1))
    else:
        _show(found, dataset, top)
    raise click.exceptions.Exit(1 if found.shared else 0)


def _record(overlap: Overlap, dataset: str) -> dict[str, Any]:
    return {
        "data": dataset,
        "n": overlap.n,
        "sentences": overlap.sentences,
        "too_short": overlap.short,
        "corpus": {
            "files": overlap.report.files,
            "lines": overlap.report.lines,
            "words": overlap.words,
            "bad_bytes": sum(overlap.report.bad_bytes.values()),
        },
        "shared": [
            {
                "items": shared.items,
                "sentence": shared.text,
                "ngrams": shared.ngrams,
                "shared_ngrams": len(shared.places),
                "longest": " ".join(shared.words[start : start + length]),
                "file": str(shared.places[start][0]),
                "line": shared.places[start][1],
            }
            for shared in overlap.shared
            for start, length in (shared.longest(overlap.n),)
        ],
    }


def _show(overlap: Overlap, dataset: str, top: int) -> None:
    record = _record(overlap, dataset)
    most = sorted(record["shared"], key=lambda row: -row["shared_ngrams"] / row["ngrams"])
    for row in most[:top]:
        click.echo(
            f"{' '.join(row['items'])}: {row['shared_ngrams']} of {row['ngrams']} "
            f"{overlap.n}-grams, first at {row['file']}:{row['line']}: {row['longest']}"
        )
    if len(most) > top:
        click.echo(f"… and {len(most) - top} more sentences (--top, --json)")
    click.echo(
        f"{len(most)} of {overlap.sentences} sentences of {dataset} share {overlap.n}-grams with "
        f"{overlap.words} words of {overlap.report.files} files; {overlap.short} sentences are too "
        "short to tell"
    )
