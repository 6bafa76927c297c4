"""The ranker causal-lm, on a tiny Llama of random weights made here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import LexsubError, MissingExtraError
from lexsub.parts.base import FEATURES
from lexsub.rankers.baselines import Oracle, RandomOrder
from lexsub.rankers.contextual.causal_lm import CausalLm, CausalScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DATA = Dataset("tiny", (), Gold("tiny", {}))
TEXT = "He drank a strong wine, and more of it than he should."
ITEM = Item("1", Lexelt.parse("strong.a"), TEXT, 11, 17)
CANDIDATES = [Candidate(one) for one in ("weak", "powerful", "unusual", "full of taste", "odd")]


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lexsub-toolkit\[causal\]'"):
        CausalLm("gpt2").open(Resources(), DATA)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch", reason="extra causal is not installed")
    transformers = pytest.importorskip("transformers", reason="extra causal is not installed")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    path = tmp_path_factory.mktemp("llama")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)  # type: ignore[assignment]
    tokenizer.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<s>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator([TEXT, "weak wine, strong tea, powerful taste"] * 9, trainer)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>"
    ).save_pretrained(path)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=330, hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, intermediate_size=20, max_position_embeddings=80,
        initializer_range=0.8,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(path)
    return path


def opened(folder: Path, cache: Path, **options: Any) -> CausalScorer:
    return CausalLm(str(folder), **options).open(Resources(cache=cache), DATA)


def oracle(folder: Path, left: str, word: str, right: str) -> dict[str, float]:
    """Sums of ln P by transformers itself: the whole sentence at once, no state kept."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    model = transformers.LlamaForCausalLM.from_pretrained(str(folder)).eval()
    whole = [0, *tokenizer(left + word + right)["input_ids"]]
    cuts = [len(tokenizer(text)["input_ids"]) for text in (left.rstrip(), left + word)]
    with torch.no_grad():
        rows = model(torch.tensor([whole])).logits[0, :-1].double().log_softmax(-1)
    logs = rows[torch.arange(len(whole) - 1), torch.tensor(whole[1:])].numpy()
    return {
        "word": logs[cuts[0] : cuts[1]].sum(),
        "behind": logs[cuts[1] :].sum(),
        "sentence": logs.sum(),
        "pieces": cuts[1] - cuts[0],
        "word-mean": logs[cuts[0] : cuts[1]].mean(),
        "sentence-mean": logs.mean(),
    }


@pytest.mark.parametrize("batch", [1, 2, 32])
def test_against_whole_sentences(folder: Path, tmp_path: Path, batch: int) -> None:
    scorer = opened(folder, tmp_path, batch=batch, behind=9)
    parts = scorer.parts(ITEM, CANDIDATES)
    right = TEXT[17:]
    target = oracle(folder, "He drank a ", "strong", right)
    for place, candidate in enumerate(CANDIDATES):
        word = candidate.substitute
        left = "He drank an " if word[0] in "uo" else "He drank a "
        wanted = oracle(folder, left, word, right)
        for name, values in parts.items():
            base = 0.0 if name == "pieces" else target[name]
            assert values[place] == pytest.approx(wanted[name] - base, abs=2e-4), (word, name)
    assert max(parts["pieces"]) > min(parts["pieces"])
    assert scorer.scores(ITEM, CANDIDATES) == parts["sentence"]


@pytest.mark.parametrize(
    ("score", "rule", "column"),
    [("sentence", "mean", "sentence-mean"), ("word", "sum", "word"), ("word", "mean", "word-mean"),
     ("behind", "mean", "behind")],
)  # fmt: skip
def test_scores_are_parts(folder: Path, tmp_path: Path, score: Any, rule: Any, column: str) -> None:
    scorer = opened(folder, tmp_path, score=score, length_rule=rule)
    assert scorer.scores(ITEM, CANDIDATES) == scorer.parts(ITEM, CANDIDATES)[column]


def test_words_behind_are_cut(folder: Path, tmp_path: Path) -> None:
    whole = opened(folder, tmp_path, behind=2).parts(ITEM, CANDIDATES[:2])["behind"]
    for place, word in enumerate(("weak", "powerful")):
        wanted = oracle(folder, "He drank a ", word, " wine, and")["behind"]
        base = oracle(folder, "He drank a ", "strong", " wine, and")["behind"]
        assert whole[place] == pytest.approx(wanted - base, abs=2e-4)
    assert opened(folder, tmp_path, behind=0).parts(ITEM, CANDIDATES)["behind"] == [0] * 5


