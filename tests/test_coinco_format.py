"""CoInCo: targets found in their sentences; dev and test never mistaken for each other."""

from __future__ import annotations

import gzip
import random
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.data.catalogue import DATASETS, load
from lexsub.data.other_sets import CoInCo
from lexsub.errors import FormatError, LexsubError, MissingResourceError, UnknownNameError
from lexsub.formats.coinco import align_tokens, parse_coinco
from lexsub.storage.files import sha256

HERE = Path("mine.xml")

TARGET = """<token id="{id}" wordform="{form}" lemma="{lemma}" posMASC="{tag}" posTT="X"
 problematic="{problematic}"><substitutions>{substitutes}</substitutions></token>"""


def other(form: str) -> str:
    return f'<token id="XXX" wordform="{form}" lemma="{form}" posMASC="XXX" posTT="X" />'


def target(
    identifier: str,
    form: str,
    lemma: str = "",
    tag: str = "NN",
    problematic: str = "no",
    **substitutes: int,
) -> str:
    children = "".join(
        f'<subst lemma="{name.replace("_", " ")}" pos="X" freq="{count}" />'
        for name, count in substitutes.items()
    )
    return TARGET.format(
        id=identifier,
        form=form,
        lemma=lemma or form,
        tag=tag,
        problematic=problematic,
        substitutes=children,
    )


def sentence(text: str, *tokens: str) -> str:
    return (
        '<sent MASCfile="mine.txt" MASCsentID="s-r0"><precontext>Before.</precontext>'
        f"<targetsentence>\n {text}\n</targetsentence><postcontext/>"
        f"<tokens>{''.join(tokens)}</tokens></sent>"
    )


def document(*sentences: str) -> bytes:
    return f'<?xml version="1.0"?>\n<document>\n{"".join(sentences)}\n</document>'.encode()


def test_targets_have_sentence_span_and_weights() -> None:
    text = "In the fourth-quarter rain, Ann's ducks didn't mind; rain &amp; wind"
    data = document(
        sentence(
            text,
            *map(other, ["In", "the"]),
            target("7", "fourth quarter", "fourth quarter", "JJ", last=2, final_part=1),
            target("8", "rain", tag="NN", drizzle=3),
            *map(other, [",", "Ann", "'s"]),
            target("9", "ducks", "duck", "NNS", problematic="yes", birds=1),
            *map(other, ["didn", "n't"]),
            target("10", "mind", "mind", "VB", care=4, object=1),
            target("11", "rain", tag="NN", storm=1),
        )
    )
    # "fourth quarter" is not in the text with a blank, so the tokens become the text.
    targets = {found.item.id: found for found in parse_coinco(data, HERE)}
    assert targets["8"].item.text.startswith("In the fourth quarter rain , Ann 's ducks didn n't")
    assert [found.item.target for found in targets.values()] == [
        "fourth quarter", "rain", "ducks", "mind", "rain"
    ]  # fmt: skip
    first = targets["7"]
    assert (str(first.item.lexelt), first.item.pos) == ("fourth quarter.a", "a")
    assert first.gold.weights == {"last": 2, "final part": 1}
    assert first.gold.lexelt == "fourth quarter.a"
    assert [found.problematic for found in targets.values()] == [False, False, True, False, False]
    assert targets["11"].item.start > targets["8"].item.start


def test_the_sentence_itself_is_kept_where_tokens_fit() -> None:
    data = document(
        sentence(
            "The well-fed cat…the fat one…didn't stir.",
            other("The"),
            other("well"),
            target("1", "fed", "feed", "VBN", nourished=1),
            *map(other, ["cat", "the"]),
            target("2", "fat", tag="JJ", round=2),
            *map(other, ["one", "didn", "n't"]),
            target("3", "stir", tag="VB", move=1),
            other("."),
        )
    )
    items = [found.item for found in parse_coinco(data, HERE)]
    assert {item.text for item in items} == {"The well-fed cat…the fat one…didn't stir."}
    assert [item.target for item in items] == ["fed", "fat", "stir"]


def test_a_semicolon_in_a_substitute_becomes_a_comma() -> None:
    data = document(sentence("Rain", target("1", "Rain", drizzle=1).replace("drizzle", "wet ; x")))
    (found,) = parse_coinco(data, HERE)
    assert found.gold.weights == {"wet , x": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<document><sent>", "not well-formed XML: "),
        (b"<corpus/>", "<corpus> at the top; expected CoInCo's document > sent > tokens > token"),
        (document("<token/>"), "<token> inside <document>"),
        (document(), "holds no target <token>"),
        (document(sentence("A b", target("1", "A", x=1), target("1", "b", x=1))), "token id 1 st"),
        (document(sentence("A", target("1", "A", x=0))), "<subst lemma='x' freq='0'>; expected"),
        (document(sentence("A", target("1", "A", tag="DT", x=1))), "token 1: posMASC='DT'"),
        (document(sentence("A", target("1", "A", problematic="maybe", x=1))), "problematic='may"),
        (document(sentence("A", other(""))), "<token> without wordform"),
        (b"<!DOCTYPE d [<!ENTITY e 'x'>]><document>&e;</document>", "declares entities"),
    ],
)
def test_faults_are_one_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_coinco(data, HERE)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


