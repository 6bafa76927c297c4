"""The tagger: what it learns from a treebank, and what the language makes of what it says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.encoder import open_encoder
from lexsub.errors import FormatError, LexsubError
from lexsub.languages import language_of
from lexsub.languages.english.guessing import guess_lexelt
from lexsub.marked_sentences import parse_marked
from lexsub.rankers.contextual.tagging import TAGS, TaggerBuilder, fitted, sentences
from lexsub.resources import Resources
from lexsub.tagger import WEIGHTS, open_tagger, tagger_of
from lexsub.wordnet import open_wordnet
from tests.tiny_encoder import write_encoder

ENGLISH = language_of("en")


def treebank(path: Path, *lines: str) -> Path:
    """Write sentences given as word/UPOS/XPOS."""
    blocks = []
    for line in lines:
        words = [word.split("/") for word in line.split()]
        rows = [f"# text = {' '.join(word for word, *_ in words)}"]
        rows += (
            "\t".join([str(place), word, word.lower(), upos, xpos, *"_____"])
            for place, (word, upos, xpos) in enumerate(words, start=1)
        )
        blocks.append("\n".join(rows))
    path.write_text("\n\n".join(blocks) + "\n\n", "utf-8")
    return path


WINE = "The/DET/DT wine/NOUN/NN was/AUX/VBD too/ADV/RB strong/ADJ/JJ to/PART/TO drink/VERB/VB"


def test_what_a_treebank_holds(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(
        "# text = I don't know Rome's.\n"
        "1\tI\tI\tPRON\tPRP\t_\t_\t_\t_\t_\n"
        "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdo\tdo\tAUX\tVBP\t_\t_\t_\t_\t_\n"
        "3\tn't\tnot\tPART\tRB\t_\t_\t_\t_\t_\n"
        "4\tknow\tknow\tVERB\tVB\t_\t_\t_\t_\t_\n"
        "4.1\tit\tit\tPRON\tPRP\t_\t_\t_\t_\t_\n"
        "5\tRome\tRome\tPROPN\tNNP\t_\t_\t_\t_\t_\n"
        "6\t's\t's\tPART\tPOS\t_\t_\t_\t_\t_\n"
        "7\t.\t.\tPUNCT\t.\t_\t_\t_\t_\t_\n\n",
        "utf-8",
    )
    ((text, words),) = sentences(path)
    found = [(text[one.start : one.end], one.tag) for one in words]
    assert found == [("I", "OTHER"), ("know", "VB"), ("Rome", "NAME"), ("'s", "OTHER")]
    path.write_text("# text = a b\n1\ta\n", "utf-8")
    with pytest.raises(FormatError, match=r"t\.conllu:2: .*ten fields"):
        list(sentences(path))
    treebank(path, "A/DET/DT b/NOUN/NN")
    path.write_text(path.read_text("utf-8").replace("text = A b", "text = A c"), "utf-8")
    with pytest.raises(FormatError, match=r"t\.conllu:3: 'b' is not in the sentence"):
        list(sentences(path))


def test_the_regression_is_scikit_learns() -> None:
    """Without decay worth speaking of, both find the same classes of what can be parted."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(3, 12))
    tags = rng.integers(0, 3, 600)
    states = (centres[tags] + 0.7 * rng.normal(size=(600, 12))).astype(np.float32)
    weights = fitted(states[:500], tags[:500], 20, 0.02, 0)
    ours = (states[500:] @ weights[:-1] + weights[-1]).argmax(axis=1)
    theirs = linear_model.LogisticRegression().fit(states[:500], tags[:500]).predict(states[500:])
    assert (ours == theirs).mean() > 0.95
    assert (ours == tags[500:]).mean() > 0.8


