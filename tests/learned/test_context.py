"""The family ``context``, and a model that ranks with it: with its libraries and without."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexsub.boundary.expected_f import ExpectedF
from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.encoder import open_encoder
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.models import open_model
from lexsub.parts.base import FEATURES
from lexsub.parts.build import build_part
from lexsub.rankers.learned.features.context import DECIMALS, ContextFeatures
from lexsub.rankers.learned.matrix import Families
from lexsub.rankers.learned.ranker import Learned
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from tests.learned.test_learned import learned
from tests.test_models import RECIPE, prepared
from tests.tiny_encoder import write_encoder, write_weights

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

ITEM = Item("1", Lexelt.parse("strong.a"), "The wine was too strong to drink .", 17, 23)
CANDIDATES = [Candidate(one) for one in ("powerful", "weak", "unusual", "strong")]

IN_CONTEXT = """
[models.encoder]
kind = "encoder"
weights = "weights"
layers = 2
kept = [0, 1, 2]

[models.in-context]
same_as = "learned"
learner = { name = "histogram", trees = 5, leaf = 2 }

[[models.in-context.more.features]]
name = "first"
label = "context"
first = 3
family = { name = "context", layers = 3 }
ranker = { name = "learned", model = "learned" }

[[systems]]
name = "in-context"
ranker = { name = "learned", model = "in-context", otherwise = "learned" }
oot = "expected-f"
candidates = { same_as = "tiny" }
"""


def cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_values_are_cosines_in_the_place_of_the_target(tmp_path: Path) -> None:
    folder = write_encoder(tmp_path)
    family = ContextFeatures(str(folder), layers=3)
    values = family.open(Resources()).values(ITEM, CANDIDATES)
    names = [feature.name for feature in family.features()]
    encoder = open_encoder(folder)
    read = encoder.read(ITEM.text, ITEM.start, ITEM.end)
    # Tokens: <s> the wine was too strong to drink . </s>
    context = np.mean([read.sentence[2, n] for n in (1, 2, 3, 4, 6, 7, 8)], axis=0)
    for row, candidate in zip(values, CANDIDATES, strict=True):
        states = encoder.fill(read, [candidate.substitute])[:, 0]
        expected = {
            **{f"target-{n}": cosine(states[n], read.word[n]) for n in range(3)},
            "mask": cosine(states[2], read.mask[2]),
            "sentence": cosine(states[2], read.sentence[2].mean(axis=0)),
            "context": cosine(states[2], context),
        }
        assert dict(zip(names, row.tolist(), strict=True)) == pytest.approx(expected, abs=6e-3)
    # The target itself is as it is, and all is rounded.
    np.testing.assert_array_equal(values[3, :3], 1)
    np.testing.assert_array_equal(values, np.round(values, DECIMALS))


def test_a_word_alone_in_its_sentence_has_values(tmp_path: Path) -> None:
    family = ContextFeatures(str(write_encoder(tmp_path)), layers=3)
    item = Item("1", Lexelt.parse("strong.a"), "strong", 0, 6)
    assert np.isfinite(family.open(Resources()).values(item, CANDIDATES)).all()


def test_an_encoder_of_other_layers_is_refused(tmp_path: Path) -> None:
    folder = write_encoder(tmp_path)
    with pytest.raises(LexsubError, match=r"keeps the states of 3 layers, and .* asks for 4"):
        ContextFeatures(str(folder)).open(Resources())
    with pytest.raises(ValueError, match="layers is 0"):
        ContextFeatures(layers=0)


def test_a_ranker_inside_a_family_asks_what_is_open() -> None:
    """The ranker that says which candidates are the first computes no family a second time."""
    shared: list[object] = []

    class Ranker:
        needs_gold = False

        def open_sharing(
            self, resources: Resources, data: Dataset, given: dict[str, object]
        ) -> Ranker:
            shared.append(given["families"])
            return self

        def open(self, resources: Resources, data: Dataset) -> Ranker:
            raise AssertionError("opened apart")

        def scores(self, item: Item, candidates: Sequence[Candidate]) -> list[float]:
            return [0.0] * len(candidates)

        def parts(self, item: Item, candidates: Sequence[Candidate]) -> dict[str, list[float]]:
            return {}

    family = build_part(FEATURES, {"name": "first", "family": "form", "first": 2}, "x")
    family = replace(family, ranker=Ranker())  # type: ignore[type-var]
    families = Families(Resources(), "")
    families.values(family, ITEM, CANDIDATES)
    assert shared == [families]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sklearn")
    folder = tmp_path_factory.mktemp("context")
    write_weights(folder / "weights")
    recipe = RECIPE.replace('wordnet = "wordnet"', 'wordnet = "wordnet"\nweights = "weights"')
    return prepared(folder, recipe + IN_CONTEXT)


def test_a_model_holds_what_ranks_without_the_encoder(place: Path) -> None:
    model = open_model(place / "tiny")
    held = {path.name for path in (place / "tiny" / "models").iterdir()}
    assert held == {"encoder", "in-context", "learned"}
    # The system that stands in is none of those to choose from.
    assert model.system["name"] == "in-context"
    both = [json.loads((place / "tiny" / name).read_text())
            for name in ("boundary.json", "boundary.otherwise.json")]  # fmt: skip
    assert both[0].keys() == both[1].keys()
    assert both[0]["weights"] != both[1]["weights"]


def test_without_its_libraries_another_ranks_and_says_so(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = open_suggester("", "", Resources(cache=tmp_path, data=()), str(place / "tiny"))
    assert whole("A *bright* boy.").best
    assert capfd.readouterr().err == ""
    # Encoders stay open: another place, so that it is opened anew.
    copy = shutil.copytree(place / "tiny", tmp_path / "tiny")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    opened = [open_suggester("", "", Resources(cache=tmp_path, data=()), str(copy))
              for _ in range(2)]  # fmt: skip
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("lexsub: a sentence encoder needs onnxruntime")
    assert line.endswith("until then learned ranks in place of in-context")
    plain = open_model(copy)
    ranker = Learned("learned").open(plain.resources(Resources()), Dataset("", (), Gold("", {})))
    for sentence in ("A *bright* boy.", "They *strike* it."):
        first, second = (one(sentence, n=99) for one in opened)
        assert first == second
        item = Item("1", first.lexelt, first.text, *span(first.text, first.target))
        scores = ranker.scores(item, opened[0].source.candidates(item))
        assert [one.score for one in first] == sorted(scores, reverse=True)[: len(first)]
    # How many are good was learned of these scores, not of those with the encoder.
    names = {"boundary.json": whole, "boundary.otherwise.json": opened[0]}
    for name, suggester in names.items():
        kept = json.loads((copy / name).read_text())
        wanted = repr(ExpectedF().again(kept)).split(" at 0x")[0]
        assert repr(suggester.boundary).split(" at 0x")[0] == wanted, name


@pytest.mark.parametrize("first", [1, 5])
def test_another_number_is_read_than_it_learned_with(
    place: Path, tmp_path: Path, first: int
) -> None:
    """As if the header said so; what the ranker is made of is the same."""
    copy = shutil.copytree(place / "tiny", tmp_path / "tiny")
    folder = copy / "models" / "in-context"
    header = (folder / "learned.json").read_text()
    assert header.count('"first": 3') == 1
    (folder / "learned.json").write_text(header.replace('"first": 3', f'"first": {first}'))
    seal(folder)
    seal(copy, whole=True)
    texts = [Candidate(one) for one in ("clever", "shiny", "dim", "vivid", "smart", "brilliant")]
    item = Item("1", Lexelt.parse("bright.a"), "a bright lamp", 2, 8)
    data = Dataset("", (), Gold("", {}))

    def scores(model: Path, first: int = 0) -> list[float]:
        resources = open_model(model).resources(Resources(cache=tmp_path))
        return [*Learned("in-context", first=first).open(resources, data).scores(item, texts)]

    asked = scores(place / "tiny", first)
    assert asked == scores(copy) != scores(place / "tiny")
    families = Learned("in-context", first=first).families(open_model(copy).resources(Resources()))
    assert vars(families["context"])["first"] == first
    with pytest.raises(ValueError, match="first is -1"):
        Learned("in-context", first=-1)


def span(text: str, word: str) -> tuple[int, int]:
    return text.index(word), text.index(word) + len(word)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"items": {"b/dev": 3}}, "items: b/dev is none of data: a/dev"),
        ({"items": {"a/dev": 0}}, "items.a/dev is 0; expected at least 1"),
    ],
)
def test_items_of_splits_that_are_not_there(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(learned(["a/dev"], ["form"]), **options)  # type: ignore[arg-type]


def test_items_are_drawn_and_targets_left_out() -> None:
    def split(name: str, *targets: str) -> Dataset:
        made = [Item(f"{n}", Lexelt.parse(t), "x", 0, 1) for n, t in enumerate(targets)]
        return Dataset(name, tuple(made), Gold(name, {}))

    data = split("a/dev", *["Bright.a", "dim.a", "dim.v", "old.a", "new.a"] * 4)
    other = split("b/test", "bright.n", "old.r")
    builder = learned(["a/dev"], ["form"], items={"a/dev": 5})
    drawn = builder.chosen(data, [other], 1)
    assert len(drawn.items) == 5
    assert {item.lemma for item in drawn.items} <= {"dim", "new"}
    assert drawn.items == builder.chosen(data, [other], 1).items
    assert drawn.items != builder.chosen(data, [other], 2).items
    assert (drawn.name, drawn.gold) == (data.name, data.gold)
    whole = learned(["a/dev"], ["form"])
    assert len(whole.chosen(data, [other], 1).items) == 12
    assert whole.chosen(data, [], 1) is data
    # Of all others: a split that is named itself keeps what it has.
    assert whole.chosen(data, [data], 1) is data
