"""Opening language models of every kind, and what can be told of those of other people."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from lexsub.rankers.lm.array_model import ArpaModel, is_arpa, read_arpa
from lexsub.rankers.lm.compact_model import open_compact
from lexsub.rankers.lm.header import AGAIN, LanguageModel, LmHeader, read_header
from lexsub.storage.digests import cached_open


@cached_open(2, AGAIN)
def open_model(folder: Path) -> LanguageModel:
    """Open a trained model, or return it where it was opened last and is still the same.

    Raises:
        LexsubError: no model there, or its files are damaged.
    """
    header = read_header(folder)
    if header.kind == "backoff":
        # Without KenLM, ARPA text is read by ourselves: slower, and the same figures.
        if asked_by(folder, header) == OURS:
            return ArpaModel(folder, header)
        from lexsub.rankers.lm.kenlm import KenlmModel

        return KenlmModel(folder, header)
    if header.kind == "compact":
        return open_compact(folder, header)
    from lexsub.rankers.lm.counts_model import open_counts

    return open_counts(folder, header)


OURS = "lexsub"


def asked_by(folder: Path, header: LmHeader) -> str:
    """Return what asks a model: ``KenLM`` (the module, whoever packed it), or lexsub itself."""
    if header.kind != "backoff":
        return OURS
    if find_spec("kenlm") is not None:
        return "KenLM"
    return OURS if is_arpa(folder / header.file) else "KenLM, which is not installed (extra lm)"


_PROBES = ("I", "The", "He", "In", "It", "Der", "Le", "La", "El", "Il")
"""Words that a cased model of any size knows, in the languages that begin sentences by them."""


class Foreign(NamedTuple):
    """A model of other people.

    Attributes:
        order: length of its longest n-grams.
        types: different words, the special ones included; 0 where the file does not say.
        cased: whether it knows words with capitals.
        example: one of them, or nothing.
    """

    order: int
    types: int
    cased: bool
    example: str


def inspect_model(path: Path) -> Foreign:
    """Open a file as it will be asked, and tell what it holds.

    Raises:
        MissingExtraError: it is KenLM's own format, and kenlm is not installed.
        FormatError: it is damaged, or no model.
    """
    from lexsub.rankers.lm.kenlm import load_kenlm

    if not is_arpa(path):
        model = load_kenlm(path)
        example = next((word for word in _PROBES if word in model), "")
        return Foreign(model.order, 0, bool(example), example)
    if find_spec("kenlm") is not None:
        load_kenlm(path)
    ids, orders = read_arpa(path)
    example = next((word for word in ids if word != word.lower()), "")
    return Foreign(len(orders), len(ids), bool(example), example)
