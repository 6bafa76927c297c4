"""Forms of verbs: of those that the dictionary lists, the one that stands where the target does.

No paradigm is built: a form is told by its ending and by which other forms the dictionary lists of
the same verb (*mangeraient* is a conditional since there is *mangeront*).  What that does not tell
apart is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from lexsub.languages.dictionary import listed_forms, listed_lemma
from lexsub.languages.word_lists import forms_by_tag, pairs

CODE = "fr"
INFINITIVES = ("er", "ir", "re", "oir")

_PERSONS = {"1s": "ais", "2s": "ais", "3s": "ait", "1p": "ions", "2p": "iez", "3p": "aient"}
_FUTURE = {"1s": "ai", "2s": "as", "3s": "a", "1p": "ons", "2p": "ez", "3p": "ont"}
_AGREEMENT = {"ms": "", "fs": "e", "mp": "s", "fp": "es"}

Forms = frozenset[str]
Test = Callable[[str, str, Forms], bool]
"""(form, infinitive, all forms) → whether it is that form."""


@lru_cache(maxsize=1 << 12)
def _forms(lemma: str) -> Forms:
    return frozenset(listed_forms(CODE).get(lemma, ())) | {lemma}


def _is_future_stem(stem: str, forms: Forms) -> bool:
    return stem.endswith("r") and f"{stem}ont" in forms


def _imperfect(ending: str) -> Test:
    def test(form: str, lemma: str, forms: Forms) -> bool:
        stem = form.removesuffix(ending)
        # Before i neither the e of mangeait nor the cedilla of lançait is written.
        others = (f"{stem}aient", f"{stem}eaient", f"{stem[:-1]}çaient")
        listed = others if ending[0] == "i" else others[:1]
        return stem != form and any(o in forms for o in listed) and not _is_future_stem(stem, forms)

    return test


def _future(ending: str) -> Test:
    return lambda form, lemma, forms: (
        form.endswith(ending) and _is_future_stem(form.removesuffix(ending), forms)
    )


def _plain_present(ending: str) -> Test:
    """First and second person plural: *-ons*, *-ez*."""
    return lambda form, lemma, forms: (
        form.endswith(ending)
        and not form.endswith(
            (f"i{ending}", f"ss{ending}") if lemma.endswith("er") else f"i{ending}"
        )
        and not _is_future_stem(form.removesuffix(ending), forms)
    )


def _present_3s(lemma: str) -> str | None:
    forms = _forms(lemma)
    if lemma.endswith("er"):
        if f"{lemma[:-2]}ent" in forms:
            return f"{lemma[:-2]}e"
        # Appelle, achète; mangeasse and bouchère are none.
        found = (form for form in forms if form.endswith("e") and f"{form}nt" in forms)
        return _one(form for form in found if not form.endswith("sse") and f"{form}s" in forms)
    if f"{lemma[:-1]}ssait" in _forms(lemma):
        return f"{lemma[:-1]}t"
    choices = [
        f"{lemma[: len(lemma) - cut]}{end}" for old, cut, end in _THIRD if lemma.endswith(old)
    ]
    return next((form for form in choices if listed_lemma(form, CODE) == lemma), None)


# Of verbs in neither -er nor -ir, -issent: end, how much of it goes, what comes in its place.
_THIRD = (
    ("indre", 4, "nt"),
    ("dre", 2, ""),
    ("ttre", 3, ""),
    ("vrir", 2, "e"),
    ("frir", 2, "e"),
    ("enir", 4, "ient"),
    ("tir", 3, "t"),
    ("mir", 3, "t"),
    ("vir", 3, "t"),
    ("rir", 2, "t"),
    ("aître", 5, "aît"),
    ("vre", 3, "t"),
    ("pre", 2, "t"),
    ("re", 2, "t"),
    ("voir", 1, "t"),
    ("evoir", 5, "oit"),
)


def _present_3p(lemma: str) -> str | None:
    forms = _forms(lemma)
    if lemma.endswith("er"):
        singular = _present_3s(lemma)
        return singular and f"{singular}nt"
    stem = next((f[:-5] for f in forms if TESTS["imperfect 3p"](f, lemma, forms)), "")
    choices = (f"{stem}ent", f"{stem}nent", f"{stem[:-1]}ient", f"{stem[:-2]}iennent")
    return next((form for form in choices if stem and form in forms), None)


def _one(found: Iterable[str]) -> str | None:
    """Return the one of some forms; None where there are several, or none."""
    forms = list(found)
    return forms[0] if len(forms) == 1 else None


def _past_3s(form: str, lemma: str, forms: Forms) -> bool:
    if lemma.endswith("er"):
        stem = form[:-2] if form.endswith("gea") else form[:-1]
        return form.endswith("a") and f"{stem.replace('ç', 'c')}èrent" in forms
    return form.endswith(("it", "ut", "int")) and f"{form[:-1]}rent" in forms


TESTS: dict[str, Test] = {
    "infinitive": lambda form, lemma, forms: form == lemma,
    "participle": lambda form, lemma, forms: (
        form.endswith("ant") and f"{form[:-3]}ait" in forms and f"{form}s" not in forms
    ),
    **{f"imperfect {who}": _imperfect(end) for who, end in _PERSONS.items()},
    **{f"conditional {who}": _future(end) for who, end in _PERSONS.items()},
    **{f"future {who}": _future(end) for who, end in _FUTURE.items()},
    "present 3s": lambda form, lemma, forms: form == _present_3s(lemma),
    "present 2s": lambda form, lemma, forms: (
        lemma.endswith("er") and form == f"{_present_3s(lemma)}s"
    ),
    "present 1p": _plain_present("ons"),
    "present 2p": _plain_present("ez"),
    "present 3p": lambda form, lemma, forms: form == _present_3p(lemma),
    "past 3s": _past_3s,
    "past 3p": lambda form, lemma, forms: (
        form.endswith(("èrent", "irent", "urent", "inrent")) and form[:-2] not in forms
    ),
}
"""Forms by name, in the order in which a target's is looked for."""


