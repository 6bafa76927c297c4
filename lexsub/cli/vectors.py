"""``lexsub vectors``: make word vectors from counts or files, and ask them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import COUNT, FOLDER, HERE, JSON, JSON_LINES, option
from lexsub.cli.parts import options_of
from lexsub.datasets import Lexelt
from lexsub.errors import LexsubError
from lexsub.printable import printable, spelled
from lexsub.storage.files import write_folder

BUILDER = "lexsub.candidates.vectors.build:VectorsBuilder"


@click.group()
def command() -> None:
    """Make word vectors and ask them.

    WORD is a lemma with its part of speech, as bright.a (n, v, a or r), or a bare form.
    """


@command.command(
    cls=options_of(
        BUILDER,
        dimensions={"names": ["-d", "--dimensions"]},
        thesaurus=None,
        file=None,
        format=None,
        limit=None,
    )
)
@click.argument("thesaurus", type=HERE)
@option("-o --out", "Folder of the new vectors.", type=FOLDER, required=True)
@click.option("--seed", default=0)
@JSON
def build(thesaurus: Path, out: Path, seed: int, as_json: bool, **options: Any) -> None:
    """Make vectors from the counts of THESAURUS (lexsub thesaurus build)."""
    from lexsub.candidates.vectors.build import build_vectors
    from lexsub.parts.base import BUILDERS
    from lexsub.parts.build import build_part

    table = {"name": "vectors", "thesaurus": str(thesaurus), **options}
    builder: Any = build_part(BUILDERS, table, "vectors build")
    with write_folder(out) as draft:
        build_vectors(thesaurus, draft, builder, seed)
    _report(out, as_json)


@command.command(
    cls=options_of(
        BUILDER,
        only=("format", "limit", "numbers"),
        format={"names": ["--kind"]},
        limit={"type": click.IntRange(min=0)},
    )
)
@click.argument("file", type=HERE)
@option("-o --out", "Folder of the new vectors.", type=FOLDER, required=True)
@JSON
def convert(file: Path, out: Path, as_json: bool, **options: Any) -> None:
    """Take in a FILE of vectors, plain or compressed."""
    from lexsub.vectors.files import convert as convert_file

    with write_folder(out) as draft:
        convert_file(file, draft, options["format"], options["limit"], options["numbers"])
    _report(out, as_json)


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@option(
    "-v --vectors",
    "Folder of the vectors (or LEXSUB_VECTORS).",
    type=HERE,
    required=True,
    envvar="LEXSUB_VECTORS",
)
@click.option("-k", default=10, type=COUNT)
@JSON_LINES
def neighbours(words: tuple[str, ...], vectors: Path, k: int, as_json: bool) -> None:
    """List the nearest words of each WORD, with cosine and tokens."""
    from lexsub.vectors.vectors import UNKNOWN, Vectors

    opened = Vectors(vectors)
    if lost := [word for word in words if opened.row(*_word(word)) == UNKNOWN]:
        names = ", ".join(map(repr, lost))
        raise LexsubError(f"{vectors}: knows no {names} (see lexsub vectors info {vectors})")
    found = []
    for word in dict.fromkeys(words):
        nearest = opened.nearest(*_word(word), k)
        if not nearest:
            click.echo(f"{word} is the only word of its part of speech", err=True)
        for near in nearest:
            tokens = int(opened.tokens[near.row])
            found.append(NearWord(word, "cosine", "similarity", near.word, near.value, tokens))
    show_neighbours(found, as_json)


@command.command()
@click.argument("vectors", type=HERE)
@option("--json", "The header as it is.", into="as_json")
def info(vectors: Path, as_json: bool) -> None:
    """Say what VECTORS were made from; their digests are checked, as always."""
    from lexsub.vectors.vectors import Vectors

    Vectors(vectors)
    _report(vectors, as_json, err=False)


def _report(folder: Path, as_json: bool, *, err: bool = True) -> None:
    """Print the header as it is, or else what it says for people."""
    from lexsub.vectors.folder import read_header

    header = read_header(folder)
    if as_json:
        click.echo(header.text(), nl=False)
        return
    blocks = ", ".join(f"{pos} {stop - start}" for pos, (start, stop) in header.blocks.items())
    left_out = ", ".join(f"{n} {why}" for why, n in header.left_out.items()) or "nothing"
    lines = [
        f"{spelled(folder)}: {header.format}, version {header.version}, {header.origin}",
        f"{header.words} words ({blocks}) of {header.dimensions} dimensions, "
        f"{'one space' if header.joint else 'a space a part of speech'}; left out: {left_out}",
    ]
    lines += [
        f"from {source.get('file', source['kind'])} (sha256 {source['sha256'][:12]})"
        for source in header.sources
    ]
    click.echo("\n".join(lines), err=err)


def _word(text: str) -> tuple[str, str]:
    try:
        lexelt = Lexelt.parse(text)
    except ValueError:
        return text, ""
    return lexelt.lemma, lexelt.pos


@dataclass(frozen=True, slots=True)
class NearWord:
    """A near word.

    Attributes:
        of: the word asked for.
        measure: by which it is near.
        kind: what values are: ``similarity`` (the higher, the closer) or ``distance``.
        word: the near word.
        value: of the measure.
        tokens: how often the near word was counted.
    """

    of: str
    measure: str
    kind: str
    word: str
    value: float
    tokens: int


def show_neighbours(found: Iterable[NearWord], as_json: bool) -> None:
    """Print near words as tab-separated lines below a header, or as a JSON object a line."""
    rows = list(found)
    if rows and not as_json:
        click.echo("word\tmeasure\tneighbour\tvalue\ttokens")
    for one in rows:
        if as_json:
            click.echo(json.dumps(asdict(one), ensure_ascii=False))
        else:
            words = f"{printable(one.of)}\t{one.measure} ({one.kind})\t{printable(one.word)}"
            click.echo(f"{words}\t{one.value:.4f}\t{one.tokens}")
