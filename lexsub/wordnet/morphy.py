"""Morphy: base forms by exception lists and suffix rules, as NLTK applies them.

Unlike Princeton's morphy(3WN) this neither takes collocations apart nor handles ``-ful``;
it is what the field's experiments have used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

# (suffix, what replaces it); NLTK's list, in its order, which decides what comes first.
RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
          ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
          ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip


def base_forms(
    form: str,
    pos: str,
    exceptions: Mapping[tuple[str, str], Sequence[str]],
    known: Callable[[str, str], bool],
) -> list[str]:
    """Return every base form that WordNet knows, the form itself first.

    Args:
        form: a word as WordNet's index writes it (lower case, underscores).
        pos: n, v, a or r.
        exceptions: the bases that the exception lists give for (form, part of speech); they
            take the place of the rules.
        known: whether WordNet has a word of that part of speech.
    """
    irregular = exceptions.get((form, pos))
    if irregular is None:
        guesses = [form[: -len(old)] + new for old, new in RULES[pos] if form.endswith(old)]
    else:
        guesses = list(irregular)
    return [base for base in dict.fromkeys([form, *guesses]) if known(base, pos)]
