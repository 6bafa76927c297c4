"""Window contexts and parsed text: what is counted, checked by hand and by a slow twin."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.candidates.distributional import model_writing, sorted_counts
from lexsub.candidates.distributional import windows as module
from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.candidates.distributional.lemmas import LemmaTable, OneLemma
from lexsub.candidates.distributional.model import ThesaurusModel
from lexsub.candidates.distributional.parsed import conllu_sentences, load_parser
from lexsub.candidates.distributional.windows import LINE_END, RARE, WindowPlan, pairs, scale
from lexsub.corpus.reader import Corpus, blocks_of
from lexsub.errors import FormatError, LexsubError, MissingExtraError, MissingResourceError
from lexsub.resources import Resources
from tests.distributional.test_thesaurus import everything
from tests.spacy_pipeline import ANNOTATIONS, pipeline


def slowly(
    lines: list[str], vocabulary: list[str], window: ThesaurusBuilder
) -> Counter[tuple[str, str, str]]:
    """Count (word, relation, context) one by one."""
    known = vocabulary[window.skip : window.skip + window.contexts]
    found: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        tokens = re.findall(r"[a-z]+", line)
        for i, word in enumerate(tokens):
            for j, other in enumerate(tokens):
                side = "left" if j < i else "right"
                near = 0 < abs(i - j) <= window.size and window.direction in ("both", side)
                if near and word in vocabulary and other in known:
                    weight = scale(window) // abs(i - j) if window.weighting == "harmonic" else 1
                    found[word, side, other] += weight
    return found


windows = st.builds(
    ThesaurusBuilder,
    text=st.just(("text",)),
    size=st.integers(1, 4),
    direction=st.sampled_from(["both", "left", "right"]),
    sides=st.just(True),
    weighting=st.sampled_from(["flat", "harmonic"]),
    contexts=st.integers(1, 5),
    skip=st.integers(0, 2),
)


@settings(max_examples=80)
@given(st.lists(st.lists(st.sampled_from("abcdexyz"), min_size=1, max_size=9), max_size=5), windows)
def test_pairs_are_those_a_slow_count_finds(
    lines: list[list[str]], window: ThesaurusBuilder
) -> None:
    vocabulary = list("abcde")
    known = vocabulary[window.skip : window.skip + window.contexts]
    # Words: a is b, c, and d; b none; each other one itself. Contexts: by side and form.
    stands_for = {"a": "bcd", "b": "", "c": "c", "d": "d", "e": "e"}
    names = [(side, form) for side in ("left", "right") for form in known]
    plan = WindowPlan(
        np.cumsum([0, *(len(stands_for[form]) for form in vocabulary)]),
        np.array([vocabulary.index(w) for form in vocabulary for w in stands_for[form]]),
        np.array([[names.index((side, f)) if f in known else -1 for f in vocabulary]
                  for side in ("left", "right")]),
        len(names),
    )  # fmt: skip
    tokens = [
        number
        for line in lines
        for number in [*(vocabulary.index(w) if w in vocabulary else RARE for w in line), LINE_END]
    ]
    found: Counter[tuple[str, str, str]] = Counter()
    for keys, weight in pairs(np.array(tokens, np.int64), plan, window):
        for key in keys.tolist():
            word, context = divmod(key, len(names))
            found[vocabulary[word], *names[context]] += weight
    expected: Counter[tuple[str, str, str]] = Counter()
    slow = slowly([" ".join(line) for line in lines], vocabulary, window)
    for (form, side, other), count in slow.items():
        for word in stands_for[form]:
            expected[word, side, other] += count
    assert found == expected


LINES = [
    "The old kettle sang. The new kettle didn't sing!",
    "An old kettle sings; a new kettle is silent",
    "old kettles sing in old kitchens",
] * 4


def build(tmp_path: Path, workers: int = 1, **options: object) -> Path:
    source = tmp_path / "text.txt"
    if not source.exists():  # its time of change is part of the name of unfinished work
        source.write_text("\n".join(LINES))
    folder = tmp_path / f"made{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    resources = Resources(cache=tmp_path / "cache", workers=workers)
    settings = {"form_tokens": 4, "word_tokens": 1, **options}
    ThesaurusBuilder(text=(str(source),), **settings).build(resources, folder)  # type: ignore[arg-type]
    return folder


def contexts_of(folder: Path, word: str, pos: str) -> dict[str, int]:
    space = ThesaurusModel(folder).space(pos)
    index = space.words.find(word)
    assert index is not None
    counts = space.counts
    row = slice(counts.starts[index], counts.starts[index + 1])
    return {
        space.contexts[int(c)].replace("\t", " "): int(n)
        for c, n in zip(counts.contexts[row], counts.counts[row], strict=True)
    }


def test_forms_without_a_lexicon(tmp_path: Path) -> None:
    folder = build(tmp_path, size=1)
    assert list(ThesaurusModel(folder).header.spaces) == ["*"]
    # Apostrophes stay inside words, case and signs go, lines part windows.
    assert contexts_of(folder, "didn't", "a") == {"near kettle": 4, "near sing": 4}
    assert contexts_of(folder, "kettles", "*") == {"near old": 4, "near sing": 4}
    header = ThesaurusModel(folder).header
    (source,) = header.sources
    assert (source["kind"], source["lines"], source["tokens"]) == ("windows", 12, 4 * 24)


def test_lemmas_of_a_lexicon_take_the_contexts_of_their_forms() -> None:
    lexicon = {("sing", "v"): 90, ("song", "n"): 5, ("leaf", "n"): 50, ("leave", "v"): 400,
               ("left", "a"): 60, ("leaves", "n"): 1}  # fmt: skip
    analysis = LemmaTable(lambda word, pos: float(lexicon.get((word, pos), 0)), share=0.1)
    assert analysis.of("sang") == [("v", "sing")]
    assert analysis.of("leaves") == [("n", "leaf"), ("v", "leave")]
    assert analysis.of("left") == [("a", "left"), ("v", "leave")]
    assert analysis.of("qwx") == []


def test_a_form_has_one_most_frequent_lemma() -> None:
    lexicon = {("sing", "v"): 90, ("leaf", "n"): 50, ("leave", "v"): 30, ("leave", "n"): 30,
               ("bear", "v"): 14, ("bear", "n"): 9, ("bore", "v"): 14}  # fmt: skip
    analysis = LemmaTable(lambda word, pos: float(lexicon.get((word, pos), 0)))
    # leave is more frequent than leaf over its parts of speech; bore and bear are equal.
    expected = {"sang": "sing", "leaves": "leave", "bore": "bear", "qwx": "qwx"}
    assert {form: analysis.lemma(form) for form in expected} == expected
    assert OneLemma(str).lemma("sang") == "sang"


@pytest.mark.parametrize("sides", [False, True])
def test_lemmas_as_contexts_are_the_sums_of_their_forms(tmp_path: Path, sides: bool) -> None:
    relations = tmp_path / "r.tsv"
    relations.write_text("n\tkettle\tamod\told\t5\nv\tsing\tadvmod\twell\t7\n"
                         "a\told\tamod-of\tkettle\t5\n")  # fmt: skip
    given = {"size": 2, "sides": sides, "relations": (str(relations),), "inventory": "all"}
    forms, lemmas = build(tmp_path, **given), build(tmp_path, context="lemma", **given)
    one = {"kettles": "kettle", "sang": "sing", "sings": "sing"}
    for word, pos in (("kettle", "n"), ("sing", "v"), ("old", "a")):
        expected: Counter[str] = Counter()
        for name, count in contexts_of(forms, word, pos).items():
            relation, _, other = name.partition(" ")
            expected[f"{relation} {one.get(other, other)}"] += count
        assert contexts_of(lemmas, word, pos) == expected
    assert "near sing" in contexts_of(lemmas, "kettle", "n") or sides
    parameters = [ThesaurusModel(folder).header.parameters["context"] for folder in (forms, lemmas)]
    assert parameters == ["form", "lemma"]


def test_relations_and_windows_are_joined(tmp_path: Path) -> None:
    relations = tmp_path / "r.tsv"
    relations.write_text("n\tkettle\tamod\told\t5\nv\tsing\tadvmod\twell\t7\n")
    folder = build(tmp_path, size=1, relations=(str(relations),), inventory="all")
    assert contexts_of(folder, "kettle", "n")["amod old"] == 5
    # kettle and kettles together: behind "old" in each line.
    assert contexts_of(folder, "kettle", "n")["near old"] == 12
    assert contexts_of(folder, "sing", "v")["advmod well"] == 7
    assert contexts_of(folder, "sing", "v")["near kettles"] == 4
    assert [s["kind"] for s in ThesaurusModel(folder).header.sources] == ["relations", "windows"]


def test_bytes_do_not_depend_on_blocks_or_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = everything(build(tmp_path, weighting="harmonic", sides=True))
    monkeypatch.setattr(module, "BLOCK", 60)
    assert everything(build(tmp_path, workers=2, weighting="harmonic", sides=True)) == once


def test_a_stopped_count_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", 60)
    whole = everything(build(tmp_path))
    job, calls = module._count, []
    monkeypatch.setattr(module, "BYTES_A_TOKEN", 10**8)  # so that a block is a job

    def stop_at_the_third(*arguments: object) -> None:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        job(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_count", stop_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path)
    shards = sorted((tmp_path / "cache" / "thesaurus").glob("*/runs/0*.parquet"))
    assert len(shards) == 2
    before = len(calls)
    assert everything(build(tmp_path)) == whole
    blocks = len(list(blocks_of(Corpus((tmp_path / "text.txt",)).lines(), 60)))
    assert len(calls) - before == blocks - 2
    assert not {arguments[0] for arguments in calls[before:]} & set(shards)
    assert not list((tmp_path / "cache" / "thesaurus").iterdir())


@pytest.mark.parametrize("stage", ["_count", "_merge", "write_space"])
@pytest.mark.parametrize("workers", [(1, 2), (2, 1)])
def test_a_stopped_count_goes_on_with_other_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, workers: tuple[int, int]
) -> None:
    monkeypatch.setattr(module, "BLOCK", 60)
    monkeypatch.setattr(sorted_counts, "PART", 100)
    # A job has 50 words where one worker takes all the memory, 25 where two share it.
    monkeypatch.setattr(module, "BYTES_A_TOKEN", 30_000_000)
    whole = everything(build(tmp_path))
    place = {"_count": module, "_merge": sorted_counts, "write_space": model_writing}[stage]
    job, calls = getattr(place, stage), []

    def stop_at_the_second(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return job(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(place, stage, stop_at_the_second)
        patch.setattr(sorted_counts.Jobs, "run", lambda self, jobs, *_: [job() for job in jobs])
        with pytest.raises(KeyboardInterrupt):
            build(tmp_path, workers[0])
        assert everything(build(tmp_path, workers[1])) == whole
        assert len(calls) > 2


def test_too_rare_forms_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match="no word occurs 500 times"):
        build(tmp_path, form_tokens=500)


def test_a_text_of_blank_lines_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n \n")
    with pytest.raises(LexsubError, match="nothing but blank lines; expected text to count"):
        build(tmp_path)


def test_sources_without_a_word_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match="hold no word that lexicon 'none' knows"):
        build(tmp_path, lexicon="none")
    (tmp_path / "none.conllu").write_text("# nothing\n")
    (tmp_path / "none.txt").write_text("")
    for sources in ({"conllu": ("none.conllu",)}, {"relations": ("none.txt",)}):
        places = {kind: tuple(str(tmp_path / name) for name in names)
                  for kind, names in sources.items()}  # fmt: skip
        builder = ThesaurusBuilder(**places)  # type: ignore[arg-type]
        with pytest.raises(LexsubError, match="the sources hold no word; expected some"):
            builder.build(Resources(cache=tmp_path / "cache", data=()), tmp_path / "out")


@pytest.mark.parametrize(
    ("options", "words"),
    [({"size": 0}, "size is 0"), ({"contexts": 0}, "contexts is 0"), ({"skip": -1}, "skip is -1"),
     ({"context": "lemma"}, "forms are given no lemmas"),
     ({"lexicon": "relations"}, "no relations are read"), ({"lexicon": "bnc-lemas"}, "bnc-lemmas")],
)  # fmt: skip
def test_mistakes_in_window_options_are_named(options: dict[str, object], words: str) -> None:
    with pytest.raises((ValueError, LexsubError), match=words):
        ThesaurusBuilder(text=("x",), **options)  # type: ignore[arg-type]


# --- parsed text -----------------------------------------------------------------------------

CONLLU = """\
# text = The old cook slowly baked small cakes in a hot oven .
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\tcook\tcook\tNOUN\t_\t_\t5\tnsubj\t_\t_
4\tslowly\tslowly\tADV\t_\t_\t5\tadvmod\t_\t_
5\tbaked\tbake\tVERB\t_\t_\t0\troot\t_\t_
6\tsmall\tsmall\tADJ\t_\t_\t7\tamod\t_\t_
7\tcakes\tcake\tNOUN\t_\t_\t5\tobj\t_\t_
8\tin\tin\tADP\t_\t_\t11\tcase\t_\t_
9\ta\ta\tDET\t_\t_\t11\tdet\t_\t_
10\thot\thot\tADJ\t_\t_\t11\tamod\t_\t_
11\toven\toven\tNOUN\t_\t_\t5\tobl\t_\t_
12\t.\t.\tPUNCT\t_\t_\t5\tpunct\t_\t_

