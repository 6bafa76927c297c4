"""How commands print the nearest words of words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import click

from lexsub.printable import printable


@dataclass(frozen=True, slots=True)
class Near:
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


def show_neighbours(found: Iterable[Near], as_json: bool) -> None:
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
