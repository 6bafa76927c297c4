"""The model that comes with lexsub: whole, small, honest about what it is made of, and of use."""

from __future__ import annotations

import re
import shutil
import tomllib
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import lexsub
from lexsub.cli import main
from lexsub.errors import FormatError
from lexsub.experiments.config.reading import read_experiment, ready_configs
from lexsub.experiments.suggestions.suggesting import Suggester
from lexsub.models import find_model, open_model
from lexsub.storage.memory import BoundedCache

FOLDER = find_model("english")
FREE = re.compile(r"public domain|Apache-2|CC0|CC BY( |-SA|$)|CC BY$|PDDL|MIT|OGL|WordNet licence")


@pytest.fixture(scope="module")
def suggest() -> Suggester:
    return lexsub.open_suggester()


def test_it_is_small_enough_to_come_along() -> None:
    sizes = [len(zlib.compress(path.read_bytes())) for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(sizes) < 79e6


def test_the_card_says_what_it_is_made_of() -> None:
    card = open_model(FOLDER).card
    assert card.licence == "CC BY-SA 4.0"
    assert all(FREE.search(source.licence) for source in card.sources)
    assert not any("NC" in source.licence for source in card.sources)
    assert card.trained.keys() == {"in-context", "learned"}
    for trained in card.trained.values():
        assert {*trained["data"]} == {"swords/dev", "coinco/dev"}
    # The recipe in the tree is that of the model in the tree.
    recipe, kept = (
        read_experiment(path).with_run(2, None).resolved()
        for path in (ready_configs()["english-model"], FOLDER / "recipe.toml")
    )
    assert recipe == kept
    assert [s["name"] for s in recipe["card"]["sources"]] == [s.name for s in card.sources]
    written = tomllib.loads((FOLDER / "recipe.toml").read_text("utf-8"))
    assert written["systems"][0] == open_model(FOLDER).system


@pytest.mark.parametrize("arguments", [["info", "english"], ["list"]])
def test_its_card_can_be_read(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["model", *arguments])
    assert end.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("SWORDS dev" in line for line in lines)
    # A folder's name is not folded.
    assert all(len(line) <= 80 for line in lines if not line.startswith("  folder"))


def test_it_answers_where_none_is_named(suggest: Suggester) -> None:
    assert suggest.name == "model english"
    sentences = {
        "Prices *fell* sharply after the news.": "dropped",
        "It was a *terrible* mistake.": "awful",
        "They had a *hard* life in the mountains.": "difficult",
        "He spoke *softly* to the child.": "gently",
    }
    for sentence, expected in sentences.items():
        assert expected in [one.form for one in suggest(sentence, n=2)], sentence


def test_the_sentence_counts_and_antonyms_are_left_out(suggest: Suggester) -> None:
    light = [one.form for one in suggest("A *bright* light shone in the window.", n=8)]
    boy = [one.form for one in suggest("What a *bright* boy he is at school.", n=8)]
    assert light != boy
    assert "clever" not in light
    assert "clever" in boy
    opposites = {"He is *strong*.": "weak", "The water was *hot*.": "cold", "A *high* wall.": "low"}
    for sentence, opposite in opposites.items():
        assert opposite not in [one.form for one in suggest(sentence, n=20)]


@pytest.mark.parametrize(
    ("sentence", "shown", "never"),
    [
        ("They *tinned* the fish in a day.", "canned", "could"),
        ("She *bequeathed* the house to her son.", "willed", "would"),
        ("The company *fired* thirty workers last month.", "canned", "could"),
        ("We must *tin* the fish.", "bottle", "can"),
        ("He *waived* his right to a trial.", "forwent", "forgo"),
        ("The lion and its *young*.n slept.", "offspring", "offsprings"),
    ],
)
def test_no_modal_stands_for_a_full_verb(
    sentence: str, shown: str, never: str, suggest: Suggester
) -> None:
    forms = [one.form for one in suggest(sentence, n=120)]
    assert shown in forms
    assert never not in forms


def test_no_full_verb_stands_for_a_modal(suggest: Suggester) -> None:
    for sentence in ("He *can* swim.", "They *may* come.", "He *will* come.", "We *must* go."):
        forms = {one.form for one in suggest(sentence, n=40)}
        assert forms <= {"can", "could", "may", "might", "must", "shall", "should", "will",
                         "would", "ought to"}  # fmt: skip
    assert "may" not in [one.form for one in suggest("We *can* the fruit.", n=40)]


def test_a_form_is_shown_once(suggest: Suggester) -> None:
    # Breath and breathe, premier and premiere have one form.
    for sentence in ("They *wound*.v it.", "They *PRACTISED*.v it."):
        found = suggest(sentence, n=300)
        assert len(found) < found.candidates
        forms = [one.form.lower() for one in found]
        assert len(set(forms)) == len(forms)
        assert found.target.lower() not in forms
        assert [one.score for one in found] == sorted((s.score for s in found), reverse=True)


@pytest.mark.parametrize(
    "name",
    ["models/glove/vectors.i8", "models/encoder/encoder.onnx", "resources/moby", "config.toml"],
)
def test_a_byte_flipped_is_one_clear_error(tmp_path: Path, name: str) -> None:
    copy = tmp_path / "english"
    shutil.copytree(FOLDER, copy)
    raw = bytearray((copy / name).read_bytes())
    raw[len(raw) // 2] ^= 4
    (copy / name).write_bytes(raw)
    with pytest.raises(FormatError, match="is damaged"):
        open_model(copy)


def test_answers_do_not_depend_on_what_is_kept(
    suggest: Suggester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that has met more words than it keeps answers as it did at first."""
    sentences = [
        "He is likely to *give up* before the summer.",
        "She *gave* him a book.",
        "It was a *bright* idea.",
    ]
    expected = [suggest(sentence, n=20) for sentence in sentences]

    def almost_nothing(self: BoundedCache[Any, Any], key: Any, value: Any) -> None:
        while len(self) >= 2:
            self.popitem(last=False)
        OrderedDict.__setitem__(self, key, value)

    monkeypatch.setattr(BoundedCache, "__setitem__", almost_nothing)
    other = lexsub.open_suggester()
    assert [other(sentence, n=20) for sentence in sentences] == expected
