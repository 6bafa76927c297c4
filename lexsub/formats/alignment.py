"""Finding tokens again in the sentence they were cut from."""

from __future__ import annotations

from collections.abc import Sequence


def align_tokens(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return the span of each token in the sentence, or None where they do not fit.

    Tokens stand in the order of the text.  Between two of them only punctuation and blanks
    may be left out (hyphens, say).  A token may repeat the end of the one before it, as
    tokenisers that took a clitic twice leave it (``didn`` + ``n't``, ``...back`` + ``back``);
    where all of it is a repetition it stands for a word that is skipped.
    """
    spans: list[tuple[int, int]] = []
    end, skipped_word = 0, False
    for token in tokens:
        start = text.find(token, end)
        gap = text[end:start] if start >= 0 else "x"
        if start >= 0 and _may_be_left_out(gap, skipped_word):
            skipped_word = False
        else:
            overlap = _overlap(text, token, end)
            if overlap == 0:
                return None
            start = end - overlap
            skipped_word = overlap == len(token)
        end = start + len(token)
        spans.append((start, end))
    return spans


def _may_be_left_out(gap: str, one_word: bool) -> bool:
    words = [piece for piece in gap.split() if any(map(str.isalnum, piece))]
    return len(words) <= one_word


def _overlap(text: str, token: str, end: int) -> int:
    """Return how many characters of the token's beginning lie before ``end`` (0 for no fit)."""
    longest = min(len(token), end)
    return next((n for n in range(1, longest + 1) if text.startswith(token, end - n)), 0)
