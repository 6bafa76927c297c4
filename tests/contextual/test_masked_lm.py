"""The ranker masked-lm, on a tiny BERT of random weights made here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import LexsubError, MissingExtraError
from lexsub.parts.base import FEATURES
from lexsub.rankers.contextual.masked_lm import MaskedLm
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DATA = Dataset("tiny", (), Gold("tiny", {}))
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "wine", "was", "strong", "powerful",
         "weak", "un", "##usual", ".", "a"]  # fmt: skip
ITEM = Item("1", Lexelt.parse("strong.a"), "The wine was strong .", 13, 19)
CANDIDATES = [Candidate("weak"), Candidate("powerful"), Candidate("unusual"), Candidate("xyz")]


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lexsub-toolkit\[transformers\]'"):
        MaskedLm("bert").open(Resources(), DATA)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    path = tmp_path_factory.mktemp("bert")
    (path / "vocab.txt").write_text("".join(f"{word}\n" for word in WORDS))
    transformers.BertTokenizerFast(str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=20, max_position_embeddings=40, initializer_range=0.8,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(path)
    return path


def ids(*words: str) -> list[int]:
    return [WORDS.index(word) for word in words]


def table(folder: Path, tokens: list[int]) -> Any:
    """Log probabilities by transformers itself, one sentence, nothing of ours."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    model = transformers.BertForMaskedLM.from_pretrained(str(folder)).eval()
    with torch.no_grad():
        return model(torch.tensor([tokens])).logits[0].double().log_softmax(-1).numpy()


def plain(*slot: str) -> list[int]:
    return ids("[CLS]", "the", "wine", "was", *slot, ".", "[SEP]")


def twice(*slot: str) -> list[int]:
    return [*plain("strong"), *ids("the", "wine", "was", *slot, ".", "[SEP]")]


@pytest.mark.parametrize(("mode", "build", "place"), [("masked", plain, 4),
                                                      ("concatenated", twice, 10)])  # fmt: skip
def test_masks(folder: Path, mode: Any, build: Any, place: int) -> None:
    scores = MaskedLm(str(folder), mode=mode).open(Resources(), DATA).scores(ITEM, CANDIDATES)
    one = table(folder, build("[MASK]"))
    two = table(folder, build("[MASK]", "[MASK]"))
    un, usual = ids("un", "##usual")
    wanted = [
        one[place, WORDS.index("weak")],
        one[place, WORDS.index("powerful")],
        (two[place, un] + two[place + 1, usual]) / 2,
        one[place, WORDS.index("[UNK]")],
    ]
    assert scores == pytest.approx(wanted, abs=1e-4)
    summed = MaskedLm(str(folder), mode=mode, length_rule="sum").open(Resources(), DATA)
    assert summed.scores(ITEM, CANDIDATES)[2] == pytest.approx(2 * wanted[2], abs=1e-4)
    relative = MaskedLm(str(folder), mode=mode, relative=True).open(Resources(), DATA)
    base = one[place, WORDS.index("strong")]
    assert relative.scores(ITEM, CANDIDATES)[0] == pytest.approx(wanted[0] - base, abs=1e-4)
    parts = relative.parts(ITEM, CANDIDATES)
    assert parts["pieces"] == [1, 1, 2, 1]
    assert relative.scores(ITEM, []) == []


def test_dropout(folder: Path) -> None:
    none = MaskedLm(str(folder), mode="dropout", dropout=0.0).open(Resources(), DATA)
    row = table(folder, plain("strong"))[4]
    assert none.scores(ITEM, CANDIDATES[:2]) == pytest.approx(
        row[ids("weak", "powerful")], abs=1e-4
    )
    some = [
        MaskedLm(str(folder), mode="dropout").open(Resources(seed=seed), DATA) for seed in (1, 1, 2)
    ]
    first, again, other = (scorer.scores(ITEM, CANDIDATES) for scorer in some)
    assert first == again
    assert first != other
    assert first != none.scores(ITEM, CANDIDATES)


def test_dropout_zeroes_the_target_alone(folder: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    scorer = MaskedLm(str(folder), mode="dropout", dropout=0.5).open(Resources(seed=3), DATA)
    model = transformers.BertForMaskedLM.from_pretrained(str(folder)).eval()
    kept = np.random.default_rng(3).random((1, 16)) >= 0.5
    assert 0 < kept.sum() < 16
    with torch.no_grad():
        embedded = model.get_input_embeddings()(torch.tensor([plain("strong")]))
        embedded[0, 4] *= torch.tensor(kept[0].astype(np.float32)) * 2
        logits = model(inputs_embeds=embedded).logits[0, 4].double().log_softmax(-1)
    assert scorer.scores(ITEM, [Candidate("weak")])[0] == pytest.approx(
        float(logits[WORDS.index("weak")]), abs=1e-4
    )


def test_features_are_the_scores_of_the_modes(folder: Path) -> None:
    family = FEATURES["masked-lm"](model=str(folder))  # type: ignore[call-arg]
    values = family.open(Resources(seed=4)).values(ITEM, CANDIDATES)
    modes = ("masked", "concatenated", "dropout")
    assert [feature.name for feature in family.features()] == [*modes, "pieces"]
    for column, mode in enumerate(modes):
        ranker = MaskedLm(str(folder), mode=mode, relative=True)  # type: ignore[arg-type]
        scores = ranker.open(Resources(seed=4), DATA).scores(ITEM, CANDIDATES)
        assert values[:, column] == pytest.approx(scores, abs=1e-5)
    assert values[:, 3].tolist() == [1, 1, 2, 1]
    assert family.open(Resources()).values(ITEM, []).shape == (0, 4)
    assert len(family.inputs(Resources())) >= 3


def test_sentences_longer_than_the_model(folder: Path) -> None:
    text = f"{'the ' * 100}strong wine"
    item = Item("1", Lexelt.parse("strong.a"), text, 400, 406)
    with pytest.raises(LexsubError, match="the model takes 40: set a smaller window"):
        MaskedLm(str(folder)).open(Resources(), DATA).scores(item, CANDIDATES)
    short = MaskedLm(str(folder), window=5).open(Resources(), DATA)
    assert len(short.scores(item, CANDIDATES)) == 4


def test_bad_models(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(LexsubError, match="transformers cannot open it"):
        MaskedLm(str(tmp_path)).open(Resources(), DATA)
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        with pytest.raises(LexsubError, match="sees no such device"):
            MaskedLm(str(folder), device="cuda").open(Resources(), DATA)
    with pytest.raises(ValueError, match="expected less than 1"):
        MaskedLm("x", dropout=1.0)
