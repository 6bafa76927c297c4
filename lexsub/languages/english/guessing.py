"""Which word a marked form stands for, where nothing but the sentence is known."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from lexsub.datasets import PARTS_OF_SPEECH, Lexelt
from lexsub.languages.english.phrases import PHRASES
from lexsub.languages.word_lists import WORD, words
from lexsub.marked_sentences import Marked
from lexsub.wordnet import WordNet

_DETERMINERS = words(
    "a an the this that these those my your his her its our their some any no each every another "
    "of 's"
)
_PREPOSITIONS = words("in at for on with from by about into between without during under per via")
_NUMBERS = words(
    "two three four five six seven eight nine ten many several few both all most other such own"
)
_DEGREES = words("very too so as more most less least quite rather extremely")
_COPULAS = words(
    "be been being is was are were am seem seems seemed became become feel felt looks looked"
)
_SUBJECTS = words(
    "to will would shall should can could may might must do does did don't doesn't didn't not n't "
    "cannot can't won't i you we they he she who let's please"
)
_SINGULAR = frozenset(["is", "was", "has", "does"])
_ONE = frozenset(["this", "that"])
_OBJECTS = frozenset(["me", "him", "them", "us"])
_PRONOUNS = frozenset(["i", "you", "we", "they", "he", "she", "it", "who"])
MODALS = words("can could may might must shall should will would ought")
_WORD_OR_SIGN = re.compile(rf"{WORD.pattern}|[^\w\s]")
_NOTHING_ELSE = frozenset(["could", "may", "shall", "should", "would"])
"""Those that in small letters are no other word, as the can, the will, the might, a must are."""
_BEFORE = {"v": _SUBJECTS, "n": _DETERMINERS, "a": _DEGREES | _COPULAS, "r": frozenset[str]()}
"""What stands before a word says more of its part of speech than how often it is which."""

_FEW = 2
"""So often a word may be tagged in SemCor and still be rare."""

_LINKS = _PREPOSITIONS | {"of", "to", "as", "after", "before", "than"}
_ALONE = 4.0
"""What it counts, in the logarithm of probability, that an adjective stands for a noun: treebanks
call it an adjective still, WordNet a noun."""

_OF_PENN = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
"""Parts of speech by the first two letters of Penn's tags."""

_CUE = 3.0
"""What such a word counts, in the natural logarithm of frequency."""


def guess_lexelt(
    marked: Marked,
    wordnet: WordNet,
    tagger: Callable[[str, int, int], Mapping[str, float]] | None = None,
) -> Lexelt:
    """Return the lemma and the part of speech of a marked word.

    Of the parts of speech in which WordNet has the form (or its base forms) the one wins
    whose lemma is most often tagged in SemCor, corrected by the words beside it: articles,
    pronouns, auxiliaries and adverbs of degree.  A part of speech that was given stands.  A
    form that WordNet does not know is its own lemma, and a noun.

    Args:
        marked: the sentence.
        wordnet: has the lemmas.
        tagger: asked in place of frequencies and neighbours where there are several parts of
            speech: the logarithm of the probability of each Penn tag.
    """
    form = marked.target.lower()
    if not marked.pos and helps(marked.text, marked.start, marked.end):
        return Lexelt(form, "v", "v")
    if form in PHRASES and marked.pos in ("", PHRASES[form][0]):
        return Lexelt(form, PHRASES[form][0], PHRASES[form][0])
    before, behind = _neighbours(marked, wordnet)
    found = []
    for pos in (marked.pos,) if marked.pos else PARTS_OF_SPEECH:
        bases = wordnet.readings(marked.target, pos) or _inflected_inside(form, pos, wordnet)
        # A form may be a lemma itself (left, leave): the frequent one is meant.
        counts = [
            (wordnet.count(base, pos), -place, base)
            for place, base in enumerate(bases)
            if not place or not _is_rare(base, bases[0], form, wordnet.count(base, pos))
        ]
        if counts:
            count, _, base = max(counts)
            score = math.log(count + 0.5) + _cue(pos, form, base, before, behind, wordnet)
            found.append((score, base.replace("_", " "), pos))
    if not found:
        return Lexelt(form, marked.pos or "n", marked.pos or "n")
    if tagger is not None and len(found) > 1 and " " not in form:
        tags = tagger(marked.text, marked.start, marked.end)
        alone = _ALONE * _stands_for_a_noun(marked)
        found = [(_told(tags, pos) + alone * (pos == "n"), lemma, pos) for _, lemma, pos in found]
    _, lemma, pos = max(found, key=lambda one: one[0])
    return Lexelt(lemma, pos, pos)


