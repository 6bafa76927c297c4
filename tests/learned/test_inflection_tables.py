"""LemmInflect's tables parsed word by word, against its own reading."""

from __future__ import annotations

import pytest

from rankers.inflection import inflect
from rankers.inflection_tables import LazyTable, make_lazy

pytest.importorskip("lemminflect")


def test_they_say_what_its_own_tables_say() -> None:
    from lemminflect import Inflections, Lemmatizer, config
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

    make_lazy()
    assert inflect("child", "n", "NNS") == "children"
    for lazy, whole in (
        (Inflections().infl_dict, InflectionLUCodec.load(config.inflection_lu_fn)),
        (Lemmatizer().lemma_dict, LemmaLUCodec.load(config.lemma_lu_fn)),
    ):
        assert isinstance(lazy, LazyTable)
        assert len(whole) > 30_000
        assert {word: lazy.get(word, None) for word in lazy} == whole
        assert lazy.get("no such word", {}) == {}
