"""Dependency-parsed sentences in CoNLL lines, as in ``lst_all.conll`` of Melamud et al.

Ten tab-separated columns (id, form, lemma, coarse and fine tag, features, head, relation and
two more); a blank line ends a sentence.  In that file words are lower-cased, only id, form,
head and relation are filled, a last token ``<eol>`` stands for the line end, and the k-th
sentence is that of the k-th item of SemEval-2007 trial and test together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import lines_of

LINE_END = "<eol>"


@dataclass(frozen=True, slots=True)
class ParsedToken:
    """One token of a parsed sentence.

    Attributes:
        form: the word.
        head: index from 0 of the token it depends on, -1 for the root.
        relation: the name of the dependency.
    """

    form: str
    head: int
    relation: str


def parse_conll(text: str, path: Path) -> Iterator[tuple[ParsedToken, ...]]:
    """Yield the sentences of a CoNLL file, ``<eol>`` tokens left out.

    Raises:
        FormatError: a line without ten columns, ids that do not count 1, 2, 3 …, a head
            outside its sentence.
    """
    rows: list[list[str]] = []
    first = 1
    for number, line in enumerate([*lines_of(text), ""], start=1):
        if line.strip():
            row = line.rstrip("\r").split("\t")
            if len(row) != 10 or row[0] != str(len(rows) + 1):
                raise FormatError(
                    path,
                    number,
                    f"{line[:60]!r}; expected ten columns, the first being {len(rows) + 1}",
                )
            rows.append(row)
        elif rows:
            yield _sentence(rows, path, first)
            rows = []
        if not rows:
            first = number + 1


def _sentence(rows: list[list[str]], path: Path, first: int) -> tuple[ParsedToken, ...]:
    size = len(rows) - (rows[-1][1] == LINE_END)
    tokens = []
    for offset, row in enumerate(rows):
        if not row[6].isdecimal() or int(row[6]) > len(rows):
            raise FormatError(
                path,
                first + offset,
                f"head {row[6]!r}; expected the number of a token, 0 to {len(rows)}",
            )
        tokens.append(ParsedToken(row[1], int(row[6]) - 1, row[7]))
    return tuple(tokens[:size])