def test_a_word_at_the_beginning(folder: Path, tmp_path: Path) -> None:
    item = Item("1", Lexelt.parse("strong.a"), "Strong wine", 0, 6)
    found = opened(folder, tmp_path).parts(item, CANDIDATES[:1])
    wanted, base = (oracle(folder, "", word, " wine") for word in ("Weak", "Strong"))
    assert found["sentence"] == [pytest.approx(wanted["sentence"] - base["sentence"], abs=2e-4)]


def test_the_first_of_a_cheaper_ranking(folder: Path, tmp_path: Path) -> None:
    everything = opened(folder, tmp_path, first=0).scores(ITEM, CANDIDATES)
    two = opened(folder, tmp_path, first=2).scores(ITEM, CANDIDATES)
    assert two[:2] == everything[:2]
    assert min(two[:2]) > two[2] > two[3] > two[4]
    random = opened(folder, tmp_path, first=2, ranker=RandomOrder())
    order = np.argsort(random.scores(ITEM, CANDIDATES))[::-1].tolist()
    cheap = random.cheaper.scores(ITEM, CANDIDATES)
    assert sorted(order[:2]) == sorted(np.argsort(cheap)[::-1][:2].tolist())
    assert order[2:] == np.argsort(cheap)[::-1][2:].tolist()
    assert two != random.scores(ITEM, CANDIDATES)
    assert random.scores(ITEM, []) == []
    with pytest.raises(ValueError, match="looks at the gold"):
        CausalLm("x", ranker=Oracle())


def test_what_was_computed_is_kept(folder: Path, tmp_path: Path) -> None:
    first = opened(folder, tmp_path).scores(ITEM, CANDIDATES)
    (table,) = (tmp_path / "causal-lm").glob("*/*.npy")
    again = opened(folder, tmp_path)
    assert again.scores(ITEM, CANDIDATES) == first
    assert "model" not in vars(again), "opened, though all is kept"
    table.write_bytes(table.read_bytes()[:-9])
    assert again.scores(ITEM, CANDIDATES) == first
    assert "model" in vars(again)
    other = opened(folder, tmp_path, precision="bfloat16").scores(ITEM, CANDIDATES)
    assert other != first
    assert other == pytest.approx(first, abs=2.0)


def test_features_are_the_parts(folder: Path, tmp_path: Path) -> None:
    family = FEATURES["causal-lm"](model=str(folder), first=3)  # type: ignore[call-arg]
    values = family.open(Resources(cache=tmp_path)).values(ITEM, CANDIDATES)
    parts = opened(folder, tmp_path).parts(ITEM, CANDIDATES)
    assert [feature.name for feature in family.features()] == list(parts)
    for column, wanted in enumerate(parts.values()):
        assert values[:3, column] == pytest.approx(wanted[:3], abs=2e-4)
    assert np.isnan(values[3:]).all()
    assert family.open(Resources(cache=tmp_path)).values(ITEM, []).shape == (0, 6)
    assert len(family.inputs(Resources())) >= 3


def test_sentences_longer_than_the_model(folder: Path, tmp_path: Path) -> None:
    item = Item("1", Lexelt.parse("strong.a"), f"{'wine ' * 100}strong tea", 500, 506)
    with pytest.raises(LexsubError, match="the model takes 80: set a smaller window"):
        opened(folder, tmp_path, window=99).scores(item, CANDIDATES)
    assert len(opened(folder, tmp_path, window=5).scores(item, CANDIDATES)) == 5


def test_bad_models(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(LexsubError, match="transformers cannot open it"):
        opened(tmp_path, tmp_path).scores(ITEM, CANDIDATES)
    torn = tmp_path / "torn.gguf"
    torn.write_bytes(b"GGUF\3\0\0\0")
    pytest.importorskip("gguf")
    with pytest.raises(LexsubError, match=r"torn\.gguf: transformers cannot open it"):
        opened(torn, tmp_path).scores(ITEM, CANDIDATES)
    if not pytest.importorskip("torch").cuda.is_available():
        with pytest.raises(LexsubError, match="sees no such device"):
            opened(folder, tmp_path, device="cuda")
