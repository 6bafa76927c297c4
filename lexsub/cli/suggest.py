"""``lexsub suggest``: substitutes for a word in a sentence of one's own."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import DATA, LANGUAGE, RESOURCES
from lexsub.errors import FormatError, LexsubError
from lexsub.files import decode, read_bytes
from lexsub.marks import LONGEST, Marked, parse_marked
from lexsub.printable import printable
from lexsub.resources import Resources, data_folders
from lexsub.tables import Table
from lexsub.tables.terminal import show
from lexsub.tables.value import UNDEFINED

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester, Suggestion, Suggestions
    from lexsub.rankings import Origin


@click.command(short_help="Suggest substitutes for a word in a sentence.")
@click.argument("sentence", required=False)
@click.option("-f", "--file", type=click.Path(path_type=Path),
              help="File of sentences, one a line (or of items, .jsonl, .csv, .tsv); - for "
                   "standard input.")  # fmt: skip
@click.option("-n", type=click.IntRange(min=1),
              help="How many substitutes.  [default: as many as are good, at most 8]")  # fmt: skip
@click.option("--model", default="", metavar="NAME|DIR",
              help="Model that answers (lexsub model list).  [default: the one chosen by lexsub "
                   "model use, or english]")  # fmt: skip
@click.option("--config", default="", metavar="CONFIG",
              help="Config file or ready config whose system to use, in place of a model; its "
                   "models must be trained (lexsub run CONFIG).")  # fmt: skip
@click.option("--system", default="", metavar="NAME", help="A system of the config.")
@click.option("--explain", is_flag=True, help="Say what speaks for each, in words and in numbers.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a sentence.")
@LANGUAGE
@RESOURCES
@DATA
def command(
    sentence: str | None, file: Path | None, n: int | None, model: str, config: str, system: str,
    explain: bool, as_json: bool, language: str | None, places: dict[str, Path],
    data: Path | None,
) -> None:  # fmt: skip
    r"""Suggest substitutes for the marked word of SENTENCE, ready to paste.

    Mark the word with stars: lexsub suggest "The wine was too *strong* to drink." Behind the
    stars may stand its part of speech, n, v, a or r (*strong*.a); otherwise it is guessed. A star
    that is meant is written \*, a backslash \\.
    """
    # A file is looked at before anything is opened; a stream is answered line by line, so that
    # another program can ask on.
    streamed = sentence is None and file == Path("-")
    folders = data_folders(data)
    marked: Iterable[Marked] = _sentences(sentence, file, folders, language)
    if not streamed:
        marked = list(marked)
    from lexsub.experiments.suggestions.suggesting import open_suggester

    resources = Resources(data=folders, paths=places, language=language or "en")
    suggester = open_suggester(config, system, resources, model)
    if not as_json:
        lemmas = " (substitutes as lemmas; their forms need pip install 'lexsub-toolkit[lm]')"
        click.echo(suggester.name + ("" if suggester.inflected else lemmas), err=True)
    for target in marked:
        answer = suggester.suggest(target, n, explain=explain)
        if as_json:
            click.echo(json.dumps(_record(suggester, answer, explain), ensure_ascii=False))
        else:
            _show(answer, explain)
        if streamed:
            sys.stdout.flush()


def _sentences(
    sentence: str | None, file: Path | None, folders: Sequence[Path], language: str | None
) -> Iterator[Marked]:
    from lexsub.data.own_files import is_own_file, read_own_file

    if (sentence is None) == (file is None):
        raise LexsubError("expected one sentence, or --file with a file of them (- for stdin)")
    if sentence is not None:
        yield parse_marked(sentence)
        return
    assert file is not None
    if is_own_file(str(file)):
        for item in read_own_file(file, folders, language or "en").items:
            yield Marked(item.text, item.start, item.end, item.pos)
        return
    met = False
    lines = _stream() if file == Path("-") else iter(decode(read_bytes(file), file).split("\n"))
    for number, line in enumerate(lines, start=1):
        if line.strip():
            met = True
            yield parse_marked(line.rstrip("\r"), f"{file}:{number}")
    if not met:
        raise LexsubError(f"{file}: holds no sentence; expected one a line")


def _stream() -> Iterator[str]:
    """Yield the lines of standard input as they come."""
    # A line without end is no sentence: its beginning is refused as too long.
    lines = iter(lambda: sys.stdin.buffer.readline(5 * LONGEST), b"")
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig").rstrip("\n")
        except UnicodeDecodeError as error:
            raise FormatError("-", number, f"{error.reason}; expected UTF-8 text") from error


def _record(suggester: Suggester, answer: Suggestions, explain: bool) -> dict[str, Any]:
    best = [asdict(row) for row in answer.best]
    if not explain:
        for row in best:
            del row["parts"], row["reasons"]
    return {
        "config": suggester.config,
        "model": suggester.model and suggester.model.name,
        "system": suggester.system,
        "text": answer.text,
        "target": answer.target,
        "lexelt": str(answer.lexelt),
        "candidates": answer.candidates,
        "unsure": answer.unsure,
        "note": answer.note,
        "suggestions": best,
    }


def _show(answer: Suggestions, explain: bool) -> None:
    title = printable(f"{answer.target} ({answer.lexelt}): {answer.text}")
    if not answer.best:
        none = f"none of {answer.candidates} candidates for {answer.lexelt}"
        click.echo(f"{title}\n{none if answer.candidates else f'no candidate: {answer.note}'}")
        return
    if answer.unsure:
        title += "\n(nothing fits well; these come nearest)"
    rows = [
        (
            row.form + " (lemma)" * row.lemma, f"{row.score:z.3f}",
            "; ".join(_words(row, explain)),
        )
        for row in answer.best
    ]  # fmt: skip
    tables = [Table(title, ("substitute", "score", "why" if explain else "origins"), rows)]
    names = list(answer.best[0].parts) if explain else []
    if names:
        # A row a part: there are many, with long names, of a few substitutes.
        for start in range(0, len(answer.best), 4):  # more do not fit beside one another
            few = answer.best[start : start + 4]
            numbers = [(name, *(_number(row.parts[name]) for row in few)) for name in names]
            columns = ("part", *(row.form for row in few))
            tables.append(Table("" if start else "in numbers", columns, numbers))
    show(tables)


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:z.3g}"


def _words(row: Suggestion, explain: bool) -> Iterator[str]:
    if not explain:
        yield from map(_origin, row.origins)
        return
    if row.chance is not None:
        yield f"chance {row.chance:.0%}"
    yield from row.reasons


def _origin(origin: Origin) -> str:
    group = f" {origin.group}" if origin.group else ""
    return f"{origin.source}{group} #{origin.rank + 1}"
