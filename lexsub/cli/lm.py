"""``lexsub lm``: train language models, take foreign ones in, ask them."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import COUNT, FOLDER, HERE, JSON, option, print_json, tell
from lexsub.cli.parts import options_of
from lexsub.corpus.reader import Corpus
from lexsub.errors import FormatError
from lexsub.printable import spelled
from lexsub.progress import under_way
from lexsub.rankers.lm.header import LmHeader, read_header, write_header
from lexsub.resources import Resources
from lexsub.storage.files import write_folder


@click.group()
def command() -> None:
    """Train language models, take foreign ones in, ask them."""


@command.command(
    cls=options_of(
        "lexsub.rankers.lm.training:LanguageModelBuilder",
        corpus=None,
        prune={"default": "0", "show_default": True},
        vocabulary={"metavar": "N"},
        lower={"names": ["--lower/--cased"]},
        binary={"names": ["--binary/--arpa"]},
    )
)
@click.argument("corpus", nargs=-1, required=True)
@option("-o --out", "Folder of the new model.", type=FOLDER, required=True)
@click.option("--workers", type=COUNT, default=1)
@option("--backend", "joblib's, or dask.", "loky")
@JSON
def train(
    corpus: tuple[str, ...], out: Path, workers: int, backend: str, as_json: bool, **options: object
) -> None:
    """Train a model on CORPUS: files, globs and folders of text, plain or compressed.

    Kneser-Ney works by blocks that fit in the memory allowed, on several workers or a cluster; if
    it was stopped, it goes on where it was when it is called again.
    """
    from lexsub.parts.base import BUILDERS
    from lexsub.parts.build import build_part

    builder = build_part(BUILDERS, {"name": "lm", "corpus": corpus, **options}, "lm train")
    with write_folder(out) as draft, under_way(f"training {out.name}"):
        builder.build(Resources(workers=workers, backend=backend), draft)
    _report(out, as_json)


@command.command("import")
@click.argument("file", type=HERE)
@option("-o --out", "Folder of the new model.", type=FOLDER, required=True)
@option("--lower/--cased", "Whether its text was lower-cased.", required=True)
@option("--language", "ISO 639-1 code of its text.", "en")
@JSON
def import_model(file: Path, out: Path, lower: bool, language: str, as_json: bool) -> None:
    """Take in an ARPA or KenLM binary FILE, whose text was tokenised as lexsub does it."""
    import shutil

    from lexsub.rankers.lm.model import inspect_model

    found = inspect_model(file)
    header = LmHeader(
        "backoff",
        found.order,
        file.name,
        lower=lower,
        language=language,
        engine="imported",
        types=found.types,
    )
    if found.cased == lower:
        click.echo(
            f"{file} knows {found.example!r}: its text was not lower-cased, and --lower never "
            "asks for such words; import it with --cased"
            if lower
            else f"{file} knows no word with a capital: import it with --lower",
            err=True,
        )
    with write_folder(out) as draft:
        shutil.copyfile(file, draft / file.name)
        write_header(draft, header)
    _report(out, as_json)


@command.command()
@click.argument("model", type=HERE)
@JSON
def show(model: Path, as_json: bool) -> None:
    """Print a model's header and which engine asks it, as JSON in any case."""
    from lexsub.rankers.lm.model import asked_by

    del as_json
    header = read_header(model)
    print_json(dict(sorted({**asdict(header), "asked_by": asked_by(model, header)}.items())))


@command.command()
@click.argument("model", type=HERE)
@click.argument("text", type=FOLDER)
@option("--tokenised", "The text is tokenised as the model's was.")
@JSON
def score(model: Path, text: Path, tokenised: bool, as_json: bool) -> None:
    """Print tokens, log10 probability and perplexity of each line of TEXT, as TSV.

    The last column says how many of the tokens the model does not know.  A blank line has a row
    of its own and plays no role for the whole.
    """
    from lexsub.rankers.lm.header import Window
    from lexsub.rankers.lm.model import open_model

    opened = open_model(model)
    tokens, total = 0, 0.0
    rows: list[dict[str, Any]] = []
    if not as_json:
        print("tokens\tlog10\tperplexity\tunknown")
    for number, line in enumerate(Corpus((text,), blank=True).lines(), start=1):
        row: dict[str, Any] = {"tokens": 0, "log10": None, "perplexity": None, "unknown": 0}
        if line:
            if tokenised:
                opened.header.check_tokens(line, text, number)
            words = opened.header.tokenise(line)
            log10 = float(opened.log10([Window(" ".join(words), bos=True, eos=True)])[0])
            unknown = sum(not opened.knows(word) for word in words)
            own = _perplexity(log10, len(words) + 1)
            row = {"tokens": len(words), "log10": log10, "perplexity": own, "unknown": unknown}
            tokens += len(words) + 1
            total += log10
        rows.append(row)
        if not as_json:
            print(f"{len(words)}\t{log10:.6f}\t{own:.3f}\t{unknown}" if line else "0\t\t\t0")
    if not tokens:
        raise FormatError(text, None, "holds no text; expected lines to score")
    perplexity = _perplexity(total, tokens)
    words_in_all, unknown_in_all = (sum(row[key] for row in rows) for key in ("tokens", "unknown"))
    whole = {"tokens": tokens, "perplexity": perplexity, "unknown": unknown_in_all}
    said = f"perplexity {perplexity:.3f} over {tokens} tokens, </s> included"
    unknown_words = f"{unknown_in_all} of {words_in_all} words unknown"
    tell({"lines": rows, **whole}, f"{said}; {unknown_words}", as_json, err=True)


def _perplexity(log10: float, tokens: int) -> float:
    try:
        return float(10 ** (-log10 / tokens))
    except OverflowError:
        return math.inf


def _report(folder: Path, as_json: bool) -> None:
    header = read_header(folder)
    # A foreign file does not say of how much text it was made, nor a binary one of what words.
    types = f"{header.types:,} types, " if header.types else ""
    tokens = f"{header.tokens:,} tokens, " if header.tokens else ""
    text = f"{spelled(folder)}: {header.kind} model of order {header.order}, {types}{tokens}"
    record = {"folder": spelled(folder), **asdict(header)}
    tell(record, f"{text}engine {header.engine}", as_json, err=True)
