"""Which grammatical relations count as contexts, by part of speech."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from lexsub.errors import ConfigError
from lexsub.items import PARTS_OF_SPEECH

# McCarthy, Koeling, Weeds and Carroll (2007, section 5.1): the verbs a noun is object or
# subject of and the adjectives and nouns that modify it; a verb's objects and subjects; the
# nouns an adjective modifies and the adverbs that modify it; what an adverb modifies.
CORE = {
    "n": ("dobj-of", "subj-of", "amod", "nn"),
    "v": ("dobj", "subj"),
    "a": ("amod-of", "advmod"),
    "r": ("advmod-of-v", "advmod-of-a"),
}
ALL = dict.fromkeys(PARTS_OF_SPEECH, ("*",))
INVENTORIES: Mapping[str, Mapping[str, tuple[str, ...]]] = {"core": CORE, "all": ALL}

Inventory = str | dict[str, tuple[str, ...]]
"""``core``, ``all``, or relation names by part of speech (``prep-*`` stands for a family)."""


def patterns(inventory: Inventory) -> Mapping[str, tuple[str, ...]]:
    """Return the relation patterns by part of speech.

    Raises:
        ConfigError: an unknown inventory or part of speech.
    """
    if isinstance(inventory, str):
        if inventory not in INVENTORIES:
            raise ConfigError(
                [f"relations: found {inventory!r}; expected {' or '.join(INVENTORIES)}, or "
                 "names by part of speech"]
            )  # fmt: skip
        return INVENTORIES[inventory]
    unknown = sorted(set(inventory) - set(PARTS_OF_SPEECH))
    if unknown:
        raise ConfigError(
            [f"relations: unknown part of speech {', '.join(unknown)}; expected n, v, a or r"]
        )
    return inventory


def selected(inventory: Inventory, pos: str, relation: str) -> bool:
    """Say whether a relation of a word with this part of speech is wanted."""
    return any(fnmatchcase(relation, p) for p in patterns(inventory).get(pos, ()))


def count_wanted(connection: Any, rows: str, inventory: Inventory) -> None:
    """Add the rows of a table or of files to ``counts`` whose relations an inventory selects."""
    kinds = connection.execute(f"SELECT DISTINCT pos, relation FROM {rows}").fetchall()
    wanted = [kind for kind in kinds if selected(inventory, *kind)]
    connection.execute("CREATE OR REPLACE TABLE wanted (pos VARCHAR, relation VARCHAR)")
    if wanted:
        connection.executemany("INSERT INTO wanted VALUES (?, ?)", wanted)
    connection.execute(
        f"INSERT INTO counts SELECT pos, word, relation, other, count::BIGINT FROM {rows} "
        "SEMI JOIN wanted USING (pos, relation)"
    )
