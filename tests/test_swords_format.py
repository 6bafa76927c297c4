"""SWORDS data sets: labels become weights, faults become one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.data.catalogue import load
from lexsub.errors import FormatError
from lexsub.formats.swords import count_labels, parse_swords
from lexsub.storage.compression import unpack

HERE = Path("mine.json")


def dataset(**labels: list[str]) -> dict[str, Any]:
    return {
        "contexts": {"c:1": {"context": "The kettle\n\tboiled over ."}},
        "targets": {
            "t:1": {
                "context_id": "c:1",
                "target": "boiled",
                "offset": 12,
                "pos": "VERB",
                "extra": {"coinco_lemma": "boil"},
            }
        },
        "substitutes": {
            f"s:{form}": {"target_id": "t:1", "substitute": form.replace("_", " ")}
            for form in labels
        },
        "substitutes_lemmatized": True,
        "substitute_labels": {f"s:{form}": given for form, given in labels.items()},
    }


def parse(data: dict[str, Any]) -> Any:
    return parse_swords(json.dumps(data).encode(), HERE)


def test_labels_become_ratios_without_unsure() -> None:
    items, gold = parse(
        dataset(
            spill=["TRUE", "TRUE", "FALSE"],
            run_over=["TRUE_IMPLICIT", "UNSURE", "FALSE"],
            sing=["FALSE", "FALSE", "FALSE_IMPLICIT"],
            hum=["UNSURE", "UNSURE", "UNSURE"],
        )
    )
    (item,) = items
    assert (item.lemma, item.pos, item.target) == ("boil", "v", "boiled")
    assert item.text == "The kettle  boiled over ."
    weights = gold["t:1"].weights
    assert weights == {"spill": 2 / 3, "run over": 0.5, "sing": 0.0}
    assert gold["t:1"].judgements == {"spill": (2, 3), "run over": (1, 2), "sing": (0, 3)}
    assert gold["t:1"].positive == {"spill": 2 / 3, "run over": 0.5}


def test_forms_equal_but_for_case_are_pooled() -> None:
    _, gold = parse(dataset(Spill=["TRUE", "FALSE"], spill=["FALSE", "FALSE", "UNSURE"]))
    assert gold["t:1"].weights == {"spill": 0.25}


def test_refused_candidates_alone_make_no_mode() -> None:
    _, gold = parse(dataset(sing=["FALSE"]))
    assert gold["t:1"].mode is None
    assert gold["t:1"].total == 0


LABELS = st.lists(
    st.sampled_from(["TRUE", "FALSE", "TRUE_IMPLICIT", "FALSE_IMPLICIT", "UNSURE"]), max_size=10
)


@given(LABELS)
def test_counts_ignore_order_and_unsure(labels: list[Any]) -> None:
    yes, all_ = count_labels(labels)
    assert 0 <= yes <= all_ == len(labels) - labels.count("UNSURE")
    assert count_labels([*reversed(labels), "UNSURE"]) == (yes, all_)
    assert count_labels([*labels, "TRUE"]) == (yes + 1, all_ + 1)


def broken(key: str, value: Any) -> dict[str, Any]:
    data = dataset(spill=["TRUE"])
    parts = key.split("/")
    place = data
    for part in parts[:-1]:
        place = place[part]
    place[parts[-1]] = value
    return data


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("targets", {}, r"at targets: found \{\}; expected at least 1 entry"),
        ("targets/t:1/pos", "DET", "target t:1: pos 'DET'; expected one of NOUN"),
        ("targets/t:1/offset", 11, "'\\\\tboile' stands at offset 11 .* expected 'boiled'"),
        ("targets/t:1/offset", "x", "at targets.t:1.offset: found 'x'"),
        ("targets/t:1/context_id", "c:2", "at targets.t:1.context_id: 'c:2' is nowhere"),
        ("substitutes/s:spill/target_id", "t:2", "at substitutes.s:spill.target_id: 't:2'"),
        ("substitute_labels/s:spill", ["YES"], r"at substitute_labels.s:spill\[0\]: found 'YES'"),
        ("substitute_labels", {}, "substitute s:spill has no labels"),
        ("contexts", [], "at contexts: .*"),
    ],
)
def test_wrong_shapes_are_one_line(key: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        parse(broken(key, value))
    assert str(caught.value).startswith("mine.json: ")
    assert "\n" not in str(caught.value)


def test_a_truncated_download_is_named() -> None:
    packed = gzip.compress(json.dumps(dataset(spill=["TRUE"])).encode())
    with pytest.raises(FormatError, match="gzip data are damaged or end early"):
        unpack(packed[: len(packed) // 2], HERE)
    with pytest.raises(FormatError, match="not JSON"):
        parse_swords(b'{"contexts": ', HERE)


@pytest.mark.data
def test_the_release_has_its_counts(data_dir: Path) -> None:
    data = load("swords/dev", [data_dir])
    assert len(data.items) == 370
    raw = json.loads(gzip.decompress((data_dir / "swords/swords-v1.1_dev.json.gz").read_bytes()))
    assert len(raw["substitutes"]) == 22978
    unsure = sum(set(labels) == {"UNSURE"} for labels in raw["substitute_labels"].values())
    assert sum(len(item.weights) for item in data.gold.items.values()) == 22978 - unsure
    # Totals of another reading of the file: 10 labels for 7572 substitutes, 3 for 15,406.
    assert sum(map(len, raw["substitute_labels"].values())) == 15406 * 3 + 7572 * 10
    assert all(
        item.text[item.start : item.end] == raw["targets"][item.id]["target"] for item in data.items
    )
    assert data.gold.sha256.startswith("bc3570786455a05f")
