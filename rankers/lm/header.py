"""What a language model is: what it is asked, and the header in front of its files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FileProblemError, FormatError, LexsubError, well_formed
from lexsub.rankers.lm import tokens
from lexsub.storage.addresses import exists, is_file
from lexsub.storage.digests import check_sealed, seal
from lexsub.storage.files import read_text, write_text

FILE = "model.json"
FORMAT = 1
AGAIN = "train or import the model again"


@dataclass(frozen=True, slots=True)
class LmHeader:
    """The header of a model, ``model.json`` in its folder.

    Attributes:
        kind: ``backoff`` (ARPA or KenLM binary), ``compact``, ``additive`` or ``one-count``.
        order: length of its longest n-grams.
        file: name of the model file in the folder ("" for a folder of arrays).
        tokenisation: name of the tokenisation of its text.
        lower: whether its text was lower-cased.
        language: ISO 639-1 code of its text.
        engine: what estimated it.
        sentences: sentences of its text, 0 where that is not known.
        tokens: tokens of its text without sentence marks, 0 where that is not known.
        types: different words, the special ones included, 0 where that is not known.
        settings: options of the estimation.
    """

    kind: str
    order: int
    file: str = ""
    tokenisation: str = tokens.NAME
    lower: bool = True
    language: str = "en"
    engine: str = ""
    sentences: int = 0
    tokens: int = 0
    types: int = 0
    settings: Mapping[str, object] = field(default_factory=dict)

    def tokenise(self, text: str) -> list[str]:
        """Split text as the model's own text was split."""
        return tokens.tokenise(text, lower=self.lower)

    def check_language(self, language: str, what: str) -> None:
        """Refuse text of another language.

        Raises:
            LexsubError: it is not the model's.
        """
        if language != self.language:
            raise LexsubError(
                f"{what} is in language {language!r}, the language model in {self.language!r}: "
                "train a model on text of the right language (lexsub lm train --language)"
            )

    def check_order(self, order: int, path: Path) -> None:
        """Refuse a model file of another order.

        Raises:
            FormatError: it is not the one that the header was written for.
        """
        if order != self.order:
            what = f"is a model of order {order}, its header says {self.order}"
            way = "the file was exchanged; import it again with 'lexsub lm import'"
            raise FormatError(path, None, f"{what}: {way}")

    def check_tokens(self, text: str, path: Path, line: int) -> None:
        """Refuse a tokenised line that the model's tokenisation would not have made.

        Raises:
            FormatError: the first token that differs is named.
        """
        given, expected = text.split(), self.tokenise(text)
        if given == expected:
            return
        pairs = zip(given, [*expected, ""] + [""] * len(given), strict=False)
        found, wanted = next((pair for pair in pairs if pair[0] != pair[1]), ("", "nothing"))
        case = "lower-cased" if self.lower else "cased"
        own = f"{case}, tokenisation {self.tokenisation}, which has {wanted!r}"
        what = f"token {found!r} does not fit the model ({own})"
        raise FormatError(path, line, f"{what}: leave --tokenised out")


def write_header(folder: Path, header: LmHeader) -> None:
    """Write the header into a model's folder and seal it: last of all."""
    text = json.dumps({"format": FORMAT, **asdict(header)}, indent=1, sort_keys=True)
    write_text(folder / FILE, text + "\n")
    seal(folder)


def read_header(folder: Path) -> LmHeader:
    """Read the header of a model's folder, and check its files against their digests.

    Raises:
        LexsubError: there is none, it is damaged, or it is of a later format or tokenisation.
    """
    check_sealed(folder, AGAIN)
    path = folder / FILE
    if is_file(folder) or not exists(path):
        raise FileProblemError(
            folder,
            f"is no language model folder (it has no {FILE}); make one with 'lexsub lm train' "
            "or, for an ARPA or KenLM binary file of your own, 'lexsub lm import'",
        )
    with well_formed(path, "is no model header", "; train again"):
        table = json.loads(read_text(path))
        version = table.pop("format")
        known = {f.name for f in fields(LmHeader)}
        header = LmHeader(**{key: value for key, value in table.items() if key in known})
    if version != FORMAT or header.tokenisation != tokens.NAME:
        found = f"format {version}, tokenisation {header.tokenisation!r}"
        own = f"this version reads format {FORMAT}, {tokens.NAME!r}"
        raise FormatError(path, None, f"{found}; {own}: train the model again")
    return header


class Window(NamedTuple):
    """A piece of a sentence.

    Attributes:
        text: tokens joined by blanks, as the model's tokenisation makes them.
        bos: whether the sentence begins here.
        eos: whether the sentence ends here.
    """

    text: str
    bos: bool = False
    eos: bool = False


class LanguageModel(Protocol):
    """An opened model."""

    header: LmHeader

    def log10(self, windows: Sequence[Window]) -> NDArray[np.float64]:
        """Return the log10 probability of each window, shape (windows,).

        It is the sum over the window's tokens (and ``</s>``, where it has one) of the
        probability of each given the tokens before it in the window, at most order - 1.
        """
        ...

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike, as of :meth:`log10`.

        The candidates of an item do; a window for each of them would cost as much as asking.
        """
        ...

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        ...