1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\t_
1\tKitchen\tkitchen\tNOUN\t_\t_\t2\tcompound\t_\t_
2\tdoors\tdoor\tNOUN\t_\t_\t6\tnsubj\t_\t_
3\tand\tand\tCCONJ\t_\t_\t4\tcc\t_\t_
4\twindows\twindow\tNOUN\t_\t_\t2\tconj\t_\t_
5\tare\tbe\tAUX\t_\t_\t6\tcop\t_\t_
6\topen\topen\tADJ\t_\t_\t0\troot\t_\t_
"""

EXPECTED = {
    "n": {
        ("cook", "amod old"), ("cook", "subj-of bake"), ("cake", "amod small"),
        ("cake", "dobj-of bake"), ("oven", "amod hot"), ("oven", "pobj-in-of-v bake"),
        ("kitchen", "nn-of door"), ("door", "nn kitchen"), ("door", "conj window"),
        ("window", "conj door"), ("door", "pred open"),
    },
    "v": {("bake", "subj cook"), ("bake", "dobj cake"), ("bake", "prep-in oven"),
          ("bake", "advmod slowly")},
    "a": {("old", "amod-of cook"), ("small", "amod-of cake"), ("hot", "amod-of oven"),
          ("open", "pred-of door")},
    "r": {("slowly", "advmod-of-v bake")},
}  # fmt: skip


def test_relations_of_conllu(tmp_path: Path) -> None:
    source = tmp_path / "kitchen.conllu"
    source.write_text(CONLLU)
    folder = tmp_path / "made"
    folder.mkdir()
    builder = ThesaurusBuilder(conllu=(str(tmp_path),), inventory="all", word_tokens=1)
    builder.build(Resources(cache=tmp_path / "cache"), folder)
    model = ThesaurusModel(folder)
    for pos, expected in EXPECTED.items():
        found = {
            (word, context)
            for word in model.space(pos).words
            for context in contexts_of(folder, word, pos)
        }
        assert found == expected, pos
    assert model.space("n").counts.counts.tolist() == [1] * len(EXPECTED["n"])


def test_forms_stand_in_for_lemmas_that_are_not_there(tmp_path: Path) -> None:
    bare = re.sub(r"^(\d+\t[^\t]+)\t[^\t]+", r"\1\t_", CONLLU, flags=re.MULTILINE)
    (tmp_path / "bare.conllu").write_text(bare)
    sentences = list(conllu_sentences(Corpus((tmp_path / "bare.conllu",))))
    assert "_" not in {token.lemma for sentence in sentences for token in sentence}
    assert {"doors", "windows"} <= {token.lemma for token in sentences[-1]}


def test_relations_of_text_that_spacy_parses(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(f"{line}\n" for line in ANNOTATIONS))
    folder = tmp_path / "made"
    folder.mkdir()
    builder = ThesaurusBuilder(
        parse=(str(text),), parser=pipeline(tmp_path / "by-hand"), inventory="all", word_tokens=1
    )
    builder.build(Resources(cache=tmp_path / "cache"), folder)
    model = ThesaurusModel(folder)
    further = {"n": {("cake", "subj-of cool")}, "v": {("cool", "subj cake")}}
    for pos, expected in EXPECTED.items():
        found = {
            (word, context)
            for word in model.space(pos).words
            for context in contexts_of(folder, word, pos)
        }
        # The same sentences as above, in spaCy's scheme (prep and pobj, acomp), and a short one.
        assert found == expected | further.get(pos, set()), pos
    (source,) = model.header.sources
    assert (source["kind"], source["files"]) == ("parse", ["text.txt"])


def test_a_spacy_model_that_is_not_there_is_named() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(MissingResourceError, match="no model 'no_such_model': install one"):
        load_parser("no_such_model")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("\t5\tadvmod\t_\t_", "\t5", "7 columns; expected the 10"),
        ("\t5\tadvmod", "\t50\tadvmod", "head 50; the sentence has only 12 tokens"),
        ("\t5\tadvmod", "\t_\tadvmod", "10 columns; expected the 10 of CoNLL-U with a head"),
        ("4\tslowly", "x\tslowly", "token number 'x'"),
        ("slowly\tslowly\tADV", "slowly\tslowly\tRB", "part of speech 'RB' in column 4; expected"),
    ],
)
def test_faults_of_conllu_are_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    source = tmp_path / "bad.conllu"
    source.write_text(CONLLU.replace(old, new, 1))
    builder = ThesaurusBuilder(conllu=(str(source),))
    (tmp_path / "made").mkdir()
    with pytest.raises(FormatError, match=rf"bad\.conllu:5: {words}"):
        builder.build(Resources(cache=tmp_path / "cache"), tmp_path / "made")


def test_parsing_needs_spacy_and_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    load_parser.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[parse\]"):
        load_parser("no_such_model")


def test_a_window_of_an_empty_line_has_no_pairs() -> None:
    plan = WindowPlan(np.array([0, 1]), np.array([0]), np.array([[0], [0]]), 1)
    for tokens in ([], [LINE_END], [0, LINE_END], [0, LINE_END, 0]):
        found = list(pairs(np.array(tokens, np.int64), plan, ThesaurusBuilder(text=("text",))))
        assert all(len(keys) == 0 for keys, _ in found)
