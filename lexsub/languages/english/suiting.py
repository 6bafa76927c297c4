"""Which words are no target of a substitution, and which can stand for no target."""

from __future__ import annotations

import re
from functools import lru_cache

from lexsub.datasets import PARTS_OF_SPEECH, Item
from lexsub.languages.english.context import possessive_ending
from lexsub.languages.english.inflection import all_forms
from lexsub.languages.word_lists import WORD, words
from lexsub.marked_sentences import Marked
from lexsub.wordnet import WordNet
from lexsub.wordnet.reader import index_form, plain, related_words

FUNCTION_WORD = "a function word"
NAME = "a name"
CONTRACTION = "a contraction"
NUMBER = "a number"

_ALWAYS = words(
    "a an the i me my mine myself you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself we us our ours ourselves they them their theirs themselves this "
    "that these those who whom whose which what and or nor but if than whether because although "
    "unless of from with into onto upon to as at for during among amid not n't"
)
_BEFORE_NOUNS = words("in on by over under about through between off up down after")
"""Prepositions where a word follows; adverbs at the end of a clause (*The war is over.*)."""

_CLOSED = words(
    "am is are was were be been being have has had having do does did doing done can could may "
    "might must shall should will would ought cannot every each some any no all both half either "
    "neither such own other others another more most less least much many few several enough same "
    "one ones none nobody nothing everybody everyone everything somebody someone something anybody "
    "anyone anything when where why how while since until till there here yes so too very just "
    "only even also then now ever never yet ago oh o'clock please mr mrs ms dr prof"
)
"""Words of closed classes, which a text is made of and a writer does not replace."""
_QUANTITIES = words(
    "such own other others another more most less least much many few several enough same one ones"
)
"""Those that a tagger calls nouns and adjectives."""
_PREPOSITIONS = words(
    "in on by over under about through between off up down after before behind beyond beside "
    "besides beneath below above across against along around near past without within toward "
    "towards per via like except despite out away back"
)
_NUMBERS = words(
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred hundreds thousand thousands million millions billion billions trillion dozen dozens"
) | {"half a dozen"}
_ORDINALS = words(
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth "
    "sixtieth seventieth eightieth ninetieth hundredth thousandth millionth"
)
"""Without *first*, which says more than a number, and *second*, which may be a time."""

_NUMERALS = frozenset(f"{n}{end}" for n in range(1, 101) for end in ("st", "nd", "rd", "th"))
_SERIES = (
    _NUMBERS,
    _ORDINALS | {"first", "second", *_NUMERALS},
    words(
        "second seconds minute minutes hour day week fortnight month year decade century millennium"
    ),
    words("morning noon afternoon evening night midnight"),
    words("today yesterday tomorrow"),
    words("spring summer autumn fall winter"),
    words("north south east west"),
    words("northern southern eastern western"),
    words("northward southward eastward westward northwards southwards eastwards westwards"),
    words("hot warm cool cold"),
    words("breakfast lunch dinner supper"),
    words("black white red green blue yellow brown orange purple pink grey gray"),
    words(
        "mother father brother sister son daughter aunt uncle nephew niece cousin grandmother "
        "grandfather husband wife"
    ),
)
"""Words that are likely in one another's place and never mean the same (*for two hours, days*)."""
_AS_GOOD = (
    words("minute minutes second seconds"),
    words("evening night"),
    words("hot warm"),
    words("cool cold"),
    words("dinner supper"),
    words("afternoon evening"),
)
"""Pairs of a series that people do give for each other (CoInCo's dev part)."""
_CONTRACTED = re.compile(
    r"n['’]t$|['’](?:re|ve|ll|d|m|em)$|^['’]?(?:tis|twas)$"
    r"|^(?:gonna|wanna|gotta|gimme|lemme|dunno|kinda|sorta)$"
)

