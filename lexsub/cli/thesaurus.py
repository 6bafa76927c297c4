"""``lexsub thesaurus``: build distributional thesauri and ask them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import COUNT, DATA, FOLDER, HERE, JSON, JSON_LINES, option, print_json
from lexsub.cli.parts import options_of
from lexsub.datasets import Lexelt
from lexsub.errors import LexsubError
from lexsub.printable import spelled
from lexsub.resources import Resources
from lexsub.storage.files import atomic_write, write_folder
from lexsub.storage.user_folders import data_folders

MEASURES = (
    "lin, l1, jaccard, cosine, alpha-skew, jensen-shannon, weighted-jaccard; options as in "
    "cosine(weights=ppmi)."
)


@click.group()
def command() -> None:
    """Build distributional thesauri from any corpus and ask them.

    WORD is a lemma with its part of speech, as bright.a (n, v, a or r), or a bare form where
    the thesaurus was built without a lexicon.
    """


_THESAURUS = option(
    "-t --thesaurus",
    "Folder of the thesaurus (or LEXSUB_THESAURUS).",
    type=HERE,
    required=True,
    envvar="LEXSUB_THESAURUS",
)


@command.command(
    cls=options_of(
        "lexsub.candidates.distributional.build:ThesaurusBuilder",
        inventory={
            "type": str,
            "help": "core, all, or names by part of speech: n=dobj-of,prep-* v=dobj …",
        },
        tables={"names": ["--measure"]},
    )
)
@option("-o --out", "Folder of the new thesaurus.", type=FOLDER, required=True)
@click.option("--workers", type=COUNT, default=1)
@option("--backend", "joblib's, or dask.", "loky")
@DATA
@JSON
def build(
    out: Path,
    inventory: str,
    tables: tuple[str, ...],
    workers: int,
    backend: str,
    data: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Build a thesaurus from relation counts, parsed text or running text, or all joined.

    A build that was stopped goes on where it was when it is called again.
    """
    from lexsub.candidates.distributional.export import canonical
    from lexsub.parts.base import BUILDERS
    from lexsub.parts.build import build_part

    given = {"inventory": _inventory(inventory), "tables": [canonical(name) for name in tables]}
    builder = build_part(BUILDERS, {"name": "thesaurus", **given, **options}, "thesaurus build")
    resources = Resources(data=data_folders(data), workers=workers, backend=backend)
    with write_folder(out) as draft:
        builder.build(resources, draft)
    _report(out, as_json)


@command.command()
@click.argument("thesaurus", type=HERE)
@click.option("-m", "--measure", default="lin")
@click.option("--top", default=200, type=COUNT)
@click.option("--workers", type=COUNT, default=1)
@option("--backend", "joblib's, or dask.", "loky")
@option(
    "--memory",
    "Megabytes of all workers; on a cluster, of each.",
    1500,
    type=click.IntRange(min=100),
)
@JSON
def table(
    thesaurus: Path, measure: str, top: int, workers: int, backend: str, memory: int, as_json: bool
) -> None:
    """Compute the nearest words of every word of THESAURUS, or go on doing so."""
    from lexsub.candidates.distributional.export import canonical
    from lexsub.candidates.distributional.table import build_table

    build_table(thesaurus, canonical(measure), top, workers, backend, memory)
    _report(thesaurus, as_json)


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@click.option("-k", default=10, type=COUNT)
@option("-m --measure TEXT...", f"{MEASURES} Several times if need be.", ("lin",), into="measures")
@JSON_LINES
@_THESAURUS
def neighbours(
    words: tuple[str, ...], k: int, thesaurus: Path, measures: tuple[str, ...], as_json: bool
) -> None:
    """List the nearest words of each WORD by each measure, with value and context tokens."""
    from lexsub.candidates.distributional.measures import measure_name, parse_measure
    from lexsub.candidates.distributional.thesaurus import Thesaurus
    from lexsub.cli.vectors import NearWord, show_neighbours

    opened = [Thesaurus(thesaurus, parse_measure(one, "--measure")) for one in measures]
    lexelts = {word: _word(word) for word in words}
    if lost := [word for word, lexelt in lexelts.items() if not opened[0].knows(*lexelt)]:
        raise LexsubError(
            f"{thesaurus}: knows no {', '.join(map(repr, lost))}; words with fewer context tokens "
            "than word_tokens are left out (see lexsub thesaurus info)"
        )
    found = []
    for word, lexelt in lexelts.items():
        for one in opened:
            kind = "similarity" if one.measure.higher_is_closer else "distance"
            about = (word, measure_name(one.measure), kind)
            near = one.neighbours(*lexelt, k)
            found += [NearWord(*about, n.word, n.value, n.tokens) for n in near]
        if not any(near.of == word for near in found):
            click.echo(f"{word} shares no context with another word", err=True)
    show_neighbours(found, as_json)


