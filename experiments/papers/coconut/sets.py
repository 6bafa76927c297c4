"""Coconuts, the TSV file in which sets of them travel, and the n-gram models of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from lexsub.errors import FormatError, cut
from lexsub.experiments.pipeline.keys import Keys
from lexsub.experiments.pipeline.store import Store
from lexsub.parts.base import BUILDERS
from lexsub.parts.build import build_part
from lexsub.rankers.lm.header import LanguageModel
from lexsub.rankers.lm.model import open_model
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, write_text

Kind = Literal["word", "sentence"]
KINDS: tuple[Kind, ...] = get_args(Kind)

COLUMNS = ("coconut", "kind", "sentence", "real", "slot", "text")


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence with a slot.

    Attributes:
        tokens: its tokens.
        slot: index of the token that was, or could have been, exchanged.
    """

    tokens: tuple[str, ...]
    slot: int

    @property
    def text(self) -> str:
        """The tokens joined by blanks."""
        return " ".join(self.tokens)

    @property
    def word(self) -> str:
        """The word in the slot."""
        return self.tokens[self.slot]


@dataclass(frozen=True, slots=True)
class Coconut:
    """Some sentences; exactly one of them is real.

    Attributes:
        id: unique in its set.
        kind: ``word``: one word in different sentences; ``sentence``: one sentence with
            different words.
        utterances: the sentences, the real one anywhere among them.
        real: index of the real one.
    """

    id: str
    kind: Kind
    utterances: tuple[Utterance, ...]
    real: int


def write_coconuts(path: Path, coconuts: Iterable[Coconut]) -> None:
    """Write a set as TSV: a header, then a line for each sentence.

    Columns: coconut, kind, sentence (number in the coconut, from 1), real (1 or 0), slot
    (index of the exchanged token, from 0), text (tokens joined by blanks).

    Raises:
        FileProblemError: the disk refuses.
    """
    lines = ["\t".join(COLUMNS)]
    lines += (
        f"{coconut.id}\t{coconut.kind}\t{number}\t{int(number - 1 == coconut.real)}\t"
        f"{utterance.slot}\t{utterance.text}"
        for coconut in coconuts
        for number, utterance in enumerate(coconut.utterances, start=1)
    )
    write_text(path, "\n".join(lines) + "\n")


def read_coconuts(path: Path) -> tuple[Coconut, ...]:
    """Read a set, written by :func:`write_coconuts` or by another tool.

    Raises:
        FormatError: a line of another shape, sentences that do not count from 1, or a coconut
            without exactly one real sentence.
    """
    groups: dict[str, list[tuple[Any, bool, Utterance]]] = {}
    last = ""
    for number, fields in read_tsv(path, COLUMNS):
        name, kind, sentence, real, slot, text = fields
        rows, tokens = groups.setdefault(name, []), tuple(text.split(" "))
        problem = ""
        if rows and name != last:
            problem = f"coconut {name!r} stands in two places"
        elif kind not in KINDS or (rows and rows[0][0] != kind):
            problem = f"kind {kind!r}; expected one of {', '.join(KINDS)} for {name!r}"
        elif sentence != str(len(rows) + 1):
            problem = f"sentence {sentence!r}; expected {len(rows) + 1}"
        elif real not in ("0", "1"):
            problem = f"real is {real!r}; expected 1 or 0"
        elif not (
            slot.isascii() and slot.isdecimal() and len(slot) < 7 and int(slot) < len(tokens)
        ):
            problem = f"slot {slot!r}; expected the index of a token, 0 to {len(tokens) - 1}"
        elif "" in tokens:
            problem = "tokens are not parted by single blanks"
        if problem:
            raise FormatError(path, number, problem)
        last = name
        rows.append((kind, real == "1", Utterance(tokens, int(slot))))
    return tuple(_coconut(path, name, rows) for name, rows in groups.items())


def read_tsv(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of a TSV file whose header must be ``columns``.

    Raises:
        FormatError: another header, or a line with another number of fields.
    """
    lines = decode(read_unpacked(path), path).replace("\r\n", "\n").split("\n")
    if lines[0].split("\t") != list(columns):
        raise FormatError(
            path, 1, f"header {cut(lines[0])!r}; expected the columns {' '.join(columns)} (TSV)"
        )
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        fields = line.split("\t")
        if len(fields) != len(columns):
            raise FormatError(
                path, number, f"{len(fields)} fields; expected {len(columns)}, TABs between them"
            )
        yield number, fields


def _coconut(path: Path, name: str, rows: list[tuple[Any, bool, Utterance]]) -> Coconut:
    real = [place for place, (_, is_real, _) in enumerate(rows) if is_real]
    if len(real) != 1 or len(rows) < 2:
        found = f"coconut {name!r} has {len(rows)} sentences, {len(real)} of them real"
        raise FormatError(path, None, f"{found}; expected two or more, exactly one of them real")
    return Coconut(name, rows[0][0], tuple(utterance for _, _, utterance in rows), real[0])


LABELS = {"additive": "additive", "kneser-ney": "KN", "one-count": "one-count"}


def trained_models(
    corpus: Sequence[str], orders: Sequence[int], smoothings: Sequence[str], resources: Resources
) -> Iterator[tuple[str, LanguageModel]]:
    """Yield (name, model) for each smoothing and order, trained unless the cache has it.

    The paper has orders 2 to 4 with additive smoothing by 0.1.

    Raises:
        LexsubError: no text, too much text for the memory allowed, an option out of range.
    """
    store = Store(resources.cache)
    keys = Keys(store)
    for smoothing in smoothings:
        for order in orders:
            table = {"name": "lm", "corpus": list(corpus), "order": order}
            table |= {"smoothing": smoothing, "engine": "embedded"}
            builder = build_part(BUILDERS, table, "coconut run")
            key = keys.model(builder, resources)
            build = partial(builder.build, resources)
            stage = store.stage("model", key.ingredients, build, key.inputs)
            yield f"{order}-gram {LABELS[smoothing]}", open_model(stage.folder)
