"""``lexsub wordnet``: which WordNet is in use, and what it says of a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import FOLDER, JSON, option, print_json, tell
from lexsub.datasets import Lexelt
from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, describe, index_form, open_wordnet
from lexsub.wordnet.model import RELATIONS, Synset
from lexsub.wordnet.opening import Edition, rebuild
from lexsub.wordnet.reader import plain

WORDNET = option(
    "--wordnet",
    "Folder or archive with WordNet's files (else LEXSUB_WORDNET, one on this machine, "
    "or the one that comes with lexsub).",
    into="path",
    type=FOLDER,
)


@click.group()
def command() -> None:
    """Say which WordNet is in use, look words up."""


@command.command()
@WORDNET
@JSON
def info(path: Path | None, as_json: bool) -> None:
    """Print version, place and digest of the WordNet in use."""
    _print_edition(describe(_resources(path)), as_json)


@command.command()
@WORDNET
@JSON
def build(path: Path | None, as_json: bool) -> None:
    """Build the index anew (the first use builds it by itself)."""
    _print_edition(rebuild(_resources(path)), as_json)


@command.command()
@click.argument("word", metavar="WORD.POS")
@WORDNET
@JSON
def show(word: str, path: Path | None, as_json: bool) -> None:
    """Print the senses of a word, as bright.a: words, counts, gloss, relations."""
    try:
        lexelt = Lexelt.parse(word)
    except ValueError as error:
        raise LexsubError(str(error)) from error
    wordnet = open_wordnet(_resources(path))
    senses = wordnet.synsets(lexelt.lemma, lexelt.pos)
    bases = [] if senses else wordnet.readings(lexelt.lemma, lexelt.pos)
    if bases and bases[0] == index_form(plain(lexelt.lemma)):
        click.echo(f"WordNet writes {word} as {bases[0]}.{lexelt.pos}", err=True)
        senses = wordnet.synsets(bases[0], lexelt.pos)
    if not senses:
        hint = f"; its base form is {bases[0]}.{lexelt.pos}" if bases else ""
        raise LexsubError(f"WordNet {wordnet.version} has no {word}{hint}")
    rows = [_sense(wordnet, sense) for sense in senses]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        words = ", ".join(f"{w['word']} {w['tagged']}".removesuffix(" 0") for w in row["words"])
        print(f"{row['name']}  {words}  ({row['lexname']})\n    {row['gloss']}")
        for relation, names in row["relations"].items():
            print(f"    {relation}: {', '.join(names)}")


def _sense(wordnet: WordNet, synset: Synset) -> dict[str, Any]:
    names = {symbol: name for name, symbol in RELATIONS.items()}
    relations: dict[str, list[str]] = {}
    for pointer in synset.pointers:
        target = wordnet.synset(pointer.target)
        name = wordnet.name(target)
        if pointer.source_word:
            # A relation between two words, not between the whole synsets.
            source = synset.words[pointer.source_word - 1].text
            name = f"{source} -> {target.words[pointer.target_word - 1].text} ({name})"
        relations.setdefault(names.get(pointer.symbol, pointer.symbol), []).append(name)
    words = [
        {"word": word.marked.replace("_", " "), "tagged": word.tagged} for word in synset.words
    ]
    return {
        "name": wordnet.name(synset),
        "words": words,
        "lexname": wordnet.lexname(synset),
        "gloss": wordnet.gloss(synset),
        "relations": relations,
    }


def _print_edition(edition: Edition, as_json: bool) -> None:
    facts = edition.as_dict()
    tell(facts, "\n".join(f"{name:<8} {value}" for name, value in facts.items()), as_json)


def _resources(path: Path | None) -> Resources:
    return Resources(paths={"wordnet": path.absolute()} if path else {})
