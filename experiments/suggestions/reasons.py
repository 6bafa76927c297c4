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
_SOURCES = {
    "moby": "stands in Moby's thesaurus",
    "distributional": "used in the same contexts",
    "thesaurus-file": "stands in the thesaurus",
    "vectors": "its vector is near",
}


def reason(origin: Origin) -> str:
    """Return the words for one origin, as ``WordNet: synonym in the usual sense``."""
    sense = _CRITERIA.get(origin.group)
    if sense is not None:
        # What a config calls it says what was followed: hyponyms, co-hyponyms.
        label = "" if origin.source == "wordnet" else f" ({origin.source})"
        return f"WordNet{label}: {sense}"
    said = _SOURCES.get(origin.source, origin.source)
    group = f", {origin.group}" if origin.group else ""
    return f"{said}{group} (number {origin.rank + 1})"
