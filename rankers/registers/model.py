"""Register models: trained on a text for each register, kept as one JSON file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexsub.corpus import Corpus
from lexsub.errors import FormatError, LexsubError
from lexsub.rankers.registers.rule import Floats, joint_log, posterior, set_shares, word_sets
from lexsub.resources import Resources
from lexsub.storage.digests import check_sealed, seal
from lexsub.storage.files import read_text, write_text

FILE = "registers.json"

_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Return the alphabetic tokens of a text, lower-cased."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class RegisterBuilder:
    """Finds the distinguishing words of registers.

    Attributes:
        texts: register to its files, globs and folders of text, or names from
            ``[resources]``; two registers or more.
        frequent: a distinguishing word is among so many most frequent words of its register …
        excluded: … and not among so many of any other.
    """

    texts: dict[str, tuple[str, ...]]
    frequent: int = 300
    excluded: int = 500

    def __post_init__(self) -> None:
        if len(self.texts) < 2 or not all(self.texts.values()):
            raise ValueError("texts needs two registers or more, each with some text")
        if not 1 <= self.frequent <= self.excluded:
            raise ValueError(
                f"frequent is {self.frequent}, excluded {self.excluded}; expected "
                "1 <= frequent <= excluded"
            )

    def _corpora(self, resources: Resources) -> dict[str, Corpus]:
        return {
            register: Corpus(tuple(resources.paths.get(name, name) for name in sources))
            for register, sources in self.texts.items()
        }

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of all registers."""
        return [path for corpus in self._corpora(resources).values() for path in corpus.files()]

    def build(self, resources: Resources, folder: Path) -> None:
        """Count the texts and write the model.

        Raises:
            LexsubError: a register without words, or none that distinguishes it.
        """
        counts: dict[str, Counter[str]] = {}
        for register, corpus in self._corpora(resources).items():
            counts[register] = Counter()
            for line in corpus.lines():
                counts[register].update(words_of(line))
        vocabulary = sorted(set().union(*counts.values()))
        totals = np.array([[c[word] for word in vocabulary] for c in counts.values()], float)
        totals = totals.reshape(len(counts), len(vocabulary))
        sets = word_sets(totals, self.frequent, self.excluded)
        for register, columns in zip(counts, sets, strict=True):
            if not len(columns):
                raise LexsubError(
                    f"no word distinguishes register {register!r}: its text is too small or too "
                    "like another's; give other text, or a smaller excluded"
                )
        document = {
            "words": {
                register: [vocabulary[column] for column in columns]
                for register, columns in zip(counts, sets, strict=True)
            },
            "shares": set_shares(totals, sets).tolist(),
        }
        write_text(folder / FILE, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        seal(folder)


@dataclass(frozen=True, slots=True)
class RegisterModel:
    """An opened register model.

    Attributes:
        places: distinguishing words to the index of their register.
        registers: the registers in order.
        shares: p_ij, shape (registers, registers + 1).
    """

    places: Mapping[str, int]
    registers: tuple[str, ...]
    shares: Floats

    def posterior(self, text: str) -> Floats:
        """Return the probability of each register for a text, shape (registers,).

        All are equally likely for a text without a distinguishing word.
        """
        words = words_of(text)
        inside = np.zeros((1, len(self.registers)))
        for word in words:
            place = self.places.get(word)
            if place is not None:
                inside[0, place] += 1
        tokens = np.array([float(len(words))])
        result: Floats = posterior(joint_log(inside, tokens, self.shares))[0]
        return result


def open_registers(folder: Path) -> RegisterModel:
    """Open a register model.

    Raises:
        FormatError: it is damaged, or no such model.
    """
    check_sealed(folder, "train the model again")
    path = folder / FILE
    try:
        document = json.loads(read_text(path))
        words: dict[str, list[str]] = document["words"]
        shares = np.array(document["shares"], dtype=np.float64)
        if shares.shape != (len(words), len(words) + 1) or not (shares > 0).all():
            raise ValueError("the shares do not fit the words")
        places = {word: k for k, register in enumerate(words) for word in words[register]}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"is no register model ({error}); train again") from error
    return RegisterModel(places, tuple(words), shares)