_PERSONAL = words("i me you him her it us them he she we they")
_ARTICLES = words(
    "a an the my your his her its our their this that these those some any each every no"
)
_RANKS = words("genus family order class phylum suborder subfamily superfamily division")
_TITLES = words("mr mrs ms dr prof sir lady lord saint st")


def no_target(marked: Marked, wordnet: WordNet) -> str:
    """Return what a marked word is where nothing can stand for it, "" where it is a target.

    Function words are those of a list, and prepositions before an article or pronoun.  A name is
    capitalised and either one thing in WordNet's first sense, and in all senses capitalised
    (*London*), or, inside a sentence, unknown to WordNet, or behind a title (*Mr Smith*).
    """
    form = marked.target.lower()
    if form in _ALWAYS and not (form != "i" and len(form) < 3 and _is_spelt(marked)):
        return FUNCTION_WORD
    if form in _BEFORE_NOUNS:
        behind = WORD.match(marked.text[marked.end :].lstrip())
        if behind and behind[0].lower() in _ARTICLES | _PERSONAL:
            return FUNCTION_WORD
    return NAME if marked.target[0].isupper() and _is_name(marked, wordnet) else ""


def left_alone(marked: Marked, wordnet: WordNet) -> str:
    """Return what a word of running text is that nobody would replace unasked; "" for a target.

    That is more than :func:`no_target`: all words of closed classes, and whatever is capitalised
    inside a sentence or before another capital.  A text in capitals has no names by its letters.
    Of a word whose part of speech is given, that decides whether it is a name, and *might* a noun.
    """
    form = marked.target.lower().replace("’", "'")
    if _CONTRACTED.search(form) or (form[-2:] == "'s" and not possessive_ending(form)):
        return CONTRACTION
    behind = WORD.match(marked.text[marked.end :].lstrip(" "))
    closed = form in (_ALWAYS | _CLOSED | _PREPOSITIONS if marked.pos in ("", "r") else _QUANTITIES)
    if (
        not marked.pos
        and marked.target[0].isupper()
        and form != "i"
        and marked.text != marked.text.upper()
    ):
        whole = len(marked.target) > 1 and marked.target.isupper()
        before_name = behind and behind[0][0].isupper() and behind[0] != "I" and not closed
        if whole or _inside(marked) or before_name:
            return NAME
    if closed:
        return FUNCTION_WORD
    parts = {*form.split("-")} - ({"first", "second"} if "-" in form else set())
    if parts <= _NUMBERS | _ORDINALS or form.split(" ")[0] in _NUMBERS:
        return NUMBER
    if " " in form:
        return NAME if _is_one_thing(form, wordnet) else ""
    return "" if marked.pos else no_target(marked, wordnet)


def _is_one_thing(phrase: str, wordnet: WordNet) -> bool:
    """Return True if WordNet has a phrase with capitals alone: *new york*."""
    senses = [one for pos in PARTS_OF_SPEECH for one in wordnet.synsets(phrase, pos)]
    own = [word.lemma for one in senses for word in one.words if plain(word.text).lower() == phrase]
    return bool(own) and not any(lemma.islower() for lemma in own)


def _is_spelt(marked: Marked) -> bool:
    """Return True if a word is in capitals that its sentence is not in, as *US* and *IT*."""
    return len(marked.target) > 1 and marked.target.isupper() and not shouts(marked.text, marked)


def shouts(text: str, marked: Marked | Item) -> bool:
    """Return True if a sentence has another word of capitals alone beside the target."""
    around = f"{text[: marked.start]} {text[marked.end :]}"
    return any(word.isupper() and len(word) > 1 for word in WORD.findall(around))


