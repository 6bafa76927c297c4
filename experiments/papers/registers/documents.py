"""Documents with class labels, as text or as counts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        label: its class.
        counts: words, lower case, to how often they occur.
    """

    label: str
    counts: Mapping[str, int]

    @property
    def tokens(self) -> int:
        """Number of tokens."""
        return sum(self.counts.values())


def count_words(text: str) -> dict[str, int]:
    """Count the alphabetic tokens of a text, lower-cased."""
    return dict(Counter(_WORD.findall(text.lower())))


def read_documents(path: Path, labels: tuple[str, ...] = ()) -> list[Document]:
    """Read JSON Lines with ``label`` and either ``counts`` (word to number) or ``text``.

    Args:
        path: the file, plain or compressed.
        labels: the classes to keep; all where empty.

    Raises:
        FormatError: a line of another shape, or no document of a class asked for.
    """
    documents = []
    for number, line in enumerate(decode(read_unpacked(path), path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(path, number, f"is no JSON ({error}); expected JSON Lines") from error
        label = row.get("label") if isinstance(row, dict) else None
        counts = row.get("counts") if isinstance(row, dict) else None
        text = row.get("text") if isinstance(row, dict) else None
        if not isinstance(label, str) or not (isinstance(text, str) or _are_counts(counts)):
            raise FormatError(
                path, number, "expected an object with label and text, or label and counts"
            )
        if not labels or label in labels:
            words: Mapping[str, int] = count_words(text) if isinstance(text, str) else counts or {}
            documents.append(Document(label, words))
    found = {document.label for document in documents}
    missing = [label for label in labels if label not in found]
    if missing or not documents:
        raise FormatError(
            path, None, f"has no document labelled {' or '.join(missing) or 'at all'}"
        )
    return documents


def _are_counts(counts: object) -> bool:
    return isinstance(counts, dict) and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in counts.values()
    )
