"""What an answer is worth: every asker against the rule, and the rule against the scorer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import sub
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lexsub.boundary.curves import outcome, sample
from lexsub.data.catalogue import load
from lexsub.datasets import Dataset, Gold, GoldItem, Item, Lexelt
from lexsub.evaluation.bounds import oracle
from lexsub.evaluation.official.best_oot import tally
from lexsub.evaluation.scoring import evaluate
from lexsub.evaluation.sheets import Answered, make_gold_arrays, make_sheet
from lexsub.experiments.report.breakdown import by_origin, coverage
from lexsub.experiments.report.browser import browser_data
from lexsub.experiments.report.explanations import Explained, SystemExplanation, _explain, _missed
from lexsub.experiments.report.item_scores import ItemScores
from lexsub.formats.findings import Reference
from lexsub.matching.policies import counts_only
from lexsub.matching.script import read_official_gold
from lexsub.matching.seen import SeenGold, gold_under
from lexsub.parts.base import BOUNDARIES, RANKERS, BoundaryContext, Tuning
from lexsub.rankers.learned.examples import shares_of
from lexsub.rankings import Candidate, Ranked, Ranking
from lexsub.resources import Resources

BUNDLED = ["tutorial/test", "tutorial/trial"]
SPLITS = [
    *BUNDLED,
    *(
        pytest.param(split, marks=pytest.mark.data)
        for split in ("semeval2007/test", "semeval2007/trial", "coinco/dev", "swords/dev",
                      "semdis2014/test", "semdis2014/test-290")
    ),
]  # fmt: skip


@pytest.fixture
def whole(split: str, request: pytest.FixtureRequest) -> Dataset:
    """The split; only what does not come with lexsub needs the data folder."""
    return loaded(split, None if split in BUNDLED else request.getfixturevalue("data_dir"))


@cache
def loaded(split: str, folder: Path | None) -> Dataset:
    return load(split, [folder] if folder else [])


def asked(item: GoldItem) -> list[str]:
    """What to ask of an item: its gold as it stands, other spellings of it, and wrong answers."""
    given: dict[str, None] = {}
    for number, name in enumerate(item.weights):
        given[name] = None
        # Not every spelling of every answer: that would be a million in the largest set.
        if not number or not name.isalpha():
            given |= dict.fromkeys(
                (name.replace(" ", "-"), name.replace("-", " "), name.replace("'", ""),
                 f"non-{name}", f"{name} ", name.capitalize())
            )  # fmt: skip
    return [*given, "zzz", "no such answer"]


def rankings(gold: Gold) -> dict[str, Ranking]:
    """A ranking an item of all that is asked of it, the first fifty."""
    return {
        item.id: Ranking(
            item.id, item.lexelt, tuple(Ranked(name, 0.0, ("s",)) for name in asked(item)[:50])
        )
        for item in gold.items.values()
    }


# Each asker returns what it holds each answer to be worth, by item.
Names = Mapping[str, Sequence[str]]
Asker = Callable[[Dataset, SeenGold, Names], dict[str, list[float]]]


def by_boundary(data: Dataset, seen: SeenGold, names: Names) -> dict[str, list[float]]:
    found = {}
    for item, given in names.items():
        ones = [Ranking(item, "x.n", (Ranked(name, 0.0),)) for name in given]
        outcomes = [outcome(one, seen[item]) for one in ones]
        found[item] = [float(one.right[0]) for one in outcomes]
        assert {one.total for one in outcomes} <= {seen[item].total}
        assert all(one.right[0] == 0 or one.wrong[0] == 0 for one in outcomes)
    return found


def by_learning(data: Dataset, seen: SeenGold, names: Names) -> dict[str, list[float]]:
    return {
        item: [shares_of(seen[item], [Candidate(name)])[0] * seen[item].total for name in given]
        for item, given in names.items()
    }


def by_oracle(data: Dataset, seen: SeenGold, names: Names) -> dict[str, list[float]]:
    scorer = RANKERS["oracle"]().open(Resources(), data)
    return {
        item: list(scorer.scores(cast(Item, SimpleNamespace(id=item)), [*map(Candidate, given)]))
        for item, given in names.items()
    }


def by_explaining(data: Dataset, seen: SeenGold, names: Names) -> dict[str, list[float]]:
    system, scorer = SimpleNamespace(name="s"), SimpleNamespace(parts=lambda *_: {})
    found = {}
    for item, given in names.items():
        ranking = Ranking(item, "x.n", tuple(Ranked(name, 0.0) for name in given))
        shown = _explain(cast(Any, system), cast(Any, None), ranking, seen[item], cast(Any, scorer))
        found[item] = [one.gold for one in shown.candidates]
    return found


ASKERS: dict[str, Asker] = {
    "boundary": by_boundary, "learned": by_learning, "oracle": by_oracle,
    "explain": by_explaining,
}  # fmt: skip


def policies(gold: Gold) -> Iterator[str]:
    yield "clean"
    if counts_only(gold.items.values()):
        yield "official"


@pytest.mark.parametrize("split", SPLITS)
def test_nobody_disagrees(whole: Dataset) -> None:
    # Of the largest set every fourth item, 2,545 of its 10,179.
    items = list(whole.gold.items.values())[:: 1 + len(whole.gold.items) // 3000]
    names = {item.id: asked(item) for item in items}
    for policy in policies(whole.gold):
        data = whole.under(policy)
        seen = gold_under(data.gold)
        expected = {item: [seen[item].weight(name) for name in names[item]] for item in names}
        assert any(map(any, expected.values()))
        for asker, ask in ASKERS.items():
            worth = ask(data, seen, names)
            assert worth.keys() == names.keys()
            for item in names:  # pytest.approx takes as long as all the rest
                apart = map(abs, map(sub, worth[item], expected[item]))
                assert len(worth[item]) == len(expected[item]), (asker, policy, item)
                assert max(apart, default=0.0) <= 1e-9, (asker, policy, item)
        table = make_gold_arrays(data.gold, gold_under(data.gold).policy)
        sheet = make_sheet(table, {item: Answered(given) for item, given in names.items()}).unique
        rows = {item: row for row, item in enumerate(table.ids)}
        for item in names:
            gains = sheet.gains[sheet.offsets[rows[item]] : sheet.offsets[rows[item] + 1]].tolist()
            worth = [w for w in seen[item].worth(names[item]) if w is not None]
            assert gains == (worth if seen[item].row.answerable else []), item


@pytest.mark.parametrize("split", SPLITS)
def test_nobody_disagrees_on_what_is_scored(whole: Dataset) -> None:
    for policy in policies(whole.gold):
        gold = whole.under(policy).gold
        scored = {item for item, seen in gold_under(gold).items() if seen.is_scored}
        assert scored
        everything = rankings(gold)
        learnt = sample(BoundaryContext(tuning=Tuning(list(everything.values()), gold)), "s")
        assert {one.id for one in learnt.rankings} == scored
        scores = evaluate(
            gold, {"s": list(everything.values())}, "best-R oot-R coverage-F", per_item=True,
            interval=None, normalise=policy,
        )  # fmt: skip
        assert all(set(one.ids) == scored for one in scores.per_item)
        cutter = BOUNDARIES["oracle"]().fit(BoundaryContext(gold))
        cuts = {item: cutter.cut(one) for item, one in everything.items()}
        assert all(cuts[item] == 1 for item in everything if item not in scored)
        if policy == "official":
            assert Reference(gold.name, {}, gold.items).scored == scored


@pytest.mark.parametrize("split", SPLITS)
def test_the_official_reading_is_the_official_scorers(whole: Dataset) -> None:
    """Credit, total and mode of each answer alone, as the scorer's verbose lines print them."""
    gold = whole.gold
    if not counts_only(gold.items.values()):
        return
    seen = gold_under(gold, "official")
    number = {item: place for place, item in enumerate(seen)}
    written = [
        f"x.n {number[one.id]} :: "
        + (one.source.lstrip() or "".join(
            f"{name} {weight:.0f};"
            for name, weight in sorted(one.weights.items(), key=lambda pair: -pair[1]) if weight > 0
        ))
        for one in gold.items.values()
    ]  # fmt: skip
    key = read_official_gold("".join(f"{line}\n" for line in written))
    names = {item.id: asked(item) for item in gold.items.values()}
    for place in range(4):
        alone = {item: given[place] for item, given in names.items() if place < len(given)}
        lines = "".join(f"x.n {number[item]} :: {name}\n" for item, name in alone.items())
        printed = "\n".join(tally(lines, key, "best", verbose=True).printed)
        credit = {
            int(item): (float(share), int(total))
            for item, share, total in re.findall(
                r"Item (\d+) credit (\S+) guesses \d+ human responses (\d+)", printed
            )
        }
        right = set(map(int, re.findall(r"Item (\d+) mode .* correct$", printed, re.MULTILINE)))
        for item, name in alone.items():
            one, at = seen[item], number[item]
            assert (at in credit) == bool(one.total), item
            if at in credit:
                share, total = credit[at]
                assert (one.weight(name), one.total) == (pytest.approx(share * total), total)
            assert (at in right) == (one.mode is not None and one.form(name) == one.mode), item


