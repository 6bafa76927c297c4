"""Tokenisation for language models: one rule for corpora, contexts and candidates."""

from __future__ import annotations

import re

NAME = "penn-1"
"""Name of this tokenisation in model headers; it changes whenever the rule does."""

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‛ʼ`´", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑−", "-"),
        **dict.fromkeys("–—―", " - "),
        "…": " ... ",
        "\N{REPLACEMENT CHARACTER}": " ",
    }
)

# n't and the clitics are tokens of their own (do n't, it 's); words keep inner hyphens,
# full stops and commas between digits; every other visible character stands alone.
_TOKEN = re.compile(
    r"n't(?!\w)"
    r"|'(?:s|re|ve|ll|d|m)(?!\w)"
    r"|\w+(?:[-.]\w+|,(?=\d)\d+)*"
    r"|\.\.\.|''|--+"
    r"|[^\w\s]",
    re.IGNORECASE,
)
_CLITIC = re.compile(r"(?<=\w)(n't|'(?:s|re|ve|ll|d|m))(?!\w)", re.IGNORECASE)


def tokenise(text: str, *, lower: bool = True) -> list[str]:
    """Split a sentence into tokens in the manner of the Penn Treebank.

    Text that is already tokenised (``do n't``) gives the same tokens as running text
    (``don't``).  Typographic quotes and dashes become ASCII; a dash between words and the
    two-hyphen dash are one token ``-``; what stands for undecodable bytes is dropped.  No
    token holds a blank or a control character, and none is ``<s>``, ``</s>`` or ``<unk>``,
    whose pieces become tokens like any other text.

    Args:
        text: any text; line ends count as blanks.
        lower: whether to lower the case.
    """
    if text.isascii() and text.isalnum():  # one plain word, as most are
        return [text.lower() if lower else text]
    text = text.translate(_QUOTES)
    if lower:
        text = text.lower()
    if "'" in text:
        text = _CLITIC.sub(r" \1", text)
    tokens = _TOKEN.findall(text)
    return [
        ("-" if token[0] == "-" else '"') if token[:2] in ("--", "''") else token
        for token in tokens
        if token.isprintable()
    ]