_IRREGULAR = forms_by_tag(
    {
        "present 2s": "aller vas",
        "present 3s": "être est, avoir a, aller va, faire fait",
        "present 1p": "être sommes, avoir avons",
        "present 2p": "être êtes, avoir avez, faire faites, dire dites",
        "present 3p": "être sont, avoir ont, aller vont, faire font",
        "participle": "avoir ayant",
    }
)
# Participles by the end of the infinitive, the longer ends first; all verbs made with these alike.
_PARTICIPLES = tuple(
    pairs(
        "être été, naître né, connaître connu, paraître paru, mettre mis, battre battu, prendre "
        "pris, soudre solu, moudre moulu, coudre cousu, indre int, vaincre vaincu, écrire "
        "écrit, crire crit, suivre suivi, vivre vécu, boire bu, croire cru, duire duit, truire "
        "truit, cuire cuit, nuire nui, luire lui, faire fait, plaire plu, taire tu, traire "
        "trait, élire élu, lire lu, dire dit, suffire suffi, rire ri, clure clu, clore clos, "
        "quérir quis, courir couru, mourir mort, ouvrir ouvert, couvrir couvert, offrir offert, "
        "souffrir souffert, tenir tenu, venir venu, vêtir vêtu, avoir eu, savoir su, asseoir "
        "assis, mouvoir mu, pouvoir pu, vouloir voulu, valoir valu, falloir fallu, pleuvoir "
        "plu, cevoir çu, voir vu"
    ).items()
)


def is_verb(lemma: str) -> bool:
    """Return True if a lemma is a verb's: *partir*, not *clair* or *soir*."""
    if not lemma.endswith(INFINITIVES):
        return False
    future = f"{lemma.removesuffix('e')}a"
    return listed_lemma(future, CODE) == lemma or inflect(lemma, "imperfect 3s") is not None


def form_of(surface: str, lemma: str) -> str:
    """Return the name of a verb's form; ``another`` where it is not known."""
    for agreement, ending in reversed(_AGREEMENT.items()):
        if surface == f"{_past_participle(lemma)}{ending}":
            return f"past participle {agreement}"
    for (verb, name), form in _IRREGULAR.items():
        if (lemma, surface) == (verb, form):
            return name
    forms = _forms(lemma) | {surface}
    return next((name for name, test in TESTS.items() if test(surface, lemma, forms)), "another")


def inflect(lemma: str, form: str) -> str | None:
    """Return a verb in the form of that name; None where it is not known, or not one alone."""
    if form.startswith("past participle"):
        participle = _past_participle(lemma)
        ending = _AGREEMENT[form.rpartition(" ")[2]]
        return participle and (participle if participle[-1:] == ending else participle + ending)
    if form not in TESTS:
        return None
    if (lemma, form) in _IRREGULAR:
        return _IRREGULAR[lemma, form]
    forms = _forms(lemma)
    if form == "participle" and lemma.endswith("er"):
        # Many are listed as adjectives of their own.
        stem = next((f[:-3] for f in forms if TESTS["imperfect 3s"](f, lemma, forms)), "")
        return f"{stem}ant" if stem else None
    return _one(one for one in forms if TESTS[form](one, lemma, forms))


def _past_participle(lemma: str) -> str | None:
    if lemma.endswith("er"):
        return f"{lemma[:-2]}é"
    exact = {"être", "avoir", "savoir", "voir", "lire", "rire", "dire", "boire", "taire"}
    for end, participle in sorted(_PARTICIPLES, key=lambda one: -len(one[0])):
        if lemma.endswith(end) and (lemma == end or end not in exact or lemma[:-4] in _PREFIXES):
            return lemma.removesuffix(end) + participle
    if lemma.endswith("ir"):
        return (
            lemma[:-1] if f"{lemma[:-1]}ssait" in _forms(lemma) or lemma.endswith("mir") else None
        )
    regular = f"{lemma[:-2]}u"
    return regular if lemma.endswith("dre") and listed_lemma(regular, CODE) is not None else None


_PREFIXES = frozenset(["re", "pré", "entre", "contre", "inter", "mé", "sou", "é"])