def test_it_learns_and_opens_as_a_model_has_it(tmp_path: Path) -> None:
    for name in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(name)
    encoder = write_encoder(tmp_path / "encoder", "mpnet")
    path = treebank(tmp_path / "t.conllu", *[WINE] * 30)
    places = Resources(paths={"bank": path}, models={"encoder": encoder})
    (tmp_path / "tagger").mkdir()
    TaggerBuilder("bank", words=100, epochs=40).build(places, tmp_path / "tagger")
    tagger = open_tagger(tmp_path / "tagger", encoder)
    text = "The wine was too strong to drink"
    for word, tag in (("wine", "NN"), ("strong", "JJ"), ("drink", "VB")):
        start = text.index(word)
        said = tagger(text, start, start + len(word))
        assert max(said, key=lambda one: said[one]) == tag
        assert sum(map(math.exp, said.values())) == pytest.approx(1, abs=0.05)
    # What is read of one word after the other is what is read of all at once.
    states = open_encoder(encoder)
    words, masks = states.words(text, [(4, 8), (17, 23)])
    for place, span in enumerate([(4, 8), (17, 23)]):
        read = states.read(text, *span)
        assert np.allclose(words[:, place], read.word, atol=1e-4)
        assert np.allclose(masks[:, place], read.mask, atol=1e-4)
    models = {"tagger": tmp_path / "tagger", "encoder": encoder}
    found = tagger_of(Resources(models=models))
    assert found is not None
    assert found.header.tags == TAGS
    assert tagger_of(Resources(models={"encoder": encoder})) is None
    with pytest.raises(FormatError, match="names an encoder that is not there"):
        tagger_of(Resources(models={"tagger": tmp_path / "tagger"}))
    with pytest.raises(FormatError, match="expected 123"):
        TaggerBuilder("bank", sha256="123").build(places, tmp_path / "tagger")
    raw = bytearray((tmp_path / "tagger" / WEIGHTS).read_bytes())
    raw[-1] ^= 1
    (tmp_path / "tagger" / WEIGHTS).write_bytes(raw)
    with pytest.raises(FormatError, match="is damaged"):
        open_tagger(tmp_path / "tagger", encoder)


def test_a_treebank_without_short_sentences(tmp_path: Path) -> None:
    for name in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(name)
    encoder = write_encoder(tmp_path / "encoder", "mpnet")
    path = treebank(tmp_path / "t.conllu", "No/DET/DT")
    places = Resources(paths={"bank": path}, models={"encoder": encoder})
    with pytest.raises(LexsubError, match="no sentence of it is short enough"):
        TaggerBuilder("bank").build(places, tmp_path)


@pytest.mark.parametrize(
    ("line", "tags", "lexelt", "tag"),
    [
        # The likeliest part of speech is that of all its tags together …
        ("The *run* was long.", {"NN": -1.5, "VB": -2.0, "VBP": -2.0, "VBD": -1.6}, "run.v", "VB"),
        ("The *run* was long.", {"NN": -0.5, "VB": -2.0, "VBP": -2.0}, "run.n", "NN"),
        # An adjective that stands for a noun is WordNet's noun …
        ("He was left in the *dark*.", {"JJ": -0.1, "NN": -3.0}, "dark.n", "NN"),
        ("The *dark* of night fell.", {"JJ": -0.1, "NN": -3.0}, "dark.n", "NN"),
        ("He left in the *dark*, cold night.", {"JJ": -0.1, "NN": -3.0}, "dark.a", "JJ"),
        ("It was *dark*.", {"JJ": -0.1, "NN": -3.0}, "dark.a", "JJ"),
        # … of those that WordNet has for the form.
        ("He *slept*.", {"NN": -0.1, "VBD": -3.0}, "sleep.v", "VBD"),
        ("The *winner* was good.", {"VB": -0.1}, "winner.n", "NN"),
        ("They *set* it.", {"VBD": -0.5, "VBN": -1.5, "VBP": -1.0}, "set.v", "VBD"),
        ("They *set* it.", {"VBD": -1.5, "VBN": -1.5, "VBP": -0.3}, "set.v", "VBP"),
        ("The *set*.n of it.", {"VBD": -0.1}, "set.n", "NN"),
        ("Fewer *sheep* slept.", {"NNS": -0.1, "NN": -2.0}, "sheep.n", "NNS"),
        ("The *walked* mile.", {"VBN": -0.1, "VBD": -2.0}, "walk.v", "VBN"),
    ],
)
def test_the_language_asks_it(line: str, tags: dict[str, float], lexelt: str, tag: str) -> None:
    def tagger(text: str, start: int, end: int) -> dict[str, float]:
        assert text[start:end] == marked.target
        return tags

    marked = parse_marked(line)
    wordnet = open_wordnet(Resources())
    assert str(guess_lexelt(marked, wordnet, tagger)) == lexelt
    lemmatiser = ENGLISH.tagged(ENGLISH.lemmatiser(Resources()), tagger)
    (found,) = ENGLISH.lexelts(marked, lemmatiser)
    assert found == Lexelt.parse(lexelt)
    item = Item("1", found, marked.text, marked.start, marked.end)
    assert ENGLISH.tag(item, lemmatiser) == tag
    assert ENGLISH.tag(item, ENGLISH.lemmatiser(Resources())) == ""
    told = Item("1", found, marked.text, marked.start, marked.end, tag)
    assert ENGLISH.form_of(told).partition("/")[0] == tag
