"""Who proposed a substitute, in words for somebody who writes, not for somebody who measures."""

from __future__ import annotations

from lexsub.candidates.wordnet import CRITERIA
from lexsub.rankings import Origin

_CRITERIA = {
    CRITERIA[1]: "synonym in the usual sense",
    CRITERIA[2]: "related to the usual sense",
    CRITERIA[3]: "synonym in another sense",
    CRITERIA[4]: "related to another sense",
}
_RELATIONS = {
    "hyponyms": "a narrower word",
    "see-also": "see also",
    "co-hyponyms": "of the same kind",
}
"""Labels that the ready configs give to WordNet's further relations."""

_THESAURI = {
    "moby": "stands in Moby's thesaurus",
    "thesaurus-file": "stands in the thesaurus",
    "phrases": "stands in lexsub's list of phrases",
}
_NEAR = {"distributional": "used in the same contexts", "vectors": "its vector is near"}


def reason(origin: Origin) -> str:
    """Return the words for one origin, as ``WordNet: synonym in the usual sense``."""
    sense = _CRITERIA.get(origin.group)
    if sense is not None:
        if origin.source in _RELATIONS:
            return f"WordNet: {_RELATIONS[origin.source]}"
        label = "" if origin.source == "wordnet" else f" ({origin.source})"
        return f"WordNet{label}: {sense}"
    group = f", {origin.group}" if origin.group else ""
    if origin.source in _THESAURI:
        # Its place says how frequent the word is, and nothing about the target.
        return f"{_THESAURI[origin.source]}{group}"
    return f"{_NEAR.get(origin.source, origin.source)}{group} (number {origin.rank + 1})"
