"""Model folders: every kind, whole and tiny."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lexsub.resources import Resources
from lexsub.storage.digests import FILE
from tests.campaign.engine import Subject

HERE = Path(__file__).parent
RECORDED = HERE.parent / "lm" / "recorded"
VILLAGE = HERE.parent / "lm" / "village.txt"

RELATIONS = "".join(
    f"{pos}\t{word}{n}\tdobj-of\tc{(n * k) % 7}\t{n + k}\n"
    for pos, word in (("n", "thing"), ("v", "do"))
    for n in range(1, 9)
    for k in range(1, 5)
)


def _apart(make: Callable[[Path, Path], None]) -> Callable[[Path], None]:
    """Give a maker a folder of its own for its inputs, beside the model's."""

    def whole(folder: Path) -> None:
        inputs = folder.with_name(f"{folder.name}-inputs")
        shutil.rmtree(inputs, ignore_errors=True)
        inputs.mkdir()
        make(inputs, folder)

    return whole


def _make_thesaurus(inputs: Path, folder: Path) -> None:
    from lexsub.candidates.distributional.build import ThesaurusBuilder

    source = inputs / "relations.tsv"
    source.write_text(RELATIONS)
    builder = ThesaurusBuilder(
        relations=(str(source),), inventory="all", word_tokens=1, tables=("cosine",), top=5
    )
    builder.build(Resources(cache=inputs / "cache"), folder)


def _ask_thesaurus(folder: Path) -> object:
    from lexsub.candidates.distributional.measures import parse_measure
    from lexsub.candidates.distributional.thesaurus import Thesaurus

    found: list[object] = []
    for measure in ("cosine", "lin", "l1"):
        opened = Thesaurus(folder, parse_measure(measure, ""))
        found += [opened.neighbours(f"thing{n}", "n", 3) for n in (1, 5, 99)]
        found += [opened.neighbours("do2", "v", 3), opened.explain("thing1", "thing3", "n")]
    return found


def _make_vectors(folder: Path, numbers: Literal["float32", "int8"] = "float32") -> None:
    from lexsub.vectors.folder import write_vectors

    chance = np.random.default_rng(1)
    words = [f"{word}{n}.{pos}" for pos, word in (("n", "thing"), ("v", "do")) for n in range(20)]
    rows = chance.normal(size=(len(words), 8)).astype(np.float32)
    write_vectors(
        folder, [(words, rows)], origin="glove", keys="lexelt", joint=True, parameters={},
        sources=[{"kind": "glove", "file": "x", "sha256": "0" * 64}],
        tokens={word: place for place, word in enumerate(words)}, numbers=numbers,
    )  # fmt: skip


def _ask_vectors(folder: Path) -> object:
    from lexsub.vectors.vectors import Vectors
    from tests.vectors import similarity

    opened = Vectors(folder)
    near = [opened.nearest(word, pos, 3) for word, pos in (("thing1", "n"), ("do7", "v"))]
    every = opened.cosines(np.arange(len(opened.all)), np.arange(5)).tobytes()
    return near, similarity(opened, "thing1", "do3", "n", "v"), every, opened.tokens.tobytes()


def _make_lm(**options: Any) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        from lexsub.rankers.lm.training import LanguageModelBuilder

        builder = LanguageModelBuilder((str(VILLAGE),), order=3, engine="embedded", **options)
        builder.build(Resources(), folder)

    return make