def _told(tags: Mapping[str, float], pos: str) -> float:
    """Return the logarithm of the probability of a part of speech: of all its tags together."""
    own = [value for tag, value in tags.items() if _OF_PENN.get(tag[:2]) == pos]
    return math.log(sum(map(math.exp, own)) or 1e-300)


def _stands_for_a_noun(marked: Marked) -> bool:
    """Return True if a word stands behind *the* and before no noun, as in *left in the dark*."""
    right = marked.text[marked.end :].lstrip()
    behind = WORD.match(right)
    ends = not right or right[0] in ".;:!?)"
    led = re.search(r"\bthe\s+$", marked.text[: marked.start], re.IGNORECASE)
    return led is not None and (ends or (behind is not None and behind[0].lower() in _LINKS))


def helps(text: str, start: int, end: int) -> bool:
    """Return True if a modal stands there, behind a pronoun (*they may come*) or before one.

    Of *we can the fruit* and *the can* that is not so; behind a noun (*my friend will*) nobody is
    sure.
    """
    if text[start:end].lower() not in MODALS:
        return False
    if text[start:end] in _NOTHING_ELSE:
        return True
    before = WORD.findall(text[:start].lower())[-1:]
    behind = WORD.findall(text[end:].lower())[:1]
    if before:
        return before[0] in _PRONOUNS and not {*behind} & (_DETERMINERS | _OBJECTS)
    return {*behind} <= _PRONOUNS and bool(behind)


def _is_rare(base: str, first: str, form: str, count: int) -> bool:
    """Return True if a lemma stays what it is, though it is the irregular form of a rare word, too.

    As *stamina* does (of *stamen*) and *cola* (of *colon*): a word tagged once or twice is no
    evidence against it.  A plural in -s is mostly one (*chips*).
    """
    return first == form and not form.startswith(base[:-1]) and count <= _FEW


def _inflected_inside(form: str, pos: str, wordnet: WordNet) -> list[str]:
    """Return the multiwords of which a form inflects one word, as gave up does give up."""
    words = form.split()
    found = [
        "_".join([*words[:place], base, *words[place + 1 :]])
        for place, word in enumerate(words)
        for base in wordnet.base_forms(word, pos)
    ]
    return [one for one in found if len(words) > 1 and wordnet.knows(one, pos)]


def _neighbours(marked: Marked, wordnet: WordNet) -> tuple[str, str]:
    """Return the words before and behind the target; an adjective between article and target goes.

    A stop or comma between two words parts them.
    """
    left = marked.text[: marked.start].lower()
    tokens = _WORD_OR_SIGN.findall(left)
    before = tokens[-1] if tokens else ""
    if len(tokens) > 1 and tokens[-2] in _DETERMINERS and before not in _DETERMINERS:
        adjective, noun = wordnet.count(before, "a"), wordnet.count(before, "n")
        before = tokens[-2] if adjective > noun else before
    right = WORD.match(marked.text[marked.end :].lstrip().lower())
    return before, right[0] if right else ""


def _cue(pos: str, form: str, base: str, before: str, behind: str, wordnet: WordNet) -> float:
    score = _CUE * (before in _BEFORE[pos])
    if pos == "n" and (before in _NUMBERS or (before in _PREPOSITIONS and form[-3:] != "ing")):
        score += _CUE / 2
    if pos in "vr" and before not in _DETERMINERS and _describes(before, wordnet):
        # Behind an adjective mostly stands a noun.
        score -= _CUE / 2
    if before in _DETERMINERS and wordnet.base_forms(behind, "n") and pos in "an":
        # An article, this word, and then what may be its noun.
        others = (wordnet.count(behind, other) for other in "var")
        adjacent = _CUE if wordnet.count(behind, "n") >= max(others) else 0.0
        score += adjacent if pos == "a" else -adjacent
    if before in _DETERMINERS and pos in "vr":
        score -= _CUE
    if before in _DEGREES and pos in "nv":
        score -= _CUE
    if form != base and form.endswith(("ed", "ing")) and pos == "v":
        score += _CUE / 2
        if form.endswith("ed") and behind in _OBJECTS:
            score += _CUE
    if form != base and form.endswith("s") and (before in _ONE or behind in _SINGULAR):
        # Neither this nor is stands beside a plural: what this needs is patience.
        score += {"n": -2 * _CUE, "v": 2 * _CUE * (before in _ONE)}.get(pos, 0.0)
    if form != base and form.endswith("s") and pos == "v" and before in _COPULAS:
        # Behind be stand participles, but no third person.
        score -= _CUE
    return score


def _describes(word: str, wordnet: WordNet) -> bool:
    """Return True if a word is mostly an adjective."""
    if not word or word in _COPULAS or word in _DEGREES:
        return False
    count = wordnet.count(word, "a")
    return count > 0 and count > max(wordnet.count(word, pos) for pos in "nvr")