def _is_name(marked: Marked, wordnet: WordNet) -> bool:
    form = marked.target
    if _is_spelt(marked):
        return False  # an abbreviation: what it is short for can stand for it
    senses = [
        synset
        for pos in PARTS_OF_SPEECH
        for base in wordnet.base_forms(form.replace(" ", "_"), pos)
        for synset in wordnet.synsets(base, pos)
    ]
    if not senses:
        return _inside(marked) and not shouts(marked.text, marked) and " " not in form
    own = [
        word.lemma
        for synset in senses
        for word in synset.words
        if word.text.lower() == form.lower()
    ]
    first = any(pointer.symbol == "@i" for pointer in senses[0].pointers)
    if first and own and not any(lemma.islower() for lemma in own):
        return True
    before = WORD.findall(marked.text[: marked.start])[-1:]
    return bool(before) and before[0].lower() in _TITLES and before[0][0].isupper()


def _inside(marked: Marked) -> bool:
    """Return True if a word stands inside a sentence, where only names are capitalised."""
    return bool(re.search(r"[\w,;]['’\")\]]*\s+$", marked.text[: marked.start]))


def suits(substitute: str, item: Item, wordnet: WordNet) -> bool:
    """Return True if a word can stand for a target at all.

    It cannot if WordNet has it in other parts of speech alone (a noun may stand for an adjective
    before a noun: *wooden table*), if it is the target in any form, its opposite, or the next of
    its series.
    """
    word, lemma, pos = substitute.lower(), item.lemma.lower(), item.pos
    if word in _own_forms(lemma, pos) or word in _opposites(wordnet, lemma, pos):
        return False
    if _is_latin(substitute, wordnet):
        return False
    if pos == "n" and lemma.endswith(f" {word}"):
        return False  # pie says less than apple pie
    if word in ("capable", "incapable") and re.match(r"\s+to\b", item.text[item.end :]):
        return False  # of doing so
    nominal = False
    if pos == "a" and (behind := WORD.match(item.text[item.end :].lstrip(" "))):
        nominal = bool(wordnet.base_forms(behind[0], "n"))
    kinds = _kinds(wordnet, word)
    if not kinds:  # unknown, or a form of another word, as likes of like
        return not wordnet.base_forms(word, pos)
    return pos in kinds or (nominal and "n" in kinds)


def _is_latin(phrase: str, wordnet: WordNet) -> bool:
    """Return True of a name that biologists give: *Canis familiaris*, *genus Canis*."""
    first, _, last = phrase.partition(" ")
    if first in _RANKS:
        return last[:1].isupper()
    named = first[:1].isupper() and last.islower() and " " not in last
    return named and not any(wordnet.base_forms(last, pos) for pos in PARTS_OF_SPEECH)


@lru_cache(maxsize=256)
def _own_forms(lemma: str, pos: str) -> frozenset[str]:
    return frozenset(form.lower() for form in all_forms(lemma, pos))


@lru_cache(maxsize=1 << 12)
def _kinds(wordnet: WordNet, word: str) -> str:
    """Return the parts of speech that WordNet has a word in: *liking* is a noun, no verb.

    A word that is only a form of another has none: nobody knows what *freezing* is.
    """
    if not wordnet.knows(word):
        return ""
    own = {index_form(word), index_form(plain(word))}
    return "".join(
        pos for pos in PARTS_OF_SPEECH if own.intersection(wordnet.base_forms(word, pos))
    )


@lru_cache(maxsize=256)
def _opposites(wordnet: WordNet, lemma: str, pos: str) -> frozenset[str]:
    """Return the antonyms of all senses, with their synonyms and what is similar to them.

    So are the others of a series.  What is a synonym of the target in some sense is none.
    """
    found, own = set[str](), set[str]()
    for synset in wordnet.synsets(lemma, pos):
        own.update(word.text.lower() for word in synset.words)
        for opposite, _ in related_words(wordnet, synset, ("!",), lemma.replace(" ", "_")):
            for each in (opposite, *map(wordnet.synset, opposite.targets("&"))):
                found.update(word.text.lower() for word in each.words)
    if pos != "v":
        if lemma == "hour":
            own.discard("minute")  # so far away, says WordNet, as it takes to get there
        found.update(*(series for series in _SERIES if lemma in series))
        own.update(*(pair for pair in _AS_GOOD if lemma in pair))
    return frozenset(found - own)
