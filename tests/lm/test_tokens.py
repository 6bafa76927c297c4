from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.rankers.lm.tokens import tokenise

CASES = {
    "I don't know—she can't.": "i do n't know - she ca n't .",
    "do n't": "do n't",
    "It’s Neil's “well-known” cat": "it 's neil 's \" well-known \" cat",
    "1,000.5 of the U.S. lot": "1,000.5 of the u.s . lot",
    "a <s> b </s> <unk>": "a < s > b < / s > < unk >",
    "wait... -- what?!": "wait ... - what ? !",
    "bell\x07 and\x00nul": "bell and nul",
    "": "",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_tokens(text: str, expected: str) -> None:
    assert " ".join(tokenise(text)) == expected


def test_case_is_kept_on_request() -> None:
    assert tokenise("The U.S. Isn't", lower=False) == ["The", "U.S", ".", "Is", "n't"]


@given(st.text())
def test_tokens_survive_joining_and_never_are_special(text: str) -> None:
    tokens = tokenise(text)
    assert not {"<s>", "</s>", "<unk>"}.intersection(tokens)
    assert " ".join(tokens).split(" ") == (tokens or [""])
    assert all(token.isprintable() for token in tokens)


@given(st.text(alphabet="ab'nt .,-’sd1<>\"", max_size=30))
def test_tokenised_text_stays_as_it_is(text: str) -> None:
    once = tokenise(text)
    assert tokenise(" ".join(once)) == once
