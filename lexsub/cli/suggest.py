"""``lexsub suggest`` and ``lexsub serve``: substitutes for words of the user's own sentences."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import COUNT, LANGUAGE, answering_options, option, warn
from lexsub.datasets import Item
from lexsub.errors import FormatError, LexsubError
from lexsub.marked_sentences import LONGEST, parse_targets
from lexsub.printable import printable
from lexsub.resources import Resources
from lexsub.storage.files import decode, read_bytes, refuse_other_kinds
from lexsub.tables import Table
from lexsub.tables.terminal import show
from lexsub.tables.value import UNDEFINED

if TYPE_CHECKING:
    from lexsub.experiments.serving.workers import Opened, Opener
    from lexsub.experiments.suggestions.answers import Suggestion, Suggestions
    from lexsub.experiments.suggestions.suggesting import Suggester


MANY = 20
"""Problems of a file, all of whose lines have one, that are told."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a file, or what is wrong with it.

    Attributes:
        asked: the sentence with its targets, or an item.
        line: its line, 0 for the sentence of the call.
        problem: why it cannot be answered; ``""`` where it can.
    """

    asked: str | Item
    line: int = 0
    problem: str = ""


@click.command(short_help="Suggest substitutes for a word in a sentence.")
@click.argument("sentence", required=False)
@option(
    "-f --file",
    "File of sentences, one a line (or of items, .jsonl, .csv, .tsv); - for standard input.",
    type=click.Path(path_type=Path),
)
@option(
    "--all",
    "Take SENTENCE or the file for a text without stars; answer every word of it.",
    into="whole",
)
@option("-n", "How many substitutes.  [default: as many as are good, at most 8]", type=COUNT)
@option("--why", "Say what speaks for each, in words.")
@option("--explain", "Say what speaks for each, in words and in numbers.")
@option("--json", "One JSON object a sentence.", into="as_json")
@LANGUAGE
@answering_options
def command(
    sentence: str | None,
    file: Path | None,
    whole: bool,
    n: int | None,
    why: bool,
    explain: bool,
    as_json: bool,
    opener: Callable[[], Suggester],
    resources: Resources,
) -> None:
    r"""Suggest substitutes for the marked word of SENTENCE, ready to paste.

    Mark the word with stars: lexsub suggest "The wine was too *strong* to drink." Behind the
    stars may stand its part of speech, n, v, a or r (*strong*.a); otherwise it is guessed. A star
    that is meant is written \*, a backslash \\. Several marked words are answered one by one.

    A line of a file that cannot be answered is named (those of a table first); the others are
    answered, and the exit status is 1 (2 where none can be).

    With --all, function words, names, numbers and quotations are left alone, and said why.
    """
    if whole:
        text = _whole(sentence, file, why or explain)
        _answer_whole(text, opener(), n, as_json)
        return
    # A file is looked at before anything is opened; a stream is answered line by line, so that
    # another program can ask on.
    streamed = sentence is None and file == Path("-")
    asked: Iterable[_Asked] = _questions(sentence, file, resources)
    if not streamed:
        asked = _some_answerable(list(asked))
    suggester = opener()
    if not as_json:
        lemmas = " (substitutes as lemmas; their forms need pip install 'lexsub-toolkit[lm]')"
        same = ": the same words in every sentence, which decides their form alone"
        parts = (suggester.name, same * suggester.blind, "" if suggester.inflected else lemmas)
        click.echo("".join(parts), err=True)
    good = bad = 0
    for one in asked:
        if one.problem:
            bad += 1
            warn(one.problem)
            if as_json:
                click.echo(json.dumps({"line": one.line, "error": one.problem}, ensure_ascii=False))
        else:
            good += 1
        answers = [] if one.problem else suggester.each(one.asked, n=n, explain=explain or why)
        for answer in answers:
            if as_json:
                record = _record(suggester, answer, one, explain, why)
                click.echo(json.dumps(record, ensure_ascii=False))
            else:
                _show(answer, explain, why)
        if streamed:
            sys.stdout.flush()
    if bad:
        raise click.exceptions.Exit(1 if good else 2)


def _whole(sentence: str | None, file: Path | None, why: bool) -> str:
    """Return the text that is to be answered whole."""
    from lexsub.data.own_files import is_own_file

    if why:
        raise LexsubError("--all answers without reasons; expected --why or --explain without it")
    if (sentence is None) == (file is None):
        raise LexsubError("expected one text, or --file with one (- for stdin)")
    if file is not None and is_own_file(str(file)):
        raise LexsubError(f"{file}: is a table; expected a file of running text with --all")
    if file is None:
        text = sentence or ""
    else:
        text = decode(sys.stdin.buffer.read() if file == Path("-") else _text(file), file)
    if not text.strip():
        raise LexsubError(f"{file or 'the text'}: holds no word; expected running text")
    return text


def _answer_whole(text: str, suggester: Suggester, n: int | None, as_json: bool) -> None:
    answer = suggester.text(text, n=n)
    if as_json:
        for word in answer.words:
            click.echo(json.dumps(word.as_json(), ensure_ascii=False))
        return
    click.echo(suggester.name, err=True)
    show([answer.view()])


def _some_answerable(asked: list[_Asked]) -> list[_Asked]:
    """Return the questions of a call; where none of them can be answered, say why."""
    if all(one.problem for one in asked):
        more = [f"and {len(asked) - MANY} more"] if len(asked) > MANY else []
        raise LexsubError("\n".join([*(one.problem for one in asked[:MANY]), *more]))
    return asked


def _questions(sentence: str | None, file: Path | None, resources: Resources) -> Iterator[_Asked]:
    from lexsub.data.own_files import is_own_file, read_own_file

    if (sentence is None) == (file is None):
        raise LexsubError("expected one sentence, or --file with a file of them (- for stdin)")
    if sentence is not None:
        parse_targets(sentence)
        yield _Asked(sentence)
        return
    assert file is not None
    if is_own_file(str(file)):
        refused: list[FormatError] = []
        items = read_own_file(file, resources.data, resources.language, refused.append).items
        yield from (_Asked("", error.line or 0, str(error)) for error in refused)
        yield from map(_Asked, items)
        return
    met = False
    lines = _stream() if file == Path("-") else iter(_text(file).split(b"\n"))
    for number, line in enumerate(lines, start=1):
        if line.strip():
            met = True
            yield _asked(line, file, number)
    if not met:
        raise LexsubError(f"{file}: holds no sentence; expected one a line")


def _asked(line: bytes, file: Path, number: int) -> _Asked:
    try:
        text = decode(line, file).rstrip("\r\n")
        parse_targets(text)
    except LexsubError as error:
        problem = error.problem if isinstance(error, FormatError) else str(error)
        return _Asked("", number, str(FormatError(file, number, problem)))
    return _Asked(text, number)


def _text(file: Path) -> bytes:
    data = read_bytes(file)
    refuse_other_kinds(data, file)
    return data


def _stream() -> Iterator[bytes]:
    """Yield the lines of standard input as they come."""
    # A line without end is no sentence: its beginning is refused as too long.
    return iter(lambda: sys.stdin.buffer.readline(5 * LONGEST), b"")


def _record(
    suggester: Suggester, answer: Suggestions, asked: _Asked, explain: bool, why: bool
) -> dict[str, Any]:
    best = [asdict(row) for row in answer.best]
    for row in best:
        if not explain:
            del row["parts"]
        if not (explain or why):
            del row["reasons"]
    return {
        **({"line": asked.line} if asked.line else {}),
        **({"id": answer.id} if answer.id else {}),
        "config": suggester.config,
        "model": suggester.model and suggester.model.name,
        "system": suggester.system,
        "text": answer.text,
        "target": answer.target,
        "start": answer.start,
        "lexelt": str(answer.lexelt),
        "candidates": answer.candidates,
        "unsure": answer.unsure,
        "note": answer.note,
        "suggestions": best,
    }


def _show(answer: Suggestions, explain: bool, why: bool) -> None:
    title = printable(f"{answer.target} ({answer.lexelt}): {answer.text}")
    if not answer.best:
        none = f"none of {answer.candidates} candidates for {answer.lexelt}"
        click.echo(f"{title}\n{none if answer.candidates else f'no candidate: {answer.note}'}")
        return
    if answer.unsure:
        title += "\n(nothing fits well; these come nearest)"
    rows = [
        (row.form + " (lemma)" * row.lemma, f"{row.score:z.3f}", "; ".join(_words(row)))
        for row in answer.best
    ]
    shown = 3 if explain or why else 2
    headings = ("substitute", "score", "why")[:shown]
    tables = [Table(title, headings, [row[:shown] for row in rows])]
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


def _words(row: Suggestion) -> Iterator[str]:
    if row.chance is not None:
        yield f"chance {row.chance:.0%}"
    yield from row.reasons


@click.command(short_help="Serve a page to try it on, and the same for programs.")
@option(
    "--host ADDRESS",
    "Address to listen at; this one is reached from this machine alone.",
    "127.0.0.1",
)
@option(
    "--port",
    "Port to listen at; 0 takes one that is free, and prints it.",
    8642,
    type=click.IntRange(0, 65535),
)
@option("--workers", "Processes that answer; each opens the system.", 2, type=COUNT)
@option(
    "--timeout SECONDS",
    "How long a question may wait for a worker, and then for its answer.",
    10.0,
    into="seconds",
    type=click.FloatRange(min=0, min_open=True),
)
@option("--queue", "How many questions may wait.", 200, type=COUNT)
@option(
    "--origin URL...", "A site whose pages may ask, too, as http://localhost:3000.", into="origins"
)
@answering_options
def serve(opener: Opener, resources: Resources, **options: Any) -> None:
    """Serve a page on which to try words, and POST /suggest for programs, until Ctrl-C.

    The address is printed when it answers. /openapi.json describes what programs can ask. Only
    this machine reaches it unless --host says otherwise; texts are neither kept nor logged.
    """
    from lexsub.experiments.serving import serve as serve_page

    del resources
    serve_page(opener, ready=_announce, **options)


def _announce(address: str, local: bool, opened: Opened) -> None:
    forms = "" if opened.inflected else ", substitutes as lemmas"
    click.echo(f"{opened.name}{forms}; Ctrl-C ends it", err=True)
    if not local:
        click.echo(
            "whoever reaches this machine can ask, and what is sent is not encrypted", err=True
        )
    click.echo(address)
