"""Phrases that stand for one word, verbs with a particle, and set phrases, which stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from lexsub.languages.word_lists import WORD, words
from lexsub.marked_sentences import Marked
from lexsub.wordnet import WordNet

_LIST = """
in addition.r: additionally, furthermore, moreover, also, besides
far more.r: much more, a lot more, considerably more, vastly more
far less.r: much less, a lot less, considerably less, vastly less
far too.r: much too, way too, excessively
much more.r: far more, a lot more, considerably more
much less.r: far less, a lot less, considerably less
even more.r: still more, yet more
even less.r: still less
a lot more.r: much more, far more, considerably more
less and less.r: decreasingly, ever less
in contrast.r: conversely, by comparison, on the other hand
as a result.r: consequently, therefore, thus, hence
as a consequence.r: consequently, therefore, thus
in the past.r: formerly, previously, once, before
in the future.r: later, someday, hereafter
in recent years.r: lately, recently
in many cases.r: often, frequently
in most cases.r: usually, mostly, generally
in some cases.r: sometimes, occasionally
most of the time.r: usually, mostly, generally
in a hurry.r: hurriedly, hastily, quickly
to some extent.r: partly, partially, somewhat
without delay.r: immediately, promptly, at once
with ease.r: easily, effortlessly
with care.r: carefully, cautiously
as a rule.r: usually, generally, normally
at that time.r: then, back then
at the moment.r: currently, now, right now, at present
as soon as possible.r: promptly, immediately, quickly
sooner or later.r: eventually, in the end
a number of.a: several, some, various, numerous
a lot of.a: many, much, plenty of, lots of
lots of.a: many, much, plenty of, a lot of
plenty of.a: lots of, a lot of, ample
a great deal of.a: much, a lot of, considerable
due to.r: because of, owing to, on account of
because of.r: due to, owing to, on account of
in spite of.r: despite, notwithstanding
instead of.r: in place of, rather than, in lieu of
as well as.r: in addition to, along with, besides
in addition to.r: besides, as well as, on top of
in order to.r: so as to, to
with regard to.r: regarding, concerning, about
in front of.r: before, ahead of
"""

PHRASES = {
    phrase: (pos, tuple(substitutes.split(", ")))
    for line in _LIST.split("\n")[1:-1]
    for head, substitutes in [line.split(": ")]
    for phrase, pos in [head.rsplit(".", 1)]
}
"""Part of speech and substitutes of each, the most usual first."""

LONGEST = 5
"""Words of the longest phrase that a marked word may stand in."""

_FIRST = words("in at on by of for as from to with without after all")
"""With these begin the adverbs of several words that are widened to: *in general*, *at last*."""

_PARTICLES = frozenset(["after", "off", "up", "out", "down", "away", "over"])
"""Behind a verb, of which they make another (*looked after*), they are no target of their own."""

_LED = words("a an the my your his her its our their me you him it us them")
"""Before these a particle is a preposition."""


def widened(marked: Marked, wordnet: WordNet) -> Marked | None:
    """Return the phrase in which a marked word stands, None where it stands for itself.

    Phrases are those of our list and WordNet's adverbs that begin with a preposition; a marked
    particle behind a verb stands for both (*looked after*), if it does not lead somewhere, as in
    *ran up the hill*.  Marked verbs and nouns stand for themselves.
    """
    if marked.pos or not WORD.fullmatch(marked.target):
        return None
    spans = [match.span() for match in WORD.finditer(marked.text)]
    if (marked.start, marked.end) not in spans:
        return None
    at = spans.index((marked.start, marked.end))
    for length in range(LONGEST, 1, -1):
        for first in range(max(0, at - length + 1), min(at, len(spans) - length) + 1):
            start, end = spans[first][0], spans[first + length - 1][1]
            phrase = marked.text[start:end].lower()
            verbal = length == 2 and first < at
            if _is_phrase(phrase, wordnet) or (
                verbal and _is_phrasal(phrase, marked.text[end:], wordnet)
            ):
                return Marked(marked.text, start, end)
    return None


def multiwords(text: str, wordnet: WordNet) -> list[tuple[int, int]]:
    """Return the spans of a sentence's phrases, rising: what stands for one word.

    Those are what :func:`widened` finds, and WordNet's nouns, verbs and adverbs of several words,
    the longest first where two overlap.
    """
    spans = [match.span() for match in WORD.finditer(text)]
    found = {
        (whole.start, whole.end)
        for start, end in spans
        if (whole := widened(Marked(text, start, end), wordnet)) is not None
    }
    for first in range(len(spans)):
        for last in range(first + 1, min(first + LONGEST, len(spans))):
            start, end = spans[first][0], spans[last][1]
            if text[spans[last - 1][1] : spans[last][0]] != " ":
                break
            small = {text[a:b].lower() for a, b in (spans[first], spans[last])}
            literal = text[start:end].lower() in _LITERAL
            if not (small & _LED or literal) and (
                wordnet.base_forms(text[start:end], "n")
                or _is_verb_or_adverb(text[start:end].lower(), wordnet)
            ):
                found.add((start, end))
    chosen: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda span: (span[0] - span[1], span)):
        if all(end <= a or b <= start for a, b in chosen):
            chosen.append((start, end))
    return sorted(chosen)


_LITERAL = frozenset(
    ["cup of tea", "cold water", "hot water", "old man", "old woman", "young man", "young woman",
     "big fish", "small fry", "big house", "red flag"]
)  # fmt: skip
"""Nouns that WordNet has for something else than they mostly say (*cold water*, discouragement)."""
_LIGHT = frozenset(["be", "do"])
_COMPARED = frozenset(["more", "most", "a"])
_ADVERBS = frozenset(["any longer", "long ago", "no longer", "once again", "once more"])
_ENDS = _FIRST | _PARTICLES | words("like into under around along back home best got words young")


def _is_verb_or_adverb(phrase: str, wordnet: WordNet) -> bool:
    """Return True for a verb with its noun (*took place*) and for a longer adverb of WordNet's.

    Verbs that end in a preposition are mostly two words that happen to stand together.
    """
    first, *rest = phrase.split(" ")
    free = phrase in _ADVERBS or (len(rest) > 1 and first not in _COMPARED)
    if free and wordnet.knows(phrase, "r"):
        return True
    if rest[-1] in _ENDS:
        return False
    own = " ".join(rest)
    bases = wordnet.base_forms(first, "v")
    return any(base not in _LIGHT and wordnet.knows(f"{base} {own}", "v") for base in bases)


def before_particle(marked: Marked, wordnet: WordNet) -> bool:
    """Return True if a word may be a verb that its particle changes: *gave* of *gave up the house*.

    Whether the particle is one or leads somewhere (*ran up the hill*) is not known there.  Behind
    its object it is one: *gave the house up*.
    """
    clause = re.match(r"[\w'’ -]*", marked.text[marked.end :].lower())
    behind = clause[0].split() if clause else []
    particle = behind[0] if behind else ""
    if particle in _LED:
        particle = _behind_object(behind)
    if particle not in _PARTICLES:
        return False
    bases = wordnet.base_forms(marked.target, "v")
    return any(wordnet.knows(f"{base} {particle}", "v") for base in bases)


def _behind_object(behind: Sequence[str]) -> str:
    """Return the particle behind a pronoun or a noun of few words that leads nowhere, or ""."""
    for place, word in enumerate(behind[1:5], start=1):
        if word in _PARTICLES:
            return "" if {*behind[place + 1 : place + 2]} & _LED else word
    return ""


def _is_phrase(phrase: str, wordnet: WordNet) -> bool:
    parts = phrase.split(" ")  # to it is no phrase in running text
    return phrase in PHRASES or (
        parts[0] in _FIRST and "" not in parts and parts[-1] != "it" and wordnet.knows(phrase, "r")
    )


def _is_phrasal(phrase: str, right: str, wordnet: WordNet) -> bool:
    verb, _, particle = phrase.partition(" ")
    if particle not in _PARTICLES:
        return False
    behind = WORD.match(right.lstrip())
    if behind is not None and behind[0].lower() in _LED and particle != "after":
        return False
    return any(wordnet.knows(f"{base} {particle}", "v") for base in wordnet.base_forms(verb, "v"))


# Set phrases, whose words nobody replaces one by one.

SET_PHRASE = "part of a set phrase"
UNIT = "a unit of measure"

_TIMES = "(?:second|minute|hour|day|night|week|fortnight|month|year|decade)s?|centur(?:y|ies)"
_MEASURES = (
    f"(?:{_TIMES}|feet|foot|pence|(?:mile|yard|pound|ounce|tonne|ton|pint|gallon|acre|degree)s?"
    "|inch(?:es)?|(?:kilo|centi|milli)?(?:met(?:re|er)|gram|lit(?:re|er))s?|kilos?"
    "|(?:dollar|euro|cent)s?|per ?cent)"
)
_SHORT = "(?:[kcm]?m|[km]?g|m?l|lbs?|oz|ft|mph|km/h|[kmgt]b|k?hz|yrs?|hrs?|mins?|secs?)"
_NUMBERS = (
    r"(?:\d[\d.,]*|half an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    "|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    "|hundred|thousand|million|several|few|couple of)"
)
_DAYS = (
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening"
    "|spring|summer|autumn|winter|weekend"
)
_BE = r"(?:\b(?:am|is|are|was|were|be|been)|['’](?:m|re|s)|n['’]t)(?: not)?"
_HAVE = r"(?:\b(?:have|has|had|having)|['’](?:ve|s|d)|n['’]t)(?: not)?"
_PLACE = "(?: (?:the|an?|my|his|her|our|their|your)\\b| (?-i:[A-Z]))"

# Running text alone is looked at for these, so they are compiled when the first one comes.
_UNITS = (
    rf"\b{_NUMBERS}[ -]{_MEASURES}(?: (?:later|earlier|before))?\b|\d ?{_SHORT}\b"
    rf"|\b(?:an?|the) (?:{_TIMES}) (?:later|ago|earlier|before|after|or (?:two|so))\b"
)
_SET = (
    rf"\b(?:last|next) (?:{_TIMES}|{_DAYS})\b|\b(?:next|used|able|according|prior) to\b"
    r"|\bper cent\b|\b(?:such|as (?:soon|long|far|well)) as\b|\bso far\b|\bany ?more\b"
    r"|\bright now\b|\baged(?= \d)|(?:\bwould|['’]d) rather\b|(?:\bhad|['’]d) better\b"
    r"|\bquite an?\b|\ba (?:great|good) many\b|\bhow come\b|\bno further\b|\bcare less\b"
    r"|\bdepending on\b|\bburst into tears\b"
    rf"|{_HAVE} got\b|{_BE} going to\b(?!{_PLACE})"
)
_LED_ON = {
    "to": words(
        "look.forward look.up face.up live.up stand.up own.up get.down get.around "
        "give.birth give.rise give.way pay.attention lay.claim"
    ),
    "on": words("look.down cut.down fall.back give.up check.up keep.tabs"),
    "for": words("make.up stand.up look.out watch.out make.way"),
}
"""Verbs with their particle or noun, by the preposition that they form a phrase with."""


def in_a_set_phrase(marked: Marked, wordnet: WordNet) -> str:
    """Return what a word or phrase is part of or how it is bound, "" where it is free.

    A verb of several words is bound by *of* and *with* behind it: *ran out of*, *put up with*.
    """
    for start, end, what in _spans(marked.text):
        if start < marked.end and marked.start < end:
            return what
    verb, *rest = [*marked.target.lower().split(), *marked.text[marked.end :].lower().split()[:2]]
    if len(rest) < 2:
        return ""
    phrase, preposition = rest[0], rest[1].rstrip(".,;:!?")
    bases = wordnet.base_forms(verb, "v")
    of_list = any(f"{base}.{phrase}" in _LED_ON.get(preposition, ()) for base in bases)
    led = preposition in ("of", "with") and " " in marked.target
    bound = of_list or (led and any(wordnet.knows(f"{base} {phrase}", "v") for base in bases))
    return SET_PHRASE if bound else ""


@lru_cache(maxsize=8)
def _spans(text: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (*match.span(), what)
        for pattern, what in ((_UNITS, UNIT), (_SET, SET_PHRASE))
        for match in re.finditer(pattern, text, re.IGNORECASE)
    )
