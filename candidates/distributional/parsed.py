"""Grammatical relations from parsed text (CoNLL-U), or from text that spaCy parses.

They are named as in relation files, as seen from the word they are given to: ``dobj-of``,
``subj-of``, ``amod``, ``nn``, ``nn-of``, ``pred``, ``conj``, ``prep-PREP``,
``pobj-PREP-of-n|v``, ``dobj``, ``subj``, ``advmod``, ``amod-of``, ``pred-of``,
``advmod-of-v|a|n|r``.  Universal Dependencies and spaCy's English labels are both read; each
relation is given to both of its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexsub.candidates.distributional.sorted_counts import write_shard
from lexsub.corpus.reader import Corpus, CorpusReport, blocks_of
from lexsub.errors import FormatError, MissingResourceError, Place, look_for, needing
from lexsub.parts.limits import whole_number
from lexsub.parts.plugins import is_loaded
from lexsub.resources import Resources

CONLLU_SUFFIXES = (".conllu", ".conll")
_UPOS = "ADJ ADP ADV AUX CCONJ CONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UNIVERSAL = frozenset(_UPOS.split())
"""Parts of speech of Universal Dependencies (CONJ in its first version)."""
NEEDS = ("spacy", "parse", "parsing text")

BLOCK = 1 << 19
SENTENCES = 5000


def conllu_jobs(corpus: Corpus, shards: Path) -> Iterator[Any]:
    """Yield jobs that count the relations of CoNLL-U sentences.

    Raises:
        FormatError: a line that is not CoNLL-U.
    """
    shards.mkdir(exist_ok=True)
    sentences = conllu_sentences(corpus)
    for number in count():
        block = list(islice(sentences, SENTENCES))
        yield partial(_count, shards / f"{number:06d}.parquet", block)
        if len(block) < SENTENCES:
            return


def conllu_sentences(corpus: Corpus) -> Iterator[list[Token]]:
    """Yield the sentences of CoNLL-U files.

    A new sentence starts where the token numbers start again at 1, or at a comment; blank
    lines need not be there.

    Raises:
        FormatError: too few columns, a head that is no token of the sentence, or a part of speech
            that is no universal one.
    """
    for path in corpus.files():
        rows: list[tuple[int, list[str]]] = []
        report = CorpusReport()
        for line in Corpus((path,)).lines(report):
            cells = line.split("\t")
            place = report.lines + report.blank
            starts = line.startswith("#") or cells[0] == "1"
            if starts and rows:
                yield _sentence(path, rows)
                rows = []
            if line.startswith("#") or not cells[0].isdecimal():
                if line.startswith("#") or cells[0].replace("-", "").replace(".", "").isdecimal():
                    continue  # comments, ranges of multiword tokens, empty nodes
                raise FormatError(path, place, f"token number {cells[0]!r}; expected CoNLL-U")
            if len(cells) < 8 or whole_number(cells[6]) is None:
                expected = "expected the 10 of CoNLL-U with a head in the 7th"
                raise FormatError(path, place, f"{len(cells)} columns; {expected}")
            rows.append((place, cells))
        if rows:
            yield _sentence(path, rows)


def _sentence(path: Path, rows: list[tuple[int, list[str]]]) -> list[Token]:
    sentence = []
    for place, cells in rows:
        head, at = int(cells[6]) - 1, Place(path, place)
        if head >= len(rows):
            raise at.fault(f"head {cells[6]}; the sentence has only {len(rows)} tokens")
        if cells[3] not in UNIVERSAL:
            raise at.fault(
                f"part of speech {cells[3]!r} in column 4; expected a universal one, "
                "as NOUN or VERB (those of a language, as Penn's, stand in column 5)"
            )
        # Files without lemmas have an underscore there: the form has to do.
        lemma = cells[1] if cells[2] == "_" else cells[2]
        sentence.append(Token(lemma.lower(), cells[3], head, cells[7]))
    return sentence


def parse_jobs(corpus: Corpus, parser: str, shards: Path) -> Iterator[Any]:
    """Yield jobs that parse blocks of text and count their relations; finished ones left out.

    Raises:
        MissingExtraError: spaCy is not installed.
        MissingResourceError: there is no spaCy model of that name.
    """
    load_parser(parser)
    shards.mkdir(exist_ok=True)
    for number, lines in enumerate(blocks_of(corpus.lines(), BLOCK)):
        shard = shards / f"{number:06d}.parquet"
        if not shard.exists():
            yield partial(_parse_and_count, shard, lines, parser)


_OF_SPACY = re.compile(r"[a-z]{2,3}_\w+_\w+_(sm|md|lg|trf)")
"""Names of spaCy's own models, as ``en_core_web_sm``."""


def check_parser(name: str, resources: Resources) -> None:
    """Make sure that a parser may be loaded: spaCy imports any package of such a name.

    Raises:
        LexsubError: it is none of spaCy's own, and is named by a folder that came from elsewhere.
    """
    if not _OF_SPACY.fullmatch(name):
        package = name.isidentifier()
        way = f"--plugin {name}" if package else "take a parser that is a package"
        resources.refuse_code(f"parser = {name!r}", named=is_loaded(name), way=way)


def look_for_parser(name: str) -> None:
    """Miss a parser that cannot be loaded without loading it.

    Raises:
        MissingExtraError: spaCy is not installed.
        MissingResourceError: there is no model of that name.
    """
    look_for("spacy", *NEEDS)
    if not Path(name).is_dir() and not (name.isidentifier() and find_spec(name)):
        raise _no_parser(name)


