"""When two substitutes are the same, and what golds hold under each policy."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Gold, GoldItem
from lexsub.errors import UnknownNameError
from lexsub.evaluation.official.report import official
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.semeval_lines import parse_gold, parse_submission
from lexsub.matching.policies import Clean, Official, clean, lemma, policy_for
from lexsub.matching.script import percent
from lexsub.parts.base import SOURCES
from lexsub.resources import Resources

ITEM = GoldItem("1", "calm.a", {"still": 3.0, "at-rest": 2.0, "at rest": 1.0, "pn": 2.0})


def one(**weights: float) -> Gold:
    return Gold("g", {"1": GoldItem("1", "calm.a", weights)})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" still  life ", "still life"),
        ("well-kept", "well kept"),
        ("don't", "dont"),
        ("non-living", "nonliving"),
        ("non living", "nonliving"),
        ("nonstop", "nonstop"),
        ("Still", "Still"),
        ("still\r", "still"),
        (" ", ""),
    ],
)
def test_clean_spelling(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_clean_gold_sums_equal_forms_and_drops_the_proper_name_mark() -> None:
    (row,) = Clean().rows(Gold("g", {"1": ITEM}))
    assert row.weights == {"still": 3.0, "at rest": 3.0}
    assert (row.total, row.mode, row.scored) == (6.0, None, True)
    (single,) = Clean().rows(Gold("g", {"1": ITEM}), single_words=True)
    assert (single.weights, single.mode) == ({"still": 3.0}, "still")


def test_official_gold_is_the_scripts() -> None:
    (row,) = Official().rows(Gold("g", {"1": ITEM}))
    assert row.weights == {"still": 3.0, "at-rest": 2.0, "at rest": 1.0}
    assert row.mode == "still"
    assert row.lookup["at rest"] == 1.0


def test_answers() -> None:
    given = [" still ", "still", "", "At-rest", "non-x"]
    assert Clean().answers(ITEM, given) == ["still", "At rest", "nonx"]
    assert Official().answers(ITEM, given) == [" still ", "still", "", "At rest", "nonx"]
    assert Official().answers(ITEM, [" "]) == []
    assert Clean().answers(ITEM, ["at rest", "still"], single_words=True) == ["still"]


def test_lemma_policy_lowers_lemmatises_and_drops_the_target() -> None:
    policy = Clean(lambda form, pos: form.removesuffix("s") if pos == "n" else form)
    item = GoldItem(
        "1", "path.n", {"Trails": 0.2, "trail": 0.8, "paths": 0.9},
        judgements={"Trails": (1, 5), "trail": (4, 5), "paths": (9, 10)},
    )  # fmt: skip
    (row,) = policy.rows(Gold("g", {"1": item}))
    # Labels of merged forms are pooled: five favourable ones of ten.
    assert row.weights == {"trail": 0.5}
    assert policy.answers(item, ["Path", "TRAILS", "trail", "way"]) == ["trail", "way"]


@pytest.mark.data
def test_lemmas_come_from_wordnet(data_dir: Path) -> None:
    policy = lemma()
    assert policy.name.startswith("lemma(wordnet-3")
    item = GoldItem("1", "run.v", {})
    assert policy.answers(item, ["ran", "Hurried", "hurries", "look after"]) == [
        "hurry", "look after",
    ]  # fmt: skip


def test_unknown_policies_are_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean clean"):
        policy_for(Gold("g", {}), "claen")


def test_semdis_per_lines_leaves_out_what_has_no_line() -> None:
    gold = Gold("g", {str(i): GoldItem(str(i), "x.n", {"aa": 2.0}) for i in range(4)})
    system = {"s": {"0": ["aa"], "1": []}}
    scores = evaluate(gold, system, "semdis-best semdis-best(per=lines)", interval=None)
    assert [figure.value for figure in scores] == [0.25, 0.5]


def test_gap_without_the_gold_that_was_not_ranked() -> None:
    scores = evaluate(
        one(aa=2, bb=1), {"s": {"1": ["xx", "aa"]}}, "GAP GAP(unranked=ignore)", interval=None
    )
    assert [figure.value for figure in scores] == pytest.approx([1 / 3.5, 0.5])


def test_unjudged_answers_may_be_dropped_before_ranking() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"aa": 0.8, "bb": 0.0})})
    scores = evaluate(
        gold, {"s": {"1": ["unseen", "bb", "aa"]}}, "AP AP(unjudged=drop)", interval=None
    )
    assert [figure.value for figure in scores] == pytest.approx([1 / 3, 1 / 2])


def test_swords_figures_of_a_system_without_answers_are_nought() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"aa": 0.9})})
    scores = evaluate(gold, {"s": {"2": ["aa"]}}, "swords-P swords-R swords-F", interval=None)
    assert [figure.value for figure in scores] == [0, 0, 0]


def test_swords_recall_over_the_whole_reference() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", dict.fromkeys(["aa", "bb", "cc", "dd"], 0.9))})
    scores = evaluate(
        gold, {"s": {"1": ["aa", "bb"]}}, "swords-R@2 swords-R(possible=all)@2", interval=None
    )
    assert [figure.value for figure in scores] == [1.0, 0.5]


def test_letters_only_gap_drops_all_else_from_both_sides() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {"aa": 2.0, "b2": 5.0, "c d": 5.0})})
    scores = evaluate(gold, {"s": {"1": ["b2", "c d", "aa"]}}, "GAP(multiwords=letters)")
    assert scores.figures[0].value == 1.0


def test_multiword_measures_print_as_the_script_does() -> None:
    """Blank answers are detected and not found there; a clean reading takes them for none."""
    rng = random.Random(9)
    forms = ["give way", "front line", "hand in hand", "x y", ""]
    for _ in range(60):
        key, lines = [], []
        for number in range(10):
            votes = sorted((rng.randint(1, 4) for _ in range(rng.randint(1, 3))), reverse=True)
            answers = zip(rng.sample(forms[:4], len(votes)), votes, strict=True)
            key.append(f"a.n {number} :: {''.join(f'{form} {vote};' for form, vote in answers)}\n")
            if rng.random() < 0.8:
                lines.append(f"a.n {number} :: {rng.choice(forms)}\n")
        lines.append("a.n 99 :: give way\n")
        items = parse_gold("".join(key), Path("key"))
        gold = Gold("g", items, multiwords=items)
        submission = parse_submission("".join(lines), Path("s"), "mw")
        printed = official("".join(lines).encode(), "".join(key).encode(), "mw").stdout.decode()
        scores = evaluate(gold, {"s": submission}, "mw", normalise="official", interval=None)
        expected = [word.rstrip(",") for word in printed.split() if "." in word]
        assert [percent(figure.value) for figure in scores] == expected
        found = evaluate(gold, {"s": submission}, "mw", interval=None)
        assert all(figure.value <= 1 for figure in found)


def test_multiwords_are_compared_as_the_policy_has_it() -> None:
    votes = {"give way": 3, "give in": 1}
    items = {"1": GoldItem("1", "give.v", votes, "give way 3;give in 1;")}
    gold = Gold("g", items, multiwords=items)
    for answer, found in (("give-way", 1), (" give way", 1), ("give ways", 0), ("give in", 0)):
        scores = evaluate(
            gold, {"s": {"mw": {"1": [answer]}}}, "mw-identification-R", normalise="clean"
        )
        assert [figure.value for figure in scores] == [found], answer


@pytest.mark.data
def test_what_a_clean_reading_changes_in_the_test_gold(data_dir: Path) -> None:
    gold = load("semeval2007/test", [data_dir]).gold
    rows = {name: policy_for(gold, name).rows(gold) for name in ("official", "clean")}
    assert {name: sum(row.scored for row in found) for name, found in rows.items()} == {
        "official": 1696, "clean": 1696,
    }  # fmt: skip
    # Seven items hold an answer twice, once with a blank behind it: five of them gain a
    # mode, two lose theirs.
    modes = {name: sum(row.mode is not None for row in found) for name, found in rows.items()}
    assert modes == {"official": 1230, "clean": 1233}


@pytest.mark.data
def test_swords_figures_under_nltks_lemmas(data_dir: Path) -> None:
    """WordNet's candidates on the development set, as scored once with NLTK's own lemmatiser."""
    data = load("swords/dev", [data_dir])
    source = SOURCES["wordnet"]().open(Resources(data=(data_dir,)))
    system = {item.id: [one.substitute for one in source.candidates(item)] for item in data.items}
    measures = {
        "P@1": 46.757,
        "swords-P(reference_set=conceivable,setting=strict)@1": 47.139,
        "swords-F(setting=strict)@10": 13.714,
    }
    scores = evaluate(data.gold, {"s": system}, list(measures), normalise="lemma", interval=None)
    assert [100 * one.value for one in scores] == pytest.approx(list(measures.values()), abs=5e-4)
