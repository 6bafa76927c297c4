"""Part-of-speech tagged corpora: ``word/tag`` lines, CoNLL-U, or plain text through a tagger."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from lexsub.corpus.reader import Corpus, corpus_files
from lexsub.errors import FormatError, LexsubError, needing
from lexsub.storage.compression import read_lines

TagFormat = Literal["brown", "conllu", "text"]

SUFFIXES: dict[TagFormat, tuple[str, ...]] = {
    "brown": (".txt", ".pos", ".tagged", ".brown"),
    "conllu": (".conllu", ".conll"),
    "text": (".txt",),
}

# The 500 files of the Brown corpus as NLTK has them: ca01 … cr09.
_BROWN_FILE = re.compile(r"c[a-r][0-9]{2}")


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence with a tag for every word.

    Attributes:
        words: the words.
        tags: their tags, in upper case, as many.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]


Tagger = Callable[[Iterable[str]], Iterator[TaggedSentence]]
"""From lines of running text to tagged sentences."""


def read_tagged(
    sources: Sequence[Path | str],
    format: TagFormat,  # noqa: A002
    *,
    universal: bool = False,
    tagger: Tagger | None = None,
) -> Iterator[TaggedSentence]:
    """Yield the sentences of a tagged corpus, one at a time.

    Args:
        sources: files, globs and folders, plain or compressed; a folder of the Brown corpus as
            NLTK has it (files ``ca01`` to ``cr09``) is known by its file names.
        format: ``brown`` (a sentence a line, ``word/tag`` with blanks between), ``conllu``, or
            ``text`` (running text, which ``tagger`` tags).
        universal: take the universal tags of CoNLL-U (column 4), not those of the language
            (column 5, which is often Penn's for English).
        tagger: tags running text; see :func:`spacy_tagger`.

    Raises:
        LexsubError: no such file, damaged data, or text without a tagger.
        FormatError: a line of another shape; names it.
    """
    if format == "text":
        if tagger is None:
            raise LexsubError(
                "plain text has no tags: name a tagger (--tagger spacy:MODEL), or give a tagged "
                "corpus (format brown or conllu)"
            )
        yield from tagger(Corpus(tuple(sources)).lines())
        return
    for path in _files(sources, format):
        if format == "brown":
            yield from _brown(path)
        else:
            yield from _conllu(path, 3 if universal else 4)


def spacy_tagger(model: str) -> Tagger:
    """Return a tagger that is a spaCy pipeline.

    Raises:
        MissingExtraError: spaCy is not installed.
        LexsubError: it has no such model.
    """
    with needing("spacy", "parse", "tagging plain text"):
        spacy: Any = import_module("spacy")
    try:
        pipeline = spacy.load(model, exclude=["parser", "ner", "lemmatizer"])
    except OSError as error:
        raise LexsubError(
            f"spaCy has no model {model!r}: install it (python -m spacy download {model}), or "
            "name another"
        ) from error

    def tag(lines: Iterable[str]) -> Iterator[TaggedSentence]:
        for document in pipeline.pipe(lines, batch_size=256):
            tokens = [token for token in document if not token.is_space]
            if tokens:
                yield TaggedSentence(
                    tuple(token.text for token in tokens), tuple(token.tag_ for token in tokens)
                )

    return tag


def _files(sources: Sequence[Path | str], format: TagFormat) -> list[Path]:  # noqa: A002
    found: dict[Path, None] = {}
    for source in sources:
        folder = Path(source)
        named = sorted(folder.iterdir()) if format == "brown" and folder.is_dir() else []
        brown = [path for path in named if _BROWN_FILE.fullmatch(path.name)]
        for path in brown or corpus_files([source], SUFFIXES[format]):
            found.setdefault(path)
    return list(found)


def _brown(path: Path) -> Iterator[TaggedSentence]:
    for number, line in read_lines(path, largest=sys.maxsize):
        words, tags = [], []
        for token in line.split():
            # The tag stands behind the last slash: 1/2/cd is 1/2 tagged CD.
            word, slash, tag = token.rpartition("/")
            if not (slash and word and tag):
                problem = f"{token[:40]!r}; expected word/tag, as in house/nn"
                raise FormatError(path, number, problem)
            words.append(word)
            tags.append(tag.upper())
        if words:
            yield TaggedSentence(tuple(words), tuple(tags))


def _conllu(path: Path, column: int) -> Iterator[TaggedSentence]:
    words: list[str] = []
    tags: list[str] = []
    for number, line in read_lines(path, largest=sys.maxsize):
        if line.startswith("#"):
            continue
        if not line.strip():
            if words:
                yield TaggedSentence(tuple(words), tuple(tags))
            words, tags = [], []
            continue
        fields = line.split("\t")
        if len(fields) != 10:
            problem = f"{line[:40]!r} has {len(fields)} columns; expected CoNLL-U's ten"
            raise FormatError(path, number, problem)
        # Ranges (1-2, the surface of a contraction) and empty nodes (1.1) are no words.
        if not fields[0].isdecimal():
            continue
        tag = fields[column]
        if tag == "_":
            way = "expected a universal one" if column == 3 else "take the other: --universal"
            raise FormatError(path, number, f"column {column + 1} holds no tag; {way}")
        words.append(fields[1].replace(" ", "_"))
        tags.append(tag.upper())
    if words:
        yield TaggedSentence(tuple(words), tuple(tags))