def _no_parser(name: str) -> MissingResourceError:
    return MissingResourceError(
        f"spaCy has no model {name!r}: install one (python -m spacy download {name}), or "
        "give the name of the one you have"
    )


@lru_cache(maxsize=1)
def load_parser(name: str) -> Any:
    """Load a spaCy pipeline with tagger, lemmatiser and parser, once a worker.

    Raises:
        MissingExtraError: spaCy is not installed.
        MissingResourceError: there is no model of that name.
    """
    with needing(*NEEDS):
        import spacy
    try:
        return spacy.load(name, exclude=["ner"])
    except OSError:
        raise _no_parser(name) from None


def parser_files(name: str) -> list[Path]:
    """Return what tells one version of a spaCy model from another; nothing where there is none."""
    folder = Path(name)
    if not folder.is_dir():
        spec = find_spec(name) if name.isidentifier() else None
        if spec is None or spec.origin is None:
            return []
        folder = Path(spec.origin).parent
    return sorted(folder.glob("meta.json"))


def tokens_of(document: Any) -> list[Token]:
    """Return the tokens of a document that spaCy has parsed."""
    return [
        Token(t.lemma_.lower(), t.pos_, -1 if t.head.i == t.i else t.head.i, t.dep_)
        for t in document
    ]


def _parse_and_count(shard: Path, lines: list[str], parser: str) -> None:
    _count(shard, map(tokens_of, load_parser(parser).pipe(lines, batch_size=64)))


def _count(shard: Path, sentences: Iterable[Sequence[Token]]) -> None:
    """Write the relations of some sentences with their counts; runs in a worker."""
    counts = Counter(r for sentence in sentences for r in grammatical_relations(sentence))
    # A lemma with white space in it (a tokeniser's slip) is no word.
    rows = sorted(
        row for row in counts if all(cell and not set(cell) & set("\t\n ") for cell in row)
    )
    columns = {
        name: np.array([row[place] for row in rows], object)
        for place, name in enumerate(("pos", "word", "relation", "other"))
    }
    write_shard(shard, **columns, count=np.array([counts[row] for row in rows], np.int64))


Relation = tuple[str, str, str, str]
"""Part of speech, lemma, relation, other lemma."""

_POS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


class Token(NamedTuple):
    """A token of a parsed sentence.

    Attributes:
        lemma: its lemma.
        upos: its universal part of speech.
        head: index of its head in the sentence, -1 for the root.
        label: the dependency label (Universal Dependencies or spaCy's English ones).
    """

    lemma: str
    upos: str
    head: int
    label: str

    @property
    def pos(self) -> str:
        """n, v, a or r, or nothing."""
        return _POS.get(self.upos, "")


def grammatical_relations(sentence: Sequence[Token]) -> Iterator[Relation]:
    """Yield the relations of a sentence."""
    children: dict[int, list[Token]] = {}
    for token in sentence:
        children.setdefault(token.head, []).append(token)
    for index, token in enumerate(sentence):
        if token.head >= 0:
            head = sentence[token.head]
            yield from _direct(token, head)
            yield from _prepositional(token, head, sentence, children.get(index, ()))
        yield from _predicates(token, children.get(index, ()))


def _direct(token: Token, head: Token) -> Iterator[Relation]:
    match (token.label.lower(), token.pos, head.pos):
        case ("obj" | "dobj", "n", "v"):
            yield from _both(token, "dobj-of", head, "dobj")
        case ("nsubj", "n", "v"):
            yield from _both(token, "subj-of", head, "subj")
        case ("amod", "a", "n"):
            yield from _both(token, "amod-of", head, "amod")
        case ("compound" | "nn", "n", "n"):
            yield from _both(token, "nn-of", head, "nn")
        case ("advmod", "r", pos) if pos:
            yield from _both(token, f"advmod-of-{pos}", head, "advmod")
        case ("conj", pos, other) if pos and pos == other:
            yield from _both(token, "conj", head, "conj")


def _prepositional(
    token: Token, head: Token, sentence: Sequence[Token], children: Sequence[Token]
) -> Iterator[Relation]:
    """A noun behind a preposition: spaCy's prep → pobj, or obl and nmod with a case."""
    if token.pos != "n":
        return
    label = token.label.lower().partition(":")[0]
    if label == "pobj" and head.label.lower() == "prep" and head.head >= 0:
        governor, prepositions = sentence[head.head], [head]
    elif label in ("obl", "nmod"):
        governor = head
        prepositions = [c for c in children if c.label == "case" and c.upos == "ADP"]
    else:
        return
    if governor.pos in ("n", "v"):
        for preposition in prepositions[:1]:
            name = preposition.lemma
            yield from _both(token, f"pobj-{name}-of-{governor.pos}", governor, f"prep-{name}")


def _predicates(token: Token, children: Sequence[Token]) -> Iterator[Relation]:
    """What an adjective says of a noun: acomp beside nsubj, or a subject of the adjective."""
    subjects = [c for c in children if c.label == "nsubj" and c.pos == "n"]
    if token.pos == "a":
        adjectives = [token]
    else:
        adjectives = [c for c in children if c.label == "acomp" and c.pos == "a"]
    for subject in subjects:
        for adjective in adjectives:
            yield from _both(subject, "pred", adjective, "pred-of")


def _both(word: Token, name: str, other: Token, reverse: str) -> Iterator[Relation]:
    yield word.pos, word.lemma, name, other.lemma
    yield other.pos, other.lemma, reverse, word.lemma
