"""``lexsub registers``: which kind of text a document is (business or personal mail …)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import COUNT, JSON, print_json
from lexsub.errors import LexsubError
from lexsub.tables import Number, Table
from lexsub.tables.terminal import show

if TYPE_CHECKING:
    from lexsub.experiments.papers.registers import Trial


@click.group()
def command() -> None:
    """Classify documents by distinguishing words, as Guthrie and Walker did."""


@command.command()
@click.argument("documents", type=click.Path(path_type=Path))
@click.option("--labels", help="Classes to tell apart, as business,personal.  [default: all]")
@click.option(
    "--split",
    type=click.Choice(["half", "folds"]),
    default="half",
    help="Train on half of each class, or on all folds but one.",
)
@click.option("--folds", default=10, type=click.IntRange(min=2))
@click.option(
    "--frequent",
    default=300,
    type=COUNT,
    help="Distinguishing words: among so many first words of a class …",
)
@click.option(
    "--excluded",
    default=500,
    type=COUNT,
    help="… and not among so many of any other, by frequency.",
)
@click.option("--seed", default=0, help="Seed of the split.")
@click.option("--words", default=10, help="Distinguishing words to show.")
@JSON
def classify(
    documents: Path, labels: str | None, words: int, as_json: bool, **options: Any
) -> None:
    """Train and try the classifier on DOCUMENTS.

    A document is a line of JSON with "label" and "text" (or "counts", word to number).
    """
    from lexsub.experiments.papers.registers import read_documents, run_trial

    read = read_documents(documents, tuple(labels.split(",")) if labels else ())
    trial = run_trial(read, **options)
    if as_json:
        print_json(asdict(trial))
    else:
        _show(trial, words)


@command.command()
@click.argument("shares", nargs=-1, required=True, metavar="SHARES…")
@click.option("--tokens", default="50,100,200,400", help="Document lengths.")
@JSON
def theory(shares: tuple[str, ...], tokens: str, as_json: bool) -> None:
    """Print how often documents should be classified right, as TSV.

    SHARES is one argument a class: the shares of its tokens that fall into each set of
    distinguishing words; the rest is what is left of 1.  For instance .08,.04 .03,.06.
    """
    from lexsub.experiments.papers.registers import share_correct

    try:
        rows = [tuple(float(piece) for piece in text.split(",")) for text in shares]
        lengths = [int(piece) for piece in tokens.split(",")]
    except ValueError as error:
        raise LexsubError(f"{error}; expected numbers with commas between, as .08,.04") from None
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows) or min(lengths) < 1:
        raise LexsubError("expected the shares of two classes or more, as many for each")
    full = [(*row, 1 - sum(row)) for row in rows]
    if as_json:
        print_json(
            {
                length: [share_correct(full, k, length) for k in range(len(full))]
                for length in lengths
            }
        )
        return
    print("tokens\t" + "\t".join(f"class {k}" for k in range(1, len(rows) + 1)))
    for length in lengths:
        correct = (share_correct(full, k, length) for k in range(len(full)))
        print(f"{length}\t" + "\t".join(f"{value:.4f}" for value in correct))


def _show(trial: Trial, words: int) -> None:
    figures = trial.table
    every = [
        (row.label, row.documents, row.recall, row.precision, row.f, row.accuracy)
        for row in figures.rows
    ]
    documents = sum(row.documents for row in figures.rows)
    averages = (figures.mean_recall, figures.mean_precision, figures.mean_f)
    every.append(("AVERAGE", documents, *averages, figures.overall_accuracy))
    main = Table(
        "Classification by distinguishing words",
        ("class", "documents", "recall", "precision", "F", "accuracy"),
        [
            (label, number, *(Number(value, digits=3) for value in rest))
            for label, number, *rest in every
        ],
        (
            "As the paper has it: a class's accuracy is its recall; the averages are unweighted "
            "means of the rows (F: of the Fs), but that of accuracy is over all documents.",
        ),
    )
    sets = Table(
        "Distinguishing words (of all documents)",
        ("class", "number", "first ones"),
        [(label, len(found), " ".join(found[:words])) for label, found in trial.words.items()],
    )
    show([main, sets])