def item_scores(data: Dataset) -> ItemScores:
    system = SimpleNamespace(
        name="s", letter="A", rankings=rankings(data.gold), answers={}, details={},
        part=SimpleNamespace(name="s"),
    )  # fmt: skip
    answers = {"s": {"ranking": list(system.rankings.values()),
                     "oot": {i: r.top(10) for i, r in system.rankings.items()},
                     "best": {i: r.top(1) for i, r in system.rankings.items()}}}  # fmt: skip
    reported = SimpleNamespace(
        data=data, normalisation=data.gold.normalisation, answering=(system,),
        generating=(system,), answers=lambda: answers,
    )  # fmt: skip
    return ItemScores.of(cast(Any, reported))


@pytest.mark.parametrize("split", [SPLITS[0], SPLITS[2], SPLITS[6]])
def test_the_report_does_not_disagree(whole: Dataset) -> None:
    for policy in policies(whole.gold):
        data = whole.under(policy)
        seen, page = gold_under(data.gold), item_scores(data)
        scored = {item.id: gold for item, gold in page.scored}
        assert set(scored) == {item for item in seen if seen[item].is_scored}
        ranked = page.reported.answering[0].rankings
        worth = {i: seen[i].worth(ranked[i].top(50)) for i in scored}
        got = sum(weight or 0.0 for one in worth.values() for weight in one)
        (shown,) = coverage(page)
        assert shown.tokens == pytest.approx(100 * got / sum(seen[i].total for i in scored))
        (origin,) = by_origin(page)
        hits = sum(seen[i].weight(name) > 0 for i in scored for name in ranked[i].top(50))
        assert origin.right == pytest.approx(100 * hits / origin.candidates)
        for row in json.loads(browser_data(page)[0])["items"]:
            one = seen.get(row[0])
            names = row[6]
            weights = [one.weight(name) if one else 0.0 for name in names]
            right = [weight for weight in weights if weight]
            assert weights[: len(right)] == right, "the right ones first"
            assert row[7] == pytest.approx(right, rel=1e-3)