def _make_compact(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.lm.compact_model import CompactLmBuilder

    _make_lm(binary=False)(inputs)
    CompactLmBuilder(str(inputs), words=40).build(Resources(), folder)


def _make_binary(folder: Path) -> None:
    from lexsub.rankers.lm.header import LmHeader, write_header

    shutil.copyfile(RECORDED / "order2.binary", folder / "model.binary")
    write_header(folder, LmHeader("backoff", 2, "model.binary"))


WINDOWS = [
    (text, bos, eos)
    for text in ("the old mill", "zebra", "a cow and the miller", "", "horses turn the stone")
    for bos in (True, False)
    for eos in (True, False)
]


def _scores(model: Any) -> object:
    from lexsub.rankers.lm.header import Window

    figures = model.log10([Window(*window) for window in WINDOWS])
    return figures.tobytes(), model.knows("mill"), model.knows("zebra")


def _ask_lm(folder: Path) -> object:
    from lexsub.rankers.lm.model import open_model

    return _scores(open_model(folder))


def _ask_arpa(folder: Path) -> object:
    from lexsub.rankers.lm.array_model import ArpaModel
    from lexsub.rankers.lm.header import read_header

    return _scores(ArpaModel(folder, read_header(folder)))


def _make_bow(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.bow.training import BowBuilder

    words = inputs / "words.txt"
    words.write_text("mill.n\nhorse.n\ncarry.v\nold.a\nunheard.n\n")
    builder = BowBuilder((str(VILLAGE),), words=str(words), window=3, stop=0, minimum=1)
    builder.build(Resources(), folder)


def _ask_bow(folder: Path) -> object:
    from lexsub.rankers.bow.model import open_bow

    model = open_bow(folder)
    context = model.context("the miller and the old", "turn the stone")
    words = ["mill.n", "horse.n", "carry.v", "none.n"]
    return model.fit(words, context, 10.0).tobytes(), [model.log_prior(word) for word in words]


def _make_learned(learner: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        from tests.learned.test_learned import trained

        trained(folder, learner, [f"target{n}" for n in range(6)])

    return make


def _ask_learned(folder: Path) -> object:
    from lexsub.rankers.learned.model import open_model

    model = open_model(folder)
    columns = len(model.header.columns)
    values = np.random.default_rng(2).normal(size=(6, columns)).astype(np.float32)
    values[0] = np.nan
    names = ["whole", *sorted({f"fold-{fold}" for fold in model.header.folds.values()})]
    parts = [model.part(name) for name in names]
    return [(part.predict(values).tobytes(), part.gains(columns).tobytes()) for part in parts]


def _make_registers(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.registers import RegisterBuilder

    (inputs / "home").write_text("mum went in the garden with mum\n" * 3)
    (inputs / "work").write_text("the office sent the memo of the office\n" * 3)
    texts = {name: (str(inputs / name),) for name in ("home", "work")}
    RegisterBuilder(texts, frequent=5, excluded=6).build(Resources(), folder)


def _ask_registers(folder: Path) -> object:
    from lexsub.rankers.registers import open_registers

    model = open_registers(folder)
    texts = ("Mum is in the garden", "an office memo", "nothing")
    return model.registers, [model.posterior(text).tobytes() for text in texts]


def _make_cbow(folder: Path) -> None:
    from lexsub.rankers.cbow.model import CbowHeader, write_cbow

    chance = np.random.default_rng(3)
    words = ["the", "old", "mill", "cow", "stone", "turn"]
    shapes = ((6, 4), (6, 4), (5, 4))
    header = CbowHeader(words=6, dimensions=4, window=2, lower=True, tokens=99, parameters={})
    arrays = [chance.normal(size=shape).astype(np.float32) for shape in shapes]
    write_cbow(folder, header, words, arrays)


def _make_compact_cbow(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.cbow.model import CompactCbowBuilder

    _make_cbow(inputs)
    CompactCbowBuilder(str(inputs), words=5).build(Resources(), folder)


def _ask_cbow(folder: Path) -> object:
    from lexsub.rankers.cbow.model import open_cbow

    model = open_cbow(folder)
    middle = model.expected("the old", "stone turn")
    means = model.mean(model.outputs, model.all_rows(["the mill", "zebra", "cow turn"]))
    return None if middle is None else middle.tobytes(), means.tobytes()


def _make_packed(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.learned.model import write_whole_part

    _make_learned("lambdarank")(inputs)
    folder.rmdir()
    write_whole_part(inputs, folder)


def _make_encoder(inputs: Path, folder: Path) -> None:
    from lexsub.rankers.contextual.cutting import EncoderBuilder
    from tests.tiny_encoder import write_weights

    weights = write_weights(inputs / "weights")
    EncoderBuilder(str(weights), layers=2, kept=(0, 2)).build(Resources(), folder)


def _ask_encoder(folder: Path) -> object:
    from lexsub.encoder import open_encoder

    encoder = open_encoder(folder)
    read = encoder.read("The wine was strong .", 13, 19)
    return [read.word.tolist(), encoder.fill(read, ["weak", "unusual"]).tolist()]


def _make_whole(inputs: Path, folder: Path) -> None:
    from tests.test_models import prepared

    prepared(inputs)
    shutil.copytree(inputs / "tiny", folder, dirs_exist_ok=True)


def _ask_whole(folder: Path) -> object:
    from lexsub.experiments.suggestions.suggesting import open_suggester

    suggester = open_suggester("", "", Resources(data=()), str(folder))
    return [(one.form, one.score, one.chance) for one in suggester("A *bright* boy.", n=9)]


SEALED = (
    Subject("thesaurus", _apart(_make_thesaurus), _ask_thesaurus, libraries=("duckdb",)),
    Subject("vectors", _make_vectors, _ask_vectors),
    Subject("vectors int8", partial(_make_vectors, numbers="int8"), _ask_vectors),
    Subject("lm additive", _make_lm(smoothing="additive"), _ask_lm),
    Subject("lm one-count", _make_lm(smoothing="one-count"), _ask_lm),
    Subject("lm arpa by KenLM", _make_lm(binary=False), _ask_lm, libraries=("kenlm",)),
    Subject("lm arpa", _make_lm(binary=False), _ask_arpa),
    Subject("lm compact", _apart(_make_compact), _ask_lm),
    Subject("lm KenLM binary", _make_binary, _ask_lm, libraries=("kenlm",)),
    Subject("bow", _apart(_make_bow), _ask_bow, libraries=("lemminflect",)),
    Subject("learned histogram", _make_learned("histogram"), _ask_learned, libraries=("sklearn",)),
    Subject("learned lambdarank", _make_learned("lambdarank"), _ask_learned,
            libraries=("lightgbm",)),
    Subject("learned packed", _apart(_make_packed), _ask_learned, libraries=("lightgbm",)),
    Subject("cbow", _make_cbow, _ask_cbow),
    Subject("compact-cbow", _apart(_make_compact_cbow), _ask_cbow),
    Subject("registers", _apart(_make_registers), _ask_registers),
    Subject("encoder", _apart(_make_encoder), _ask_encoder, libraries=("onnx", "onnxruntime")),
)  # fmt: skip


def _unsealed(subject: Subject) -> Subject:
    """A folder as an earlier version wrote it: not every damage can be noticed."""

    def make(folder: Path) -> None:
        subject.make(folder)
        for manifest in folder.rglob(FILE):
            manifest.unlink()

    return replace(subject, name=f"{subject.name}, unsealed", make=make, guarded=False)


def _is_readable(subject: Subject) -> bool:
    # What build_binary wrote for one kind of processor.
    return subject.name != "lm KenLM binary" or platform.machine() in ("x86_64", "AMD64")


MODELS = (
    *filter(_is_readable, SEALED),
    Subject("model", _apart(_make_whole), _ask_whole, libraries=("sklearn", "lemminflect")),
)
# Encoders were always sealed, and onnxruntime is not asked what is left of a graph without it.
EARLIER = tuple(_unsealed(subject) for subject in MODELS[:-1]
                if subject.name not in ("lm KenLM binary", "encoder"))  # fmt: skip