@command.command()
@click.argument("word")
@click.argument("other")
@option("-k", "How many contexts to list.", 20)
@option("-m --measure", MEASURES, "lin")
@JSON_LINES
@_THESAURUS
def explain(word: str, other: str, k: int, thesaurus: Path, measure: str, as_json: bool) -> None:
    """List the contexts that make OTHER similar to WORD, those that matter most first."""
    from lexsub.candidates.distributional.measures import parse_measure
    from lexsub.candidates.distributional.thesaurus import Thesaurus

    lemma, pos = _word(word)
    candidate, other_pos = _word(other)
    if pos != other_pos:
        raise LexsubError(f"{word} and {other} are of different parts of speech; expected the same")
    found = Thesaurus(thesaurus, parse_measure(measure, "--measure")).explain(lemma, candidate, pos)
    if found is None:
        raise LexsubError(f"{thesaurus}: knows not both of {word} and {other}")
    if as_json:
        click.echo(json.dumps(asdict(found), ensure_ascii=False))
        return
    value = "nothing shared" if found.value is None else f"{found.value:.4f}"
    shared = f"{len(found.shared)} shared of {found.sizes[0]} and {found.sizes[1]} contexts"
    click.echo(f"{measure} {value}; neighbour {found.rank or '-'} of {word}; {shared}", err=True)
    click.echo("relation\tother\tcount 1\tcount 2\tweight 1\tweight 2\tpart")
    for c in found.shared[:k]:
        numbers = [*c.counts, *(f"{value:.4f}" for value in (*c.weights, c.part))]
        click.echo("\t".join(map(str, (c.relation, c.other, *numbers))))


@command.command()
@click.argument("thesaurus", type=HERE)
@option("-o --out", "File to write.", type=FOLDER, required=True)
@option(
    "--format [tsv|mythes|vectors]", "vectors: word2vec text of K contexts.", "tsv", into="kind"
)
@click.option("-m", "--measure", default="lin")
@click.option("-k", default=20, type=COUNT)
@click.option("--workers", type=COUNT, default=1)
@click.option("--backend", default="loky")
@JSON
def export(
    thesaurus: Path, out: Path, kind: str, measure: str, as_json: bool, **options: Any
) -> None:
    """Write all neighbours or vectors of THESAURUS for other programs."""
    from lexsub.candidates.distributional import export as module

    with atomic_write(out) as file:
        module.export(thesaurus, module.canonical(measure), kind=kind, out=file, **options)
    if as_json:
        print_json({"out": out, "format": kind})


@command.command()
@click.argument("thesaurus", type=HERE)
@JSON
def info(thesaurus: Path, as_json: bool) -> None:
    """Say what a thesaurus was built from and what it holds."""
    _report(thesaurus, as_json, err=False)


def _report(folder: Path, as_json: bool, *, err: bool = True) -> None:
    """Print the header as it is, or else what it says for people."""
    from lexsub.candidates.distributional.model import read_header

    header = read_header(folder)
    if as_json:
        click.echo(header.text(), nl=False)
        return
    lines = [f"{spelled(folder)}: {header.format}, version {header.version}"]
    for source in header.sources:
        files = ", ".join(source["files"][:3]) + (" …" if len(source["files"]) > 3 else "")
        lines.append(f"from {source['kind']}: {files} (sha256 {source['sha256'][:12]})")
    for pos, space in header.spaces.items():
        lines.append(
            f"{pos}: {space.words} words, {space.contexts} contexts, {space.nonzeros} pairs, "
            f"{space.tokens} tokens, {len(space.relations)} relations"
        )
    tables = sorted(path.name for path in (folder / "tables").glob("[!.]*"))
    lines.append(f"tables: {', '.join(tables) or 'none'}")
    click.echo("\n".join(lines), err=err)


def _word(text: str) -> tuple[str, str]:
    """Return lemma and part of speech; a bare form has the part of speech ``*``."""
    try:
        lexelt = Lexelt.parse(text)
    except ValueError as error:
        if "." in text:
            raise LexsubError(str(error)) from error
        return text, "*"
    return lexelt.lemma, lexelt.pos


def _inventory(text: str) -> str | dict[str, list[str]]:
    if "=" not in text:
        return text
    chosen: dict[str, list[str]] = {}
    for entry in text.split():
        pos, _, names = entry.partition("=")
        chosen.setdefault(pos, []).extend(name for name in names.split(",") if name)
    return chosen
