"""The ranker sentence-encoder, on an encoder of a few words made here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import FormatError, LexsubError, MissingResourceError
from lexsub.parts.base import FEATURES, RANKERS
from lexsub.rankers.contextual.encoder import Encoder, SentenceEncoder
from lexsub.rankers.filling import Filled
from lexsub.rankings import Candidate
from lexsub.resources import Resources

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "wine", "was", "strong", "powerful", "weak",
         "un", "##usual"]  # fmt: skip
DATA = Dataset("tiny", (), Gold("tiny", {}))


def table(dimensions: int = 5) -> NDArray[np.float32]:
    return np.random.default_rng(0).normal(size=(len(WORDS), dimensions)).astype(np.float32)


def write_model(folder: Path, *, pooled: bool = False, inputs: tuple[str, ...] = ()) -> Path:
    """An encoder whose output for a token is its row of the table (or their sum, if pooled)."""
    from onnx import TensorProto, helper, numpy_helper

    names = inputs or ("input_ids", "attention_mask", "token_type_ids")
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["n", "t"]) for n in names]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["each"])]
    shape: list[str | int] = ["n", "t", 5]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", ["each", "axis"], ["out"], keepdims=0))
        shape = ["n", 5]
    else:
        nodes.append(helper.make_node("Identity", ["each"], ["out"]))
    axis = numpy_helper.from_array(np.array([1], np.int64), "axis")
    graph = helper.make_graph(
        nodes, "tiny", given, [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table(), "table"), axis],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_model(tmp_path / "encoder")


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vector / np.linalg.norm(vector))


def vector(*words: str) -> NDArray[np.float32]:
    return unit(table()[[WORDS.index(word) for word in words]].mean(0))


ITEM = Item("1", Lexelt.parse("strong.a"), "The wine was strong", 13, 19)
CANDIDATES = [Candidate("weak"), Candidate("powerful"), Candidate("unusual"), Candidate("powerful")]


def test_scores_are_cosines_with_the_sentence_as_it_is(folder: Path) -> None:
    scorer = SentenceEncoder(str(folder), batch=2).open(Resources(), DATA)
    scores = scorer.scores(ITEM, CANDIDATES)
    frame = ("[CLS]", "the", "wine", "was", "{}", "[SEP]")

    def sentence(*words: str) -> NDArray[np.float32]:
        return vector(*(w for slot in frame for w in (words if slot == "{}" else (slot,))))

    wanted = [
        sentence(*words) @ sentence("strong")
        for words in (("weak",), ("powerful",), ("un", "##usual"), ("powerful",))
    ]
    assert scores == pytest.approx(wanted, abs=2e-6)
    assert scores[1] == scores[3], "whatever stands beside it in a batch"
    assert scorer.parts(ITEM, CANDIDATES) == {"cosine": scores}
    assert scorer.scores(ITEM, []) == []


def test_words_are_compared_in_their_sentences(folder: Path) -> None:
    scorer = SentenceEncoder(str(folder), compare="word").open(Resources(), DATA)
    wanted = [vector(*w) @ vector("strong") for w in (("weak",), ("powerful",), ("un", "##usual"))]
    assert scorer.scores(ITEM, CANDIDATES[:3]) == pytest.approx(wanted, abs=2e-6)


def test_features_are_both_comparisons(folder: Path) -> None:
    family = FEATURES["sentence-encoder"](model=str(folder))  # type: ignore[call-arg]
    opened = family.open(Resources())
    assert [feature.name for feature in family.features()] == ["sentence", "word"]
    values = opened.values(ITEM, CANDIDATES)
    for column, compare in enumerate(("sentence", "word")):
        ranker = SentenceEncoder(str(folder), compare=compare)  # type: ignore[arg-type]
        scores = ranker.open(Resources(), DATA).scores(ITEM, CANDIDATES)
        assert values[:, column] == pytest.approx(scores, abs=1e-6)
    assert opened.values(ITEM, []).shape == (0, 2)
    assert len(family.inputs(Resources())) == 2


def test_pooling_is_what_the_folder_says(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    path = folder / "1_Pooling" / "config.json"
    path.write_text(json.dumps({"pooling_mode_cls_token": True}))
    encoder = Encoder(folder, "auto", "cpu", 8, 1)
    assert encoder.sentences(["wine", "weak wine"]) == pytest.approx(
        np.stack([vector("[CLS]")] * 2)
    )
    mean = Encoder(folder, "mean", "cpu", 8, 1)
    assert mean.sentences(["wine"])[0] == pytest.approx(vector("[CLS]", "wine", "[SEP]"), abs=1e-6)
    path.write_text("{")
    with pytest.raises(FormatError, match=r"1_Pooling.config\.json: is not JSON"):
        Encoder(folder, "auto", "cpu", 8, 1)


def test_models_that_pool_by_themselves(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", pooled=True, inputs=("input_ids",))
    encoder = Encoder(folder, "auto", "cpu", 8, 1)
    assert encoder.sentences(["wine"])[0] == pytest.approx(
        vector("[CLS]", "wine", "[SEP]"), abs=1e-6
    )
    with pytest.raises(LexsubError, match="set compare = 'sentence'"):
        encoder.both([Filled("wine", 0, 4)])


def test_long_sentences_keep_the_target(folder: Path) -> None:
    text = f"{'the ' * 5000}strong{' wine' * 5000}"
    item = Item("1", Lexelt.parse("strong.a"), text, 20000, 20006)
    scorer = SentenceEncoder(str(folder), compare="word", window=3).open(Resources(), DATA)
    (score,) = scorer.scores(item, [Candidate("weak")])
    assert score == pytest.approx(vector("weak") @ vector("strong"), abs=2e-6)


def test_models_by_name_in_resources_are_inputs(folder: Path) -> None:
    resources = Resources(paths={"tiny": folder})
    ranker = RANKERS["sentence-encoder"](model="tiny")  # type: ignore[call-arg]
    assert ranker.inputs(resources) == [folder / "model.onnx", folder / "tokenizer.json"]
    assert len(ranker.open(resources, DATA).scores(ITEM, CANDIDATES)) == 4


def damage(folder: Path, what: str) -> None:
    if what == "no model":
        (folder / "model.onnx").unlink()
    elif what == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    elif what == "bad tokenizer":
        (folder / "tokenizer.json").write_text("{}")
    elif what == "bad model":
        (folder / "model.onnx").write_bytes(b"nonsense")
    elif what == "other model":
        write_model(folder, inputs=("input_ids", "pixels"))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("no model", "holds no model.onnx and no onnx/model.onnx"),
        ("no tokenizer", "holds no tokenizer.json"),
        ("bad tokenizer", "tokenizer.json: is no tokenizer"),
        ("bad model", "model.onnx: onnxruntime cannot open it"),
        ("other model", "wants inputs pixels"),
    ],
)
def test_damaged_folders(folder: Path, what: str, message: str) -> None:
    damage(folder, what)
    with pytest.raises(LexsubError) as caught:
        SentenceEncoder(str(folder)).open(Resources(), DATA)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_options(folder: Path) -> None:
    with pytest.raises(ValueError, match="batch is 0; expected at least 1"):
        SentenceEncoder("x", batch=0)
    with pytest.raises(MissingResourceError, match="is no folder, no name in"):
        SentenceEncoder("no such/folder/there").inputs(Resources())
    with pytest.raises(LexsubError, match="no CUDAExecutionProvider"):
        SentenceEncoder(str(folder), device="cuda").open(Resources(), DATA)
