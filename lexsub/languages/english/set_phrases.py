"""Words of set phrases, which nobody replaces one by one: *used to*, *two days later*."""

from __future__ import annotations

import re
from functools import lru_cache

from lexsub.languages.word_lists import words
from lexsub.marked_sentences import Marked
from lexsub.wordnet import WordNet

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

_UNITS = re.compile(
    rf"\b{_NUMBERS}[ -]{_MEASURES}(?: (?:later|earlier|before))?\b|\d ?{_SHORT}\b"
    rf"|\b(?:an?|the) (?:{_TIMES}) (?:later|ago|earlier|before|after|or (?:two|so))\b",
    re.IGNORECASE,
)
_SET = re.compile(
    rf"\b(?:last|next) (?:{_TIMES}|{_DAYS})\b|\b(?:next|used|able|according|prior) to\b"
    r"|\bper cent\b|\b(?:such|as (?:soon|long|far|well)) as\b|\bso far\b|\bany ?more\b"
    r"|\bright now\b|\baged(?= \d)|(?:\bwould|['’]d) rather\b|(?:\bhad|['’]d) better\b"
    r"|\bquite an?\b|\ba (?:great|good) many\b|\bhow come\b|\bno further\b|\bcare less\b"
    r"|\bdepending on\b|\bburst into tears\b"
    rf"|{_HAVE} got\b|{_BE} going to\b(?!{_PLACE})",
    re.IGNORECASE,
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
        for match in pattern.finditer(text)
    )
