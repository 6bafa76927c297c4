"""A second gold from judges' ratings, in the form of SemDis gold 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from lexsub.evaluation.agreement.ratings import by_substitute
from lexsub.formats.annotations import Rating
from lexsub.formats.semeval_lines import format_gold, lines_of
from lexsub.golds import GoldItem


def mean_gold(ratings: Iterable[Rating], items: Mapping[str, GoldItem]) -> dict[str, GoldItem]:
    """Return a gold whose weights are mean ratings, 0 kept (judged and refused).

    Args:
        ratings: all judges' ratings.
        items: a gold that knows the items' lexelts; ratings of other items are left out.

    Returns:
        The rated items in ``items``' order; substitutes by falling mean, ties in the order
        of the ratings.
    """
    means: dict[str, dict[str, float]] = {}
    for (item, substitute), values in by_substitute(ratings).items():
        means.setdefault(item, {})[substitute] = fmean(values)
    return {
        item_id: GoldItem(
            item_id,
            item.lexelt,
            dict(sorted(means[item_id].items(), key=lambda pair: -pair[1])),
        )
        for item_id, item in items.items()
        if item_id in means
    }


def format_semdis_gold(items: Iterable[GoldItem]) -> str:
    """Return a gold as SemDis writes its second one.

    Two blanks stand after the colons and ``; `` between substitutes; weights are decimal,
    substitutes of weight 0 and items left without any are omitted.

    Raises:
        LexsubError: a substitute with a semicolon, which the format cannot hold.
    """
    lines = lines_of(format_gold(items))
    return "".join(
        f"{head} ::  {answers.replace(';', '; ').rstrip()}\n"
        for head, _, answers in (line.partition(" :: ") for line in lines)
    )
