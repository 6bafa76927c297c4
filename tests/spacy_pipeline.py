"""A spaCy pipeline whose only component writes annotations made by hand; nothing to download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

# Token: lemma, part of speech, tag, head within the sentence (itself: root), label as spaCy's
# English models have it.
ANNOTATIONS = {
    "The old cook slowly baked small cakes in a hot oven.": [
        ("the", "DET", "DT", 2, "det"), ("old", "ADJ", "JJ", 2, "amod"),
        ("cook", "NOUN", "NN", 4, "nsubj"), ("slowly", "ADV", "RB", 4, "advmod"),
        ("bake", "VERB", "VBD", 4, "ROOT"), ("small", "ADJ", "JJ", 6, "amod"),
        ("cake", "NOUN", "NNS", 4, "dobj"), ("in", "ADP", "IN", 4, "prep"),
        ("a", "DET", "DT", 10, "det"), ("hot", "ADJ", "JJ", 10, "amod"),
        ("oven", "NOUN", "NN", 7, "pobj"), (".", "PUNCT", ".", 4, "punct"),
    ],
    "Kitchen doors and windows are open": [
        ("kitchen", "NOUN", "NN", 1, "compound"), ("door", "NOUN", "NNS", 4, "nsubj"),
        ("and", "CCONJ", "CC", 1, "cc"), ("window", "NOUN", "NNS", 1, "conj"),
        ("be", "AUX", "VBP", 4, "ROOT"), ("open", "ADJ", "JJ", 4, "acomp"),
    ],
    "Cakes  cool": [
        ("cake", "NOUN", "NNS", 2, "nsubj"), (" ", "SPACE", "_SP", 0, "dep"),
        ("cool", "VERB", "VBP", 2, "ROOT"),
    ],
}  # fmt: skip


def pipeline(folder: Path) -> str:
    """Save the pipeline and return what loads it; skips the test where there is no spaCy."""
    spacy: Any = pytest.importorskip("spacy")

    @spacy.language.Language.component("by-hand")
    def annotate(document: Any) -> Any:
        rows = ANNOTATIONS[document.text]
        for token, (lemma, pos, tag, head, label) in zip(document, rows, strict=True):
            token.lemma_, token.pos_, token.tag_ = lemma, pos, tag
            token.head, token.dep_ = document[head], label
        return document

    made = spacy.blank("en")
    made.add_pipe("by-hand")
    made.to_disk(folder)
    return str(folder)
