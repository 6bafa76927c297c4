"""Training: from a corpus to the files of a model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from lexsub.corpus.reader import Corpus, pieces
from lexsub.errors import LexsubError, look_for
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import AboveZero, Natural
from lexsub.rankers.lm import counting, distributed
from lexsub.rankers.lm.counting import BOS, SPECIAL, Ints, Vocabulary
from lexsub.rankers.lm.counts_model import write_counts
from lexsub.rankers.lm.header import LmHeader, write_header
from lexsub.rankers.lm.kenlm import NEEDS, Tools, find_tools, run_build_binary, run_lmplz
from lexsub.rankers.lm.kneser_ney import thresholds_for
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.digests import work_name
from lexsub.storage.files import writing
from lexsub.storage.locks import locked

BYTES_A_TOKEN = 120
"""Memory that counting takes for each token, measured at order 5."""

LMPLZ_GIGABYTES = 4.0
"""What lmplz gets at most: it fills what it may have, and more does not make it faster."""

KINDS = {"kneser-ney": "backoff", "additive": "additive", "one-count": "one-count"}


@dataclass(frozen=True)
class LanguageModelBuilder(FromText, ModelBuilder):
    """Trains an n-gram model.

    Attributes:
        order: length of the longest n-grams, 2 to 6.
        smoothing: ``kneser-ney`` (modified, interpolated), ``additive`` or ``one-count``.
        prune: n-grams up to these counts are left out, one number an order, the first 0,
            never falling; the last goes for the rest.  Kneser-Ney only.
        vocabulary: keep only this many of the most frequent words (0: all); Kneser-Ney only.
        fallback: fall back on fixed discounts where the text is too small to estimate them.
        lower: lower-case the text.
        language: ISO 639-1 code of the text.
        engine: ``lmplz``, ``embedded``, or ``auto``: lmplz where there is one.
        lmplz: the program or its folder, where it is not on PATH.
        binary: write a KenLM binary where build_binary is there; otherwise ARPA.
        memory: gigabytes that training may take, on a cluster each worker of one thread.  The
            embedded Kneser-Ney works by blocks in files of the cache folder, and a worker is
            content with .8; the other smoothings hold all tokens, 8 million in each.  lmplz sorts
            on disk and is content with 4.
        delta: what additive smoothing adds to each count.
        k: factor of the one-count weight.
    """

    order: Annotated[int, Ge(2), Le(6)] = 4
    smoothing: Literal["kneser-ney", "additive", "one-count"] = "kneser-ney"
    prune: tuple[Natural, ...] = ()
    vocabulary: Natural = 0
    fallback: bool = True
    lower: bool = True
    language: str = "en"
    engine: Literal["auto", "embedded", "lmplz"] = "auto"
    lmplz: str = ""
    binary: bool = True
    memory: Annotated[AboveZero, Le(10_000_000)] = 4.0
    delta: AboveZero = 0.1
    k: AboveZero = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        thresholds_for(self.prune, self.order)
        if self.smoothing != "kneser-ney" and (any(self.prune) or self.vocabulary):
            raise ValueError(f"prune and vocabulary do not go with smoothing {self.smoothing!r}")
        if self.smoothing != "kneser-ney" and self.engine == "lmplz":
            raise ValueError(f"lmplz has no smoothing {self.smoothing!r}; leave engine out")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the corpus files, and KenLM's programs where they have a part in the model."""
        tools = self._tools(resources)
        used = (tools.lmplz, tools.build_binary if self.binary else None)
        return [*self.text(resources).files(), *filter(None, used)]

    def check_extras(self) -> None:
        """Look for what reads a binary, where one will be made."""
        kneser_ney = self.smoothing == "kneser-ney"
        if self.binary and kneser_ney and find_tools(self._named_tools()).build_binary:
            look_for("kenlm", *NEEDS)

    def _named_tools(self) -> Path | None:
        return Path(self.lmplz) if self.lmplz else None

    def _tools(self, resources: Resources) -> Tools:
        """Return the programs to be used, None for what is done here or not at all."""
        given = self._named_tools()
        if given is not None:
            resources.refuse_code(f"lmplz = {self.lmplz!r}", named=False, way="lexsub lm train")
        found = find_tools(given)
        if self.smoothing != "kneser-ney":
            return Tools(None, None)
        return found if self.engine != "embedded" else replace(found, lmplz=None)

    def build(self, resources: Resources, folder: Path) -> None:
        """Train the model into a folder.

        Raises:
            LexsubError: no text, too much for the memory allowed, or the disk refuses.
        """
        tools = self._tools(resources)
        if self.engine == "lmplz" and not tools.lmplz:
            raise LexsubError(
                "no lmplz on PATH: name it with --lmplz (docs/how-to/language-model.md says how to "
                "get it), or use the embedded engine"
            )
        with writing(folder):
            if tools.lmplz:
                header = self._external(resources, folder, tools.lmplz)
            else:
                header = self._embedded(resources, folder)
            if header.file and self.binary and tools.build_binary:
                arpa, binary = folder / header.file, folder / "model.binary"
                run_build_binary(tools.build_binary, arpa, binary)
                arpa.unlink()
                header = replace(header, file=binary.name)
            write_header(folder, header)

    def _header(self, engine: str, sentences: int, count: int, types: int, file: str) -> LmHeader:
        prune = list(thresholds_for(self.prune, self.order))
        own: dict[str, dict[str, object]] = {
            "kneser-ney": {"prune": prune, "vocabulary": self.vocabulary},
            "additive": {"delta": self.delta},
            "one-count": {"k": self.k},
        }
        return LmHeader(
            kind=KINDS[self.smoothing],
            order=self.order,
            file=file,
            lower=self.lower,
            language=self.language,
            engine=engine,
            sentences=sentences,
            tokens=count,
            types=types,
            settings={"smoothing": self.smoothing, **own[self.smoothing]},
        )

    def _embedded(self, resources: Resources, folder: Path) -> LmHeader:
        if self.smoothing == "kneser-ney":
            return self._kneser_ney(resources, folder)
        vocabulary = Vocabulary()
        blocks = counting.encode(self.text(resources).lines(), vocabulary, lower=self.lower)
        stream = counting.make_stream(_within(blocks, self.memory))
        if not stream.tokens:
            raise self._no_text(resources)
        words = list(vocabulary)
        write_counts(folder, counting.count_grams(stream, self.order, len(words)), words)
        return self._header("embedded", stream.sentences, stream.tokens, len(words), "")

    def _kneser_ney(self, resources: Resources, folder: Path) -> LmHeader:
        """Estimate by blocks and ranges, in files of the cache, on all workers."""
        corpus = self.text(resources)
        # Glosses have to be taken out of their lines.
        parts = pieces(corpus) if type(corpus) is Corpus else [corpus]
        here = 1 if resources.backend == "dask" else resources.workers
        name = work_name((self, type(corpus)), corpus.files(), resources.cache)
        work = resources.cache / "lm" / name
        job = distributed.Training(
            order=self.order,
            lower=self.lower,
            thresholds=thresholds_for(self.prune, self.order),
            fallback=self.fallback,
            allowed=self._frequent if self.vocabulary else None,
            memory=self.memory * 1e9 / here,
            workers=resources.workers,
            backend=resources.backend,
        )
        with locked(work, "training this language model"):
            sentences, tokens, types = job.run(parts, work, folder / "model.arpa")
            shutil.rmtree(work, ignore_errors=True)
        if not tokens:
            raise self._no_text(resources)
        return self._header("embedded", sentences, tokens, types, "model.arpa")

    def _external(self, resources: Resources, folder: Path, tool: Path) -> LmHeader:
        text, arpa = folder / "text", folder / "model.arpa"
        vocabulary = Vocabulary()
        counts = np.zeros(0, dtype=np.int64)
        with text.open("w", encoding="utf-8") as file:
            lines = self.text(resources).lines()
            for block in counting.encode(lines, vocabulary, lower=self.lower):
                file.write(counting.decode(block, list(vocabulary)))
                counted = np.bincount(block, minlength=len(vocabulary))
                counted[: len(counts)] += counts
                counts = counted
        if not len(counts):
            raise self._no_text(resources)
        sentences, count = int(counts[BOS]), int(counts.sum() - 2 * counts[BOS])
        words, allowed = list(vocabulary), folder / "allowed"
        memory = int(min(self.memory, LMPLZ_GIGABYTES) * 1e9)
        options = ["--order", str(self.order), "--memory", f"{memory}b"]
        options += ["--prune", *map(str, thresholds_for(self.prune, self.order))]
        if self.fallback:
            options.append("--discount_fallback")
        if self.vocabulary:
            names = most_frequent(words, counts, self.vocabulary)
            allowed.write_text("\n".join(names) + "\n", encoding="utf-8")
            options += ["--limit_vocab_file", str(allowed)]
        run_lmplz(tool, text, arpa, options)
        text.unlink()
        allowed.unlink(missing_ok=True)
        return self._header("lmplz", sentences, count, len(words), arpa.name)

    def _frequent(self, words: list[str], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        names = {*most_frequent(words, counts, self.vocabulary), *SPECIAL}
        return np.fromiter((word in names for word in words), bool, len(words))

    def _no_text(self, resources: Resources) -> LexsubError:
        files = self.text(resources).files()
        shown = ", ".join(map(str, files[:3])) + (" …" if len(files) > 3 else "")
        return LexsubError(f"the corpus holds no words ({shown}); expected text to train on")


def most_frequent(words: Sequence[str], counts: NDArray[np.int64], limit: int) -> list[str]:
    """Return the most frequent words but the special ones, equal ones in alphabetical order.

    Words and how often each occurs, shape (words,), go by id.
    """
    by_word = dict(zip(words[len(SPECIAL) :], counts[len(SPECIAL) :].tolist(), strict=True))
    return sorted(by_word, key=lambda word: (-by_word[word], word))[:limit]


def _within(blocks: Iterator[Ints], gigabytes: float) -> Iterator[Ints]:
    limit, total = int(gigabytes * 1e9 / BYTES_A_TOKEN), 0
    for block in blocks:
        total += len(block)
        if total > limit:
            raise LexsubError(
                f"the corpus has more than {limit:,} tokens, too many for {gigabytes:g} GB of "
                "memory: allow more (--memory), or take smoothing kneser-ney, which works by "
                "blocks"
            )
        yield block
