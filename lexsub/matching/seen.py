"""A gold seen through a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import cast

from lexsub.datasets import Gold, GoldItem
from lexsub.matching.policies import GoldRow, Normalisation, policy_for


@dataclass(frozen=True, slots=True)
class SeenItem:
    """One item's gold under a policy.

    Attributes:
        item: the gold as it stands.
        row: what the policy makes of it.
        policy: the policy.
        single_words: whether multiwords are left out (subset NMWS).
        mapping: spellings a system may use, to those of this gold (SemDis ``mapping.txt``).
    """

    item: GoldItem
    row: GoldRow
    policy: Normalisation
    single_words: bool = False
    mapping: Mapping[str, str] = field(default_factory=dict)
    _forms: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def is_scored(self) -> bool:
        """Whether best, oot and coverage count the item: it has two responses."""
        return self.row.scored

    @property
    def mode(self) -> str | None:
        """The spelling that an answer must have to hit the mode; None where there is no mode."""
        return self.row.mode

    @property
    def total(self) -> float:
        """The weight of all human answers, |H|."""
        return self.row.total

    def answers(self, given: Sequence[str]) -> list[str]:
        """Return a system's answers as they are compared, best first; [] for no answer."""
        if self.mapping:
            given = [self.mapping.get(answer.strip(), answer) for answer in given]
        return self.policy.answers(self.item, given, single_words=self.single_words)

    def form(self, substitute: str) -> str:
        """Return the spelling under which a substitute is compared; "" if it is no answer."""
        form = self._forms.get(substitute)  # systems share most candidates
        if form is None:
            found = self.answers([substitute])
            form = self._forms[substitute] = found[0] if found else ""
        return form

    def forms(self, substitutes: Sequence[str]) -> list[str]:
        """Return the spelling under which each of a list is compared, as :meth:`form` does."""
        # Not by a call each: reports ask a million times, mostly for what is known.
        forms = list(map(self._forms.get, substitutes))
        if None in forms:
            forms = list(map(self.form, substitutes))
        return cast("list[str]", forms)

    def weight(self, substitute: str) -> float:
        """Return what people gave for a substitute, 0 where it is wrong or no answer."""
        return self.row.lookup.get(self.form(substitute), 0.0)

    def weights(self, substitutes: Sequence[str]) -> list[float]:
        """Return what people gave for each of a list, as :meth:`weight` does."""
        return list(map(self.row.lookup.get, self.forms(substitutes), repeat(0.0)))

    def worth(self, substitutes: Sequence[str]) -> list[float | None]:
        """Return the weight of each of a list of answers.

        One that is the same as another before it, or no answer at all, counts neither as right
        nor as wrong: None.
        """
        forms = self.forms(substitutes)
        worth: list[float | None] = list(map(self.row.lookup.get, forms, repeat(0.0)))
        found = {"", *forms}
        if len(found) <= len(forms):  # some are the same, or no answer
            found = {""}
            for place, form in enumerate(forms):
                if form in found:
                    worth[place] = None
                found.add(form)
        return worth


class SeenGold(dict[str, SeenItem]):
    """A gold under a policy: its items by id, in the gold's order.

    Attributes:
        gold: the gold as it stands.
        policy: the policy.
    """

    def __init__(self, gold: Gold, policy: Normalisation, items: Mapping[str, SeenItem]) -> None:
        super().__init__(items)
        self.gold, self.policy = gold, policy


def gold_under(
    gold: Gold, policy: str | Normalisation | None = None, *, single_words: bool = False
) -> SeenGold:
    """Read a gold under a policy.

    Args:
        gold: the gold.
        policy: the policy, or its name; None for the gold's own.
        single_words: leave out multiword substitutes and answers (subset NMWS).

    Raises:
        UnknownNameError: no policy of that name.
        LexsubError: the policy cannot read this gold.
    """
    policy = policy_for(gold, policy)
    rows = policy.rows(gold, single_words=single_words)
    items = {
        item_id: SeenItem(item, row, policy, single_words, gold.mapping.get(item.lexelt, {}))
        for (item_id, item), row in zip(gold.items.items(), rows, strict=True)
    }
    return SeenGold(gold, policy, items)
