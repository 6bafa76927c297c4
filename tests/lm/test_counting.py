"""Text to ids and n-grams back to text, against the plain way of doing it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexsub.rankers.lm import counting
from lexsub.rankers.lm.counting import BOS, EOS, Vocabulary, decode, encode
from lexsub.rankers.lm.tokens import tokenise

LINES = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])))


@given(LINES, st.booleans())
@example(["I can't—'tis", "", "\x07", "ΑΣ ΑΣ. İ", "the THE…the don't", "a\x0bb\x85c\x1dd"], True)
def test_ids_are_those_of_the_tokens_line_by_line(lines: list[str], lower: bool) -> None:
    expected: dict[str, int] = {"<unk>": 0, "<s>": BOS, "</s>": EOS}
    ids = []
    sentences = [tokens for line in lines if (tokens := tokenise(line, lower=lower))]
    for tokens in sentences:
        ids += [BOS, *(expected.setdefault(token, len(expected)) for token in tokens), EOS]
    vocabulary = Vocabulary()
    blocks = list(encode(lines, vocabulary, lower=lower))
    assert [i for block in blocks for i in block.tolist()] == ids
    assert list(vocabulary.items()) == list(expected.items()), "numbered by first appearance"
    text = "".join(decode(block, list(vocabulary)) for block in blocks)
    assert text == "".join(" ".join(tokens) + "\n" for tokens in sentences)


def test_forgetting_pieces_and_cutting_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [f"word{n % 7} isn't word{n % 11}, {'' if n % 5 else chr(7)}" for n in range(100)]
    lines[30:60] = ["\x07"] * 30
    whole, parts = Vocabulary(), Vocabulary()
    (one,) = encode(lines, whole, lower=True)
    monkeypatch.setattr(counting, "BLOCK", 20)
    monkeypatch.setattr(counting, "KEPT", 5)
    blocks = list(encode(lines, parts, lower=True))
    assert len(blocks) > 5
    assert all(block[0] == BOS and block[-1] == EOS for block in blocks)
    assert [i for block in blocks for i in block.tolist()] == one.tolist()
    assert list(parts) == list(whole)
