"""Which part of speech a French word is, by its form and the words beside it."""

from __future__ import annotations

import re

from lexsub.languages.french.verbs import is_verb
from lexsub.marked_sentences import Marked


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DETERMINERS = _words(
    "le la les l un une des du au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos "
    "votre vos leur leurs quelques plusieurs chaque aucun aucune quel quelle quels quelles deux "
    "trois quatre cinq six sept huit neuf dix cent mille d"
)
_SUBJECTS = _words("je j tu il elle on nous vous ils elles qui ne n se s me m te t y")
_DEGREES = _words("très si trop plus moins assez aussi bien peu fort tout toute tellement")
_COPULAS = _words(
    "est sont était étaient fut furent sera seront serait être été semble semblait paraît "
    "paraissait reste restait devient devint demeure"
)
_BEFORE_NOUNS = _words(
    "beau bon grand gros haut jeune joli long mauvais meilleur nouveau petit vieux vrai premier "
    "dernier autre ancien cher pauvre propre brave vaste bref second double"
)
_WORD = re.compile(r"[^\W\d_]+")


def parts_of_speech(marked: Marked, lemma: str) -> list[str]:
    """Return the parts of speech a marked word may be, the likeliest first."""
    left = [
        word.lower() for word in _WORD.findall(re.split("[.;:!?]", marked.text[: marked.start])[-1])
    ]
    before = left[-1] if left else ""
    right = marked.text[marked.end :]
    followed = bool(re.match(r"\s+[^\W\d_]{3,}", right))
    form = marked.target.lower()
    verbal = is_verb(lemma) and (form != lemma or before in ("à", "pour", "de", "sans"))
    score = {"n": 1.0, "a": 0.5, "v": 0.0, "r": 0.0}
    score["v"] += 2.5 * verbal + 2.0 * (before in _SUBJECTS)
    score["r"] += 3.0 * (form.endswith("ment") and before not in _DETERMINERS)
    score["a"] += 2.5 * (before in _DEGREES) + 1.5 * (before in _COPULAS)
    if before in _DETERMINERS:
        score["n"] += 2.0
        score["v"] -= 2.0
        score["a"] += 3.0 * (lemma in _BEFORE_NOUNS and followed)
    elif len(before) > 2 and before not in _SUBJECTS | _DEGREES | _COPULAS:
        # A word of content before it: an adjective behind its noun.
        score["a"] += 1.0
    return sorted(score, key=lambda pos: -score[pos])