WORDS = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=4), min_size=1, max_size=12)


@given(WORDS, st.randoms(use_true_random=False))
def test_alignment_finds_every_token_again(words: list[str], chance: random.Random) -> None:
    gaps = [chance.choice([" ", ", ", "-", " … ", "'"]) for _ in words]
    text, spans = "", []
    for word, gap in zip(words, gaps, strict=True):
        text += gap
        spans.append((len(text), len(text) + len(word)))
        text += word
    assert align_tokens(text, words) == spans


def test_alignment_gives_up_rather_than_guess() -> None:
    assert align_tokens("the cat sat", ["the", "dog", "sat"]) is None
    assert align_tokens("the big cat sat", ["the", "cat"]) is None
    assert align_tokens("so …back to our", ["so", "…back", "back", "our"]) is not None


def release(folder: Path, *, swapped: bool = False) -> CoInCo:
    lists = {"dev": "1\n2\n", "test": "3\n"}
    names = {"dev": "devset-tokenIDs.txt", "test": "testset-tokenIDs.txt"}
    for part, other_part in (("dev", "test"), ("test", "dev")):
        text = lists[other_part if swapped else part]
        (folder / names[part]).write_text(text)
    data = document(
        sentence("Wet roof", target("2", "Wet", tag="JJ", damp=1), target("1", "roof", x=1)),
        sentence("Dry", target("3", "Dry", tag="JJ", problematic="yes", arid=1)),
    )
    (folder / "coinco.xml.gz").write_bytes(gzip.compress(data))
    return CoInCo({part: sha256(text.encode()) for part, text in lists.items()})


def test_splits_follow_the_official_lists(tmp_path: Path) -> None:
    reader = release(tmp_path)
    ids = {
        split: [item.id for item in reader.read(tmp_path, split).items] for split in reader.splits
    }
    assert ids == {
        "dev": ["2", "1"],
        "dev-no-problematic": ["2", "1"],
        "test": ["3"],
        "test-no-problematic": [],
        "melamud-dev": [],
        "melamud-test": ["2", "1"],
        "all": ["2", "1", "3"],
        "all-no-problematic": ["2", "1"],
    }


def test_a_swapped_list_is_refused(tmp_path: Path) -> None:
    reader = release(tmp_path, swapped=True)
    with pytest.raises(FormatError, match="is the official test list under the name of the dev"):
        reader.read(tmp_path, "dev")
    with pytest.raises(FormatError, match=r"rename it to devset-tokenIDs\.txt"):
        reader.read(tmp_path, "melamud-dev")


def test_an_edited_list_and_a_partial_file_are_refused(tmp_path: Path) -> None:
    reader = release(tmp_path)
    (tmp_path / "devset-tokenIDs.txt").write_text("1\n")
    with pytest.raises(FormatError, match="is not the official dev list"):
        reader.read(tmp_path, "dev")
    data = document(sentence("Wet", target("2", "Wet", tag="JJ", damp=1)))
    (tmp_path / "coinco.xml.gz").write_bytes(gzip.compress(data))
    with pytest.raises(FormatError, match=r"holds no token 3, .*\(1 of 1 are missing\)"):
        reader.read(tmp_path, "test")
    (tmp_path / "testset-tokenIDs.txt").unlink()
    with pytest.raises(MissingResourceError, match="testset-tokenIDs"):
        reader.read(tmp_path, "test")
    (tmp_path / "coinco.xml.gz").write_bytes(gzip.compress(data)[:-20])
    with pytest.raises(FormatError, match="gzip data are damaged"):
        reader.read(tmp_path, "all")


def test_split_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean melamud-test"):
        load("coinco/melamudtest", [])
    with pytest.raises(LexsubError, match="coinco/melamud-dev"):
        load("coinco", [])


@pytest.mark.data
def test_the_release_has_its_counts(data_dir: Path) -> None:
    folder = data_dir / "coinco"
    data = load("coinco/dev", [data_dir])
    assert len(data.items) == len(data.gold.items) == 10179
    assert len(load("coinco/melamud-test", [data_dir]).items) == 10027
    xml = gzip.decompress((folder / "coinco_dev.xml.gz").read_bytes())
    assert xml.count(b"<sent ") == 1577
    assert xml.count(b"<subst ") == sum(len(item.weights) for item in data.gold.items.values())
    # Every target is the word form that its own token has, in the sentence as printed.
    targets = parse_coinco(xml, folder / "coinco_dev.xml.gz")
    sentences = {
        " ".join(piece.split())
        for piece in _sentences(xml)
    }  # fmt: skip
    assert {found.item.text for found in targets} <= sentences
    assert all(item.text[item.start : item.end] == item.target != "" for item in data.items)
    with pytest.raises(
        MissingResourceError,
        match=r"no coinco.xml .* and no testset-tokenIDs.txt, of which split test",
    ):
        DATASETS["coinco"].read(folder, "test")


def _sentences(xml: bytes) -> list[str]:
    # An independent reader of the same file.
    from defusedxml.ElementTree import fromstring

    return [element.text or "" for element in fromstring(xml).iter("targetsentence")]
