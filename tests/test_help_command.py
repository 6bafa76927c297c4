"""``lexsub help NAME``."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexsub.api
from lexsub.cli import COMMANDS, main
from lexsub.cli.help import config_keys
from lexsub.cli.parts import KINDS, registry_of
from lexsub.errors import nearest


def explained(capsys: pytest.CaptureFixture[str], *names: str) -> list[dict[str, str]]:
    with pytest.raises(SystemExit) as ended:
        main(["help", *names, "--json"])
    assert not ended.value.code, capsys.readouterr().err
    found: list[dict[str, str]] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("thesaurus", "neighbours"), "WORD..."),
        (("answers",), "another program's answers"),
        (("tuning",), "boundaries may learn"),
        (("GAP",), "the mean over items"),
        (("ties",), "answers of equal score"),
        (("norm",), "rules by which answers are compared"),
        (("expected-f",), "greatest expected F"),
        (("evaluate",), "Score systems against a gold."),
        ((), "Explain NAME"),
    ],
)
def test_every_kind_of_name(
    names: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in "".join(one["about"] for one in explained(capsys, *names))


def test_every_name_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    parts = {part for kind in KINDS for part in registry_of(kind)}
    keys = {key.rpartition(".")[2] for key, _ in config_keys()}
    for name in {*COMMANDS, *parts, *keys, "evaluate", "Ranking"}:
        for one in explained(capsys, name):
            assert one["about"].strip(), name


def test_several_things_of_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    titles = [one["name"] for one in explained(capsys, "wordnet")]
    assert len(titles) == len(set(titles)) >= 3
    assert len(explained(capsys, "config")) == len(dict(config_keys()))
    assert "evaluate" in lexsub.api.__all__


def test_unknown_names_are_answered_with_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", "tunin"])
    assert ended.value.code == 2
    assert "did you mean tuning" in capsys.readouterr().err


def test_methods_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    (suggester,) = explained(capsys, "Suggester")
    assert "\n    pipe: Yield the answers to many sentences" in suggester["about"]
    (pipe,) = explained(capsys, "pipe")
    assert pipe["name"].startswith("lexsub.Suggester.pipe(sentences: Iterable[")
    assert explained(capsys, "Suggester.pipe") == [pipe]
    frames = {one["name"].partition("(")[0] for one in explained(capsys, "to_pandas")}
    assert {"lexsub.Dataset.to_pandas", "lexsub.Scores.to_pandas"} <= frames


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("text", ["sentence", "target", "lemma"], []),
        ("foo", ["oot", "oot-R", "best"], []),
        ("sytems", ["systems", "tables", "notes"], ["systems"]),
        ("ml", ["lm", "bow"], ["lm"]),
        ("wordnt", ["model", "wordnet"], ["wordnet"]),
        ("swrods", ["semdis", "swords"], ["swords"]),
        ("gap", ["AP", "GAP", "P"], ["GAP"]),
        ("swords", ["learned-swords", "learned"], ["learned-swords"]),
        ("a", ["b", "abc"], []),
        ("", ["a", "b"], []),
    ],
)
def test_only_what_may_be_meant_is_suggested(name: str, known: list[str], near: list[str]) -> None:
    assert nearest(name, known) == near


@given(name=st.text("abcd", min_size=6, max_size=9), at=st.integers(0, 4))
def test_two_letters_swapped_are_one_slip(name: str, at: int) -> None:
    swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    assert nearest(swapped, [name, "x" * 30]) == [name]
