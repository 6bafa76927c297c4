"""Lexical simplification: sentences, each with a complex word and what people gave for it.

Three formats, tab-separated and without columns' names, told apart by their content:

* TSAR-2022: sentence, word, answers, an answer as often as people gave it; without answers (files
  called ``none``) a task without gold, with a system's in their place its submission.
* LexMTurk (Horn et al., 2014): the same under a heading, sentences in quotes.
* BenchLS and NNSeval (Paetzold and Specia, 2016; LEXenstein's VICTOR format): sentence, word, the
  word's place among the blank-separated tokens, from 0, and ``rank:substitute`` from the simplest.

None has ids, so an item's is made of its sentence and word: a gold and a submission meet by it,
whatever the order of their lines.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FormatError, Place, one_line
from lexsub.formats.semeval_lines import placed_lines

HEADING = "English Wikipedia Sentence\tWord\tMturk labels"
"""The first line of LexMTurk."""

_RANKED = re.compile(r"(\d{1,9}):(.*\S.*)")
_EXPECTED = "sentence<TAB>word<TAB>answers, or sentence<TAB>word<TAB>place<TAB>rank:substitute …"
_log = logging.getLogger("lexsub")


@dataclass(frozen=True, slots=True)
class Instance:
    """A line of any of the formats.

    Attributes:
        line: where it stands, from 1.
        id: made of sentence and word.
        text: the sentence.
        word: the complex word, as the line gives it.
        answers: in the line's order, repeated ones as often as they stand.
        ranks: of each answer, 1 for the simplest; empty where the format has none.
        place: the word's place among the sentence's tokens, where the format says it.
    """

    line: int
    id: str
    text: str
    word: str
    answers: Sequence[str]
    ranks: Sequence[int] = ()
    place: int | None = None

    @property
    def weights(self) -> dict[str, float]:
        """How many people gave each answer; of ranks, 1 for the last and one more for each before.

        So the simplest weighs most, and those of the same rank weigh the same.
        """
        if not self.ranks:
            return {answer: float(n) for answer, n in Counter(self.answers).items()}
        last = max(self.ranks)
        weights: dict[str, float] = {}
        pairs = zip(self.ranks, self.answers, strict=True)
        for rank, answer in sorted(pairs, key=lambda pair: pair[0]):
            weights.setdefault(answer, float(last + 1 - rank))
        return weights


def is_simplification(text: str) -> bool:
    """Return True if a file is in one of the formats, by its first line."""
    first = next((line for line in text.split("\n") if line.strip()), "").strip()
    if first.startswith(HEADING):
        return True
    sentence, _, rest = first.partition("\t")
    word = rest.partition("\t")[0].strip()
    return bool(word) and " " in sentence and word.lower() in sentence.lower()


def has_ranks(text: str) -> bool:
    """Return True if a file that is in one of the formats gives ranks: BenchLS, NNSeval."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    fields = first.strip().split("\t")
    return len(fields) > 3 and fields[2].isdecimal() and all(map(_RANKED.fullmatch, fields[3:]))


def parse_instances(text: str, path: Path) -> list[Instance]:
    """Read a file in any of the formats.

    Raises:
        FormatError: a line without a sentence or word, with a blank answer between two others, or
            with a place or rank that is none; or no line at all.
    """
    heading = text.lstrip("\n").startswith(HEADING)
    ranked = not heading and has_ranks(text)
    found = []
    seen: Counter[str] = Counter()
    for at, line in placed_lines(text, path):
        if line.startswith(HEADING):
            continue
        # As the task's script reads a line: its ends are stripped, and each answer.
        fields = line.strip().split("\t")
        if len(fields) < 2 or not fields[1].strip():
            raise at.fault(f"{one_line(line, 60)!r}; expected {_EXPECTED}")
        sentence, word = fields[0], fields[1].strip()
        if heading and len(sentence) > 1 and sentence[0] == sentence[-1] == '"':
            sentence = sentence[1:-1].replace('""', '"').strip()
        key = item_id(sentence, word)
        seen[key] += 1
        if seen[key] > 1:
            key = f"{key}-{seen[key]}"
        if ranked:
            found.append(_ranked(at, key, sentence, word, fields[2:]))
        else:
            found.append(Instance(at.line, key, sentence, word, _answers(at, fields[2:])))
    if not found:
        raise FormatError(path, None, f"holds no line; expected {_EXPECTED}")
    return found


def item_id(sentence: str, word: str) -> str:
    """Return the id of an item: its word, and eight digits of the SHA-256 of sentence and word."""
    digest = hashlib.sha256(f"{sentence}\t{word}".encode()).hexdigest()[:8]
    return re.sub(r"[\s;]+", "_", word) + f"-{digest}"


def _answers(at: Place, fields: Sequence[str]) -> list[str]:
    answers = [one.strip() for one in fields]
    if "" in answers:
        raise at.fault(
            f"answer {answers.index('') + 1} is blank, which the task's script takes for a wrong "
            "answer; expected none between two tabs"
        )
    return answers


def _ranked(at: Place, key: str, sentence: str, word: str, fields: Sequence[str]) -> Instance:
    place, *entries = [one.strip() for one in fields] or [""]
    pairs = [match for one in entries if (match := _RANKED.fullmatch(one))]
    if not place.isdecimal() or len(pairs) < len(entries):
        bad = next((one for one in entries if not _RANKED.fullmatch(one)), place)
        expected = "the word's place, and rank:substitute behind it"
        raise at.fault(f"{one_line(bad, 40)!r}; expected {expected}")
    ranks = [int(pair[1]) for pair in pairs]
    return Instance(at.line, key, sentence, word, [pair[2] for pair in pairs], ranks, int(place))


def find_target(one: Instance, path: Path) -> tuple[tuple[int, int], str]:
    """Return the offsets of a line's word in its sentence, and what is to be said of it.

    The place that a line gives is taken where the word stands there; else the first place where
    it stands as a word, in the same letters or, failing that, in whatever letters.

    Raises:
        FormatError: it stands nowhere.
    """
    said = ""
    if one.place is not None:
        token = next(
            (t for n, t in enumerate(re.finditer(r"[^ ]+", one.text)) if n == one.place), None
        )
        if token is not None and token[0].lower() == one.word.lower():
            return token.span(), ""
        said = f"{one.word!r} does not stand at place {one.place}"
    for flags in (0, re.IGNORECASE):
        pattern = rf"(?<!\w){re.escape(one.word)}(?!\w)"
        places = [match.span() for match in re.finditer(pattern, one.text, flags)]
        if len(places) > 1:
            said = f"{one.word!r} stands {len(places)} times in the sentence"
        if places:
            return places[0], said and f"{said}: the first is taken"
    raise FormatError(
        path, one.line, f"{one.word!r} does not stand in the sentence; expected one of its words"
    )


def targets_of(text: str, path: Path) -> Iterator[tuple[Instance, int, int]]:
    """Yield each line with the offsets of its word; what is to be said of places is logged.

    Raises:
        FormatError: a line is damaged, or a word stands nowhere in its sentence.
    """
    said = []
    for one in parse_instances(text, path):
        (start, end), remark = find_target(one, path)
        if remark:
            said.append(f"{path}:{one.line}: {remark}")
        yield one, start, end
    if said:
        more = f" ({len(said) - 1} more lines like it)" if len(said) > 1 else ""
        _log.warning("lexsub: %s%s", said[0], more)