def test_the_browsers_places_are_those_of_the_gold() -> None:
    data = load("tutorial/test", [])
    page = item_scores(data)
    seen = gold_under(data.gold)

    for row in json.loads(browser_data(page)[0])["items"]:
        if row[0] in seen:
            order = [seen[row[0]].form(name) for name in asked(data.gold.items[row[0]])[:50]]
            places = row[9][0][5]
            assert places == [
                order.index(form) + 1 if (form := seen[row[0]].form(name)) in order else 0
                for name in row[5][::2]
            ]


def one(weights: dict[str, float], policy: str = "official") -> SeenGold:
    made = Gold("g", {"1": GoldItem("1", "x.n", weights)}, normalisation=policy)
    return gold_under(made)


def test_worth_counts_a_form_once_and_blanks_not_at_all() -> None:
    seen = one({"ice cream": 3.0, "its": 1.0}, "clean")["1"]
    given = ["ice-cream", "ice cream", "", "it's", "other", "other"]
    assert seen.worth(given) == [3.0, None, None, 1.0, 0.0, None]


def test_what_no_system_proposed_is_told_by_the_rule() -> None:
    seen = one({"ice-cream": 3.0, "people's": 1.0, "sweet": 1.0})["1"]
    candidates = tuple(Explained(name, 0.0, (), 0.0) for name in ("ice cream", "peoples", "sour"))
    assert _missed(seen, [SystemExplanation("s", candidates, {})]) == ("sweet",)
    assert [seen.weight(each.substitute) for each in candidates] == [3.0, 1.0, 0.0]


def test_a_gold_is_seen_under_its_own_policy_unless_another_is_named() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"élever": 3.0, "rise": 2.0})})
    assert gold_under(gold)["1"].weight("élever") == 3.0
    assert gold_under(replace(gold, normalisation="official"))["1"].weight("élever") == 0.0
    assert gold_under(gold, "official")["1"].weight("élever") == 0.0


def test_spellings_that_a_gold_takes_for_one_another() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.v", {"sleep": 2.0})}, mapping={"x.v": {"zz": "sleep"}})
    assert gold_under(gold)["1"].weight(" zz ") == 2.0
    seen = gold_under(gold)["1"]
    assert [seen.form(name) for name in ("zz", "sleep", "", "zz", "")] == [
        "sleep", "sleep", "", "sleep", "",
    ]  # fmt: skip


def test_the_oracles_read_hyphens_as_the_policy_does() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"well-lit": 2.0, "non-x": 3.0, "it's": 1.0})})
    item = Item("1", Lexelt.parse("x.n"), "x", 0, 1)
    names = ["well lit", "well-lit", "non-x", "non x", "nonx", "its", "it's"]
    expected = {
        "clean": [2.0, 2.0, 3.0, 3.0, 3.0, 1.0, 1.0],
        # What the script does to the answer "non-x" it does not do to the gold.
        "official": [2.0, 2.0, 0.0, 0.0, 0.0, 1.0, 1.0],
    }
    for policy, weights in expected.items():
        data = Dataset("g", (item,), replace(gold, normalisation=policy))
        scorer = RANKERS["oracle"]().open(Resources(), data)
        assert scorer.scores(item, [*map(Candidate, names)]) == weights
        best = oracle(data.gold, {"1": names}, normalise=policy)["ranking"]["1"]
        seen = gold_under(data.gold)["1"]
        distinct = {seen.form(n): w for n, w in zip(names, weights, strict=True)}
        assert [seen.weight(name) for name in best] == sorted(distinct.values(), reverse=True)
