"""What can be told of somebody else's model before it is taken in."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from lexsub.rankers.lm.arpa_model import read_arpa
from lexsub.rankers.lm.kenlm_model import load_kenlm
from lexsub.rankers.lm.model import is_arpa

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


def look_at(path: Path) -> Foreign:
    """Open a file as it will be asked, and tell what it holds.

    Raises:
        MissingExtraError: it is KenLM's own format, and kenlm is not installed.
        FormatError: it is damaged, or no model.
    """
    if not is_arpa(path):
        model = load_kenlm(path)
        example = next((word for word in _PROBES if word in model), "")
        return Foreign(model.order, 0, bool(example), example)
    if find_spec("kenlm") is not None:
        load_kenlm(path)
    ids, orders = read_arpa(path)
    example = next((word for word in ids if word != word.lower()), "")
    return Foreign(len(orders), len(ids), bool(example), example)
