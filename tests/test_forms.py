"""Forms by rules and a model's table are LemmInflect's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.errors import FormatError
from lexsub.languages import language_of
from lexsub.languages.english import inflection
from lexsub.languages.english.forms import TAGS, Table, bases, read_forms, regular, write_forms

pytest.importorskip("lemminflect")

WORDS = [
    "walk", "go", "be", "have", "take", "strike", "drop", "travel", "dance", "die", "tie",
    "free", "see", "fix", "buzz", "wash", "cry", "play", "panic", "quit", "child", "goose",
    "mouse", "dog", "box", "church", "baby", "toy", "bus", "city", "sheep", "series",
    "analysis", "man", "woman", "knife", "roof", "big", "hot", "happy", "late", "strong",
    "bad", "good", "far", "well", "soon", "fast", "dry", "gentle", "narrow",
]  # fmt: skip


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A table of these words, LemmInflect hidden from whoever asks for forms."""
    path = tmp_path / "forms"
    write_forms(path, WORDS, lambda word, tag: inflection.known_forms(word, tag, guess=False))
    inflection._forms.cache_clear()
    inflection.lemmas.cache_clear()
    monkeypatch.setattr(inflection, "is_installed", lambda: False)
    monkeypatch.setattr(inflection, "_TABLE", [])
    language_of("en").use_forms(path)
    yield path
    inflection._forms.cache_clear()
    inflection.lemmas.cache_clear()


def test_what_the_rules_say() -> None:
    said = {
        ("city", "NNS"): "cities", ("toy", "NNS"): "toys", ("box", "NNS"): "boxes",
        ("die", "VBG"): "dying", ("dance", "VBG"): "dancing", ("see", "VBG"): "seeing",
        ("drop", "VBD"): "dropped", ("fix", "VBD"): "fixed", ("cry", "VBD"): "cried",
        ("big", "JJR"): "bigger", ("late", "JJS"): "latest", ("soon", "RBR"): "sooner",
    }  # fmt: skip
    assert {key: regular(*key) for key in said} == said


def test_the_table_holds_what_the_rules_get_wrong(alone: Path) -> None:
    table = read_forms(alone)
    lemminflect = pytest.importorskip("lemminflect")
    for word in WORDS:
        for tag in TAGS:
            wanted = lemminflect.getInflection(word, tag, inflect_oov=False)
            if wanted:
                assert inflection._forms(word, tag)[0] in wanted, (word, tag)
    assert ("walk", "VBD") not in table
    assert table["goose", "NNS"][0] == "geese"


def test_substitutes_take_forms_without_lemminflect(alone: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inflection, "lemminflect", None)
        item = Item("1", Lexelt("walk", "v", "v"), "They walked home.", 5, 11)
        form = inflection.form_of(item)
        asked = ("go", "take off", "travel", "zonk")
        forms = [inflection.inflect(one, "v", form) for one in asked]
        assert forms == ["went", "took off", "traveled", "zonked"]
        assert inflection.inflect("goose", "n", "NNS") == "geese"
        assert inflection.inflect("big", "a", "JJR") == "bigger"
        assert inflection.inflect("Child", "n", "NNS") == "Children"
        assert {"go"} <= set(inflection.lemmas("went", "v"))
        assert {"city"} <= set(inflection.lemmas("cities", "n"))
        language_of("en").prepare()


def test_base_forms_by_rule() -> None:
    for word, tag, pos in (
        ("city", "NNS", "n"), ("die", "VBG", "v"), ("drop", "VBD", "v"), ("dance", "VBG", "v"),
        ("happy", "JJR", "a"), ("big", "JJS", "a"), ("wash", "VBZ", "v"),
    ):  # fmt: skip
        assert word in bases(regular(word, tag), pos, Table())


@pytest.mark.parametrize("line", ["goose", "goose\tXX\tgeese", "goose\tNNS", "\tNNS\tgeese",
                                  "goose\tNNS\t"])  # fmt: skip
def test_a_table_that_is_none(line: str, tmp_path: Path) -> None:
    path = tmp_path / "forms"
    path.write_text(f"mouse\tNNS\tmice\n{line}\n")
    with pytest.raises(FormatError, match=r"forms:2: .*expected a word, its tag, its forms"):
        read_forms(path)
