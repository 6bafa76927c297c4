"""Inflected forms without LemmInflect: rules, and a table of what they get wrong.

A model brings the table along, made by LemmInflect for the words that it may answer, so that its
substitutes take the target's form where nothing else is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import read_text, write_text

MARKED = {
    "n": ("NNS",),
    "v": ("VBG", "VBZ", "VBD", "VBN"),
    "a": ("JJR", "JJS"),
    "r": ("RBR", "RBS"),
}
"""Tags of the forms of a word that are not its base, by part of speech."""
TAGS = tuple(tag for tags in MARKED.values() for tag in tags)
_ENDS = {"VBD": "ed", "VBN": "ed", "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est"}
_VOWELS = "aeiou"


class Table(dict[tuple[str, str], tuple[str, ...]]):
    """Forms by word and tag, the most usual first."""

    @cached_property
    def words(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Words and tags by form."""
        found: dict[str, list[tuple[str, str]]] = {}
        for (word, tag), forms in self.items():
            for form in forms:
                found.setdefault(form, []).append((word, tag))
        return found


def regular(word: str, tag: str) -> str:
    """Return the form that English's rules make of a word, spelled as they say.

    Args:
        word: in small letters, at least one.
        tag: one of ``TAGS``.
    """
    y = word.endswith("y") and word[-2:-1] not in _VOWELS
    if tag in ("NNS", "VBZ"):
        if word.endswith(("s", "x", "z", "ch", "sh")):
            return f"{word}es"
        return f"{word[:-1]}ies" if y else f"{word}s"
    if tag == "VBG":
        if word.endswith("ie"):
            return f"{word[:-2]}ying"
        silent = word.endswith("e") and not word.endswith(("ee", "oe", "ye"))
        return f"{word[:-1]}ing" if silent else f"{_doubled(word)}ing"
    end = _ENDS[tag]
    if word.endswith("e"):
        return word + end[1:]
    return f"{word[:-1]}i{end}" if y else _doubled(word) + end


def vowel_groups(word: str) -> int:
    """Return how many runs of vowels a word has, y among them: about its syllables."""
    return len(re.findall(f"[{_VOWELS}y]+", word))


def _doubled(word: str) -> str:
    """Return a word of one syllable that ends in vowel and consonant with that consonant twice."""
    double = (
        len(word) > 2
        and vowel_groups(word) == 1
        and word[-1] not in "aeiouwxy"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )
    return word + word[-1] if double else word


def write_forms(
    path: Path, words: Iterable[str], forms: Callable[[str, str], tuple[str, ...]]
) -> None:
    """Write what the rules get wrong of some words, a line each: word, tag, forms.

    Args:
        path: the file.
        words: without blanks, in small letters.
        forms: the forms of a word with a tag, none where it has no such form.
    """
    lines = []
    for word in sorted(set(words)):
        for tag in TAGS:
            found = forms(word, tag)
            if found and found != (regular(word, tag),):
                lines.append("\t".join((word, tag, *found)))
    write_text(path, "".join(f"{line}\n" for line in lines))


def read_forms(path: Path) -> Table:
    """Read such a table.

    Raises:
        FormatError: a line is not as it should be.
    """
    return _read(path, known_sha256(path))


@lru_cache(maxsize=2)
def _read(path: Path, _digest: str) -> Table:  # another is another file under the same name
    table = Table()
    for number, line in enumerate(read_text(path).split("\n")[:-1], start=1):
        word, _, rest = line.partition("\t")
        tag, *forms = rest.split("\t")
        if not word or tag not in TAGS or not all(forms) or not forms:
            raise FormatError(path, number, f"{line[:60]!r}; expected a word, its tag, its forms")
        table[word, tag] = tuple(forms)
    return table


_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "est", "st")


def bases(word: str, pos: str, table: Table) -> tuple[str, ...]:
    """Return the words that may have a form: itself, those of the table, those by rule."""
    found = [word]
    found += [base for base, tag in table.words.get(word, ()) if tag in MARKED[pos]]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: len(word) - len(ending)]
            more = [stem, f"{stem}e", f"{stem[:-1]}y" if stem[-1] == "i" else "", f"{stem[:-1]}ie"]
            more.append(stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else "")
            found += [
                one for one in more if one and any(regular(one, tag) == word for tag in MARKED[pos])
            ]
    return tuple(dict.fromkeys(found))
