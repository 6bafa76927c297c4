"""Agreement figures: by hand, by brute force, and against other libraries."""

from __future__ import annotations

import itertools
import json
import math
import random
import statistics
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from lexsub.cli import main
from lexsub.cli.agreement import command
from lexsub.datasets import GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.agreement.golds import (
    PooledSubstitute,
    boxes,
    by_origin,
    frequency_correlation,
    frequency_test,
    pool,
    report_golds,
    score_correlation,
    spearman,
)
from lexsub.evaluation.agreement.labels import by_pair, cohen, fleiss, pooled, rating_agreement
from lexsub.evaluation.agreement.substitutes import (
    agreement,
    leave_one_out,
    mode,
    multiword_agreement,
    pairwise,
    with_mode,
)
from lexsub.evaluation.agreement.substitutes import share as share_of
from lexsub.evaluation.posthoc import mean_gold
from lexsub.formats.annotations import LabelChoice, Rating, Response


def responses(*rows: str) -> list[Response]:
    """Read ``item annotator a;b multiword`` shorthand."""
    found = []
    for row in rows:
        item, annotator, words, *rest = row.split(" ", 3)
        kept = tuple(word for word in words.split(";") if word != "-")
        found.append(Response(item, annotator, kept, rest[0] if rest else None))
    return found


ROWS = responses(
    "1 Ann noisy;shrill", "1 Bob noisy", "1 Cid -", "2 Ann glad;happy", "2 Bob glad", "2 Cid merry"
)


def test_pairwise_by_hand() -> None:
    # Item 1: Ann-Bob 1/2. Item 2: Ann-Bob 1/2, Ann-Cid 0, Bob-Cid 0.
    share = pairwise(ROWS)
    assert (share.value, share.comparisons, share.items) == (0.25, 4, 2)


def test_mode_by_hand() -> None:
    # noisy: 1/2, 1 (Cid gave nothing); glad: 1/2, 1, 0.
    share = with_mode(ROWS)
    assert (share.value, share.comparisons, share.items) == (0.6, 5, 2)


def test_one_left_out_by_hand() -> None:
    without = leave_one_out(ROWS)
    assert list(without) == ["Ann", "Bob", "Cid"]
    assert without["Cid"].pairwise.value == 0.5
    assert without["Cid"].with_mode.value == 0.75
    # Without Ann no substitute of item 2 is given twice, and item 1 has one response.
    assert without["Ann"].with_mode.value is None
    assert without["Ann"].pairwise.value == 0


def test_a_single_response_is_no_mode() -> None:
    assert mode(responses("1 Ann noisy")) is None
    assert mode(responses("1 Ann noisy", "1 Bob noisy;shrill")) == "noisy"
    assert mode(responses("1 Ann noisy", "1 Bob shrill")) is None
    assert mode(responses("1 Ann noisy", "1 Bob noisy")) == "noisy"


WORDS = st.lists(st.sampled_from("abcde"), max_size=3, unique=True)
CROWD = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from("ABCD")), WORDS, max_size=12
)


@given(CROWD)
def test_the_figures_are_what_their_formula_says(crowd: dict[tuple[str, str], list[str]]) -> None:
    rows = [Response(item, who, tuple(words)) for (item, who), words in crowd.items()]
    pairs, modes = [], []
    for item in "123":
        given_ = [set(words) for (where, _), words in crowd.items() if where == item and words]
        pairs += [Fraction(len(a & b), len(a | b)) for a, b in itertools.combinations(given_, 2)]
        votes = {word: sum(word in answer for answer in given_) for word in "abcde"}
        best = [word for word, count in votes.items() if count == max(votes.values())]
        if len(best) == 1 and sum(votes.values()) > 1:
            modes += [Fraction(len(a & {best[0]}), len(a | {best[0]})) for a in given_]
    for share, expected in ((pairwise(rows), pairs), (with_mode(rows), modes)):
        assert share.comparisons == len(expected)
        assert share.value == (float(sum(expected) / len(expected)) if expected else None)
    shuffled = random.Random(len(rows)).sample(rows, len(rows))
    assert agreement(shuffled) == agreement(rows)


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, unique=True), min_size=1),
    st.integers(2, 4),
)
def test_annotators_who_agree_agree_fully(answers: list[list[str]], size: int) -> None:
    rows = [
        Response(str(item), str(who), tuple(words))
        for item, words in enumerate(answers)
        for who in range(size)
    ]
    assert pairwise(rows).value == 1
    strangers = [
        Response(str(item), str(who), tuple(f"{word}{who}" for word in words))
        for item, words in enumerate(answers)
        for who in range(size)
    ]
    assert pairwise(strangers).value == 0


def test_multiwords_by_hand() -> None:
    figures = multiword_agreement(
        responses(
            "1 Ann - Take  part", "1 Bob x take part", "1 Cid x",  # 1 of 3 agree; forms agree
            "2 Ann - on side", "2 Bob x on the side",  # agree; forms differ
            "3 Ann x", "3 Bob x",  # agree that there is none
        )
    )  # fmt: skip
    assert (figures.detection.value, figures.detection.comparisons) == (3 / 5, 5)
    assert (figures.form.value, figures.form.comparisons, figures.form.items) == (0.5, 2, 2)


def test_kappa_of_the_published_percentages() -> None:
    # 82 % both business, 12 % both personal, 6 % split evenly: .94 and about .765.
    pairs = [("b", "b")] * 82 + [("p", "p")] * 12 + [("b", "p")] * 3 + [("p", "b")] * 3
    figures = cohen(pairs)
    assert figures.raw == 0.94
    assert figures.kappa == pytest.approx((0.94 - 0.745) / 0.255, abs=1e-12)
    assert figures.confusion[("b", "p")] == 3


LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1)


@given(LABELS)
def test_kappa_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    import warnings

    from sklearn.metrics import cohen_kappa_score

    ours = cohen(pairs).kappa
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score(*zip(*pairs, strict=True))
    if ours is None:
        assert math.isnan(theirs) or theirs == 1  # both always said the same one label
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


@given(
    st.integers(2, 4).flatmap(
        lambda raters: st.lists(
            st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), min_size=2
        )
    )
)
def test_fleiss_equals_statsmodels(table: list[list[str]]) -> None:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    choices = [
        LabelChoice(str(item), str(who), label)
        for item, row in enumerate(table)
        for who, label in enumerate(row)
    ]
    ours = fleiss(choices)
    if len({label for row in table for label in row}) == 1:
        assert ours is None
    else:
        counts = aggregate_raters([["abc".index(label) for label in row] for row in table])[0]
        assert ours == pytest.approx(fleiss_kappa(counts), abs=1e-12)


def test_intervals_are_scipys() -> None:
    rng = np.random.default_rng(4)
    pairs = [("xyz"[a], "xyz"[a if same else b]) for a, b, same in rng.integers(0, 3, (150, 3))]
    ours = cohen(pairs, [str(n) for n in range(150)])
    codes = np.array([["xyz".index(one), "xyz".index(other)] for one, other in pairs])

    def kappa(a: Any, b: Any) -> float:
        chance = sum(np.mean(a == label) * np.mean(b == label) for label in range(3))
        return float((np.mean(a == b) - chance) / (1 - chance))

    for mine, statistic in (
        (ours.raw_interval, lambda a, b: float(np.mean(a == b))),
        (ours.kappa_interval, kappa),
    ):
        theirs = bootstrap(
            (codes[:, 0], codes[:, 1]), statistic, paired=True, vectorized=False,
            method="percentile", n_resamples=1500, rng=np.random.default_rng(1),
        ).confidence_interval  # fmt: skip
        assert mine == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_intervals_draw_whole_targets() -> None:
    """Four copies of a target's item say no more than one; as items of their own they seem to."""
    values = [[Fraction(n % 7, 6)] for n in range(40)]
    once = share_of((f"w{n}.n 1", value) for n, value in enumerate(values))
    copies = [(f"w{n}.n {k}", value) for k in range(4) for n, value in enumerate(values)]
    assert share_of(copies).interval == once.interval
    apart = share_of((item.replace(" ", "-"), value) for item, value in copies)
    assert once.interval is not None
    assert apart.interval is not None
    assert apart.interval[1] - apart.interval[0] < 0.7 * (once.interval[1] - once.interval[0])
    assert share_of([("a.n 1", [True]), ("a.n 2", [False])]).interval is None, "a single target"


@given(LABELS)
def test_pooled_labels_equal_fleiss_for_pairs(pairs: list[tuple[str, str]]) -> None:
    # For two labels an item Fleiss' kappa is Scott's pi.
    choices = [
        LabelChoice(str(item), who, label)
        for item, labels in enumerate(pairs)
        for who, label in zip("AB", labels, strict=True)
    ]
    together = pooled(choices)
    assert together is not None
    assert (together.kappa is None) == (fleiss(choices) is None)
    if together.kappa is not None:
        assert together.kappa == pytest.approx(fleiss(choices), abs=1e-12)
    assert list(by_pair(choices)) == [("A", "B")]
    assert by_pair(choices)["A", "B"] == cohen(pairs, [str(n) for n in range(len(pairs))])
    figures, bare = by_pair(choices)["A", "B"], cohen(pairs)
    assert (figures.raw, figures.kappa, bare.raw_interval) == (bare.raw, bare.kappa, None)


def test_annotators_may_differ_from_item_to_item() -> None:
    choices = [
        LabelChoice("1", "Ann", "x"), LabelChoice("1", "Bob", "x"),
        LabelChoice("2", "Cid", "y"), LabelChoice("2", "Ann", "x"),
        LabelChoice("3", "Cid", "y"),
    ]  # fmt: skip
    assert {pair: figures.raw for pair, figures in by_pair(choices).items()} == {
        ("Ann", "Bob"): 1, ("Ann", "Cid"): 0
    }  # fmt: skip
    together = pooled(choices)
    assert together is not None
    assert (together.items, together.raw) == (2, 0.5)
    assert fleiss(choices) is None
    assert pooled(choices[-1:]) is None


def test_ratings_by_hand() -> None:
    ratings = [
        Rating("1", "noisy", who, value)
        for who, value in zip("ABC", (3, 3, 3), strict=True)
    ] + [
        Rating("1", "shrill", who, value) for who, value in zip("ABC", (0, 1, 2), strict=True)
    ] + [Rating("2", "glad", "A", 1)]  # fmt: skip
    figures = rating_agreement(ratings)
    assert figures is not None
    assert (figures.substitutes, figures.single, figures.unanimity) == (2, 1, 0.5)
    assert figures.mean_deviation == pytest.approx(math.sqrt(2 / 3) / 2)
    sample = rating_agreement(ratings, "sample")
    assert sample is not None
    assert sample.mean_deviation == pytest.approx(0.5)
    low, high = sample.interval or (0, 0)
    assert (high - low) / 2 == pytest.approx(
        1.96 * statistics.stdev([0, 1]) / math.sqrt(2), rel=1e-4
    )
    assert rating_agreement(ratings[-1:]) is None
    more = [Rating(str(number), "dim", "A", 2) for number in range(5)]
    counted = rating_agreement(ratings + more)
    assert counted is not None
    assert (counted.substitutes, counted.single) == (2, 6)


GOLD1 = {
    "1": GoldItem("1", "loud.a", {"noisy": 5, "shrill": 1, "vivid": 0}),
    "2": GoldItem("2", "glad.a", {"happy": 7}),
    "3": GoldItem("3", "sad.a", {"blue": 2}),
}
GOLD2 = {
    "1": GoldItem("1", "loud.a", {"noisy": 3, "blaring": 2.5, "odd": 1}),
    "2": GoldItem("2", "glad.a", {"happy": 2.75, "merry": 1.25}),
}
SYSTEM = {"1": ("noisy", "blaring", "dull"), "2": ("merry",), "3": ("low",)}


def test_origins_by_hand() -> None:
    found = pool(GOLD1, GOLD2, [SYSTEM])
    assert (found.items, found.only_in_one) == (2, 1)
    assert [(row.substitute, row.score1, row.score2, row.origin) for row in found.substitutes] == [
        ("noisy", 5, 3, "both"),
        ("shrill", 1, 0, "annotators only"),
        ("blaring", 0, 2.5, "systems only"),
        ("dull", 0, 0, "systems only"),
        ("odd", 0, 1, None),
        ("happy", 7, 2.75, "annotators only"),
        ("merry", 0, 1.25, "systems only"),
    ]
    columns = {column.origin: column.bins for column in by_origin(found.substitutes)}
    assert columns == {
        "annotators only": (1, 0, 1, 0), "systems only": (1, 1, 1, 0), "both": (0, 0, 0, 1)
    }  # fmt: skip
    for column in by_origin(found.substitutes):
        assert sum(column.percent) == pytest.approx(100)
    empty = [column for column in by_origin([]) if column.count == 0]
    assert [column.percent for column in empty] == [(0, 0, 0, 0)] * 3
    with pytest.raises(LexsubError, match="item 1: 'noisy' scores 3; expected 0 to 2"):
        by_origin(found.substitutes, top=2)


SCORES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 12).map(lambda n: n / 4)))


def rows_of(scores: list[tuple[int, float]]) -> list[PooledSubstitute]:
    return [
        PooledSubstitute("1", "x.n", str(number), one, other, "both" if one else "systems only")
        for number, (one, other) in enumerate(scores)
    ]


@given(SCORES)
def test_correlation_is_that_of_mid_ranks(scores: list[tuple[int, float]]) -> None:
    figures = score_correlation(rows_of(scores), whole_pool=True)
    assert figures.pairs == len(scores)

    def ranks(values: list[float]) -> list[float]:
        return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]

    left, right = [one for one, _ in scores], [other for _, other in scores]
    if figures.rho is None:
        assert len(scores) < 3 or len(set(left)) == 1 or len(set(right)) == 1
    else:
        expected = statistics.correlation(ranks(list(left)), ranks(right))
        assert figures.rho == pytest.approx(expected, abs=1e-9)
    only = score_correlation(rows_of(scores), whole_pool=False)
    assert only.pairs == sum(one > 0 for one in left)


@given(SCORES)
def test_boxes_equal_those_that_are_drawn(scores: list[tuple[int, float]]) -> None:
    drawn = boxes(rows_of(scores))
    assert sum(box.count for box in drawn) == len(scores)
    assert [box.score1 for box in drawn] == sorted({one for one, _ in scores})
    for box in drawn:
        values = sorted(other for one, other in scores if one == box.score1)
        assert box.median == statistics.median(values)
        if len(values) > 1:
            quartiles = statistics.quantiles(values, n=4, method="inclusive")
            assert (box.quartile1, box.quartile3) == pytest.approx((quartiles[0], quartiles[2]))
        assert values[0] <= box.low <= box.quartile1 <= box.median <= box.quartile3 <= box.high
        assert box.high <= values[-1]
        assert (box.outliers == 0) == (box.low == values[0] and box.high == values[-1])


def test_frequencies() -> None:
    frequency = {"noisy": 100, "happy": 900, "shrill": 50, "blaring": 5, "merry": 20, "dull": 70}
    rows = pool(GOLD1, GOLD2, [SYSTEM]).substitutes
    test = frequency_test(rows, lambda row: frequency.get(row.substitute))
    assert test is not None
    # dull was refused; odd was nobody's.
    assert (test.old, test.new, test.skipped) == (3, 2, 0)
    assert (test.median_old, test.median_new) == (100, 12.5)
    # All new ones are rarer: W = 3 against a mean of 2·6/2 = 6, variance 2·3·6/12 = 3.
    assert test.z == pytest.approx((3 - 6) / math.sqrt(3))
    assert test.p == pytest.approx(math.erfc(math.sqrt(3) / math.sqrt(2)))
    assert frequency_test(rows, lambda row: None) is None
    report = report_golds(GOLD1, GOLD2, [SYSTEM], lambda row: frequency.get(row.substitute))
    # Of gold 1: noisy, shrill and happy; of gold 2 these and the rest, odd without a frequency.
    figures = {row["figure"]: row["value"] for row in report.records()}
    assert [figures[f"frequency1.{name}"] for name in ("pairs", "skipped")] == [3, 0]
    assert [figures[f"frequency2.{name}"] for name in ("pairs", "skipped")] == [6, 1]
    assert figures["frequency1.rho"] == pytest.approx(1)
    found = frequency_correlation([(1, 10), (2, 100), (3, 1000), (4, None), (5, 0)])
    assert (found.rho, found.pairs, found.skipped) == (pytest.approx(1), 3, 2)
    # The logarithm changes no rank.
    assert spearman([(1, 10), (2, 100), (2, 10)]).rho == pytest.approx(
        spearman([(1, math.log(10)), (2, math.log(100)), (2, math.log(10))]).rho
    )


def test_mean_ratings_make_a_gold() -> None:
    ratings = [
        Rating("1", "shrill", "A", 0), Rating("1", "shrill", "B", 0),
        Rating("1", "noisy", "A", 3), Rating("1", "noisy", "B", 2), Rating("9", "x", "A", 1),
    ]  # fmt: skip
    gold = mean_gold(ratings, GOLD1)
    assert list(gold) == ["1"]
    assert list(gold["1"].weights.items()) == [("noisy", 2.5), ("shrill", 0)]
    assert gold["1"].lexelt == "loud.a"


TABLES = {
    "substitutes": "item\tannotator\tsubstitutes\tmultiword\n1\tAnn\tnoisy; shrill\t\n"
    "1\tBob\tnoisy\tloud hailer\n1\tCid\tNIL\t\n",
    "labels": "item\tannotator\tlabel\n1\tAnn\tbusiness\n1\tBob\tpersonal\n2\tAnn\tbusiness\n"
    "2\tBob\tbusiness\n",
    "ratings": "item\tsubstitute\tannotator\trating\n1\tnoisy\tAnn\t3\n1\tnoisy\tBob\t2\n"
    "1\tshrill\tAnn\t0\n1\tshrill\tBob\t0\n",
}


RATING = "item\tannotator\tsubstitute\trating\n1\tAnn\tx\t{}\n"


def as_json(table: str) -> str:
    columns, *rows = [line.split("\t") for line in table.splitlines()]
    return "".join(
        json.dumps({k: v for k, v in zip(columns, row, strict=True) if v}) + "\n" for row in rows
    )


@pytest.mark.parametrize("kind", TABLES)
def test_the_command_reports(kind: str, tmp_path: Path) -> None:
    answers = []
    for name, text in (("a.tsv", TABLES[kind]), ("a.jsonl", as_json(TABLES[kind]))):
        path = tmp_path / name
        path.write_text(text)
        result = CliRunner().invoke(command, [str(path), "--json"], catch_exceptions=False)
        assert result.exit_code == 0
        answers.append(json.loads(result.stdout))
        shown = CliRunner().invoke(command, [str(path)], catch_exceptions=False)
        assert shown.exit_code == 0
        assert "Agreement" in shown.stdout
    assert answers[0] == answers[1]
    report = answers[0][kind]
    if kind == "substitutes":
        assert report["everyone"]["pairwise"] == {
            "value": 0.5, "comparisons": 1, "items": 1, "interval": None
        }  # fmt: skip
        assert report["multiwords"]["detection"]["value"] == pytest.approx(1 / 3)
    elif kind == "labels":
        assert report["pairs"]["Ann | Bob"]["raw"] == 0.5
        assert report["pairs"]["Ann | Bob"]["kappa"] == 0
    else:
        assert report["agreement"]["unanimity"] == 0.5


def test_the_command_compares_golds(tmp_path: Path) -> None:
    files = {
        "one.gold": "loud.a 1 :: noisy 5;shrill 2;vivid 1;\n",
        "two.gold": "loud.a 1 :: noisy 2.75;blaring 1.5;shrill 1;\n",
        "sys.oot": "loud.a 1 ::: noisy;blaring;dull\n",
        "counts.tsv": "noisy\t100\nshrill\t20\nblaring\t3\nvivid\t9\n",
        "ratings.tsv": TABLES["ratings"],
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    one, two, system, counts, ratings = (str(tmp_path / name) for name in files)
    call = [two, "--against", one, "--system", system, "--frequencies", counts]
    result = CliRunner().invoke(command, [*call, "--json"], catch_exceptions=False)
    report = json.loads(result.stdout)["golds"]
    assert (report["items"], report["substitutes"]) == (1, 5)
    assert {column["origin"]: column["bins"] for column in report["origins"]} == {
        "annotators only": [1, 1, 0, 0], "systems only": [1, 1, 0, 0], "both": [0, 0, 1, 0]
    }  # fmt: skip
    assert report["in_gold1"]["rho"] == pytest.approx(1)
    assert report["new_against_old"]["new"] == 1
    shown = CliRunner().invoke(command, call, catch_exceptions=False)
    for words in ("Score 2 by origin", "Score 2 by score 1", "rank-sum test"):
        assert words in shown.stdout
    both = CliRunner().invoke(
        command, [ratings, "--against", one, "--json"], catch_exceptions=False
    )
    report = json.loads(both.stdout)
    assert list(report) == ["ratings", "golds"]
    assert report["golds"]["origins"] is None


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("loud.a 1 :: noisy 2;\n", [], "is a gold and holds counts only: pairwise agreement"),
        ("item\tanotator\tlabel\n", [], "unknown column 'anotator'; did you mean annotator?"),
        ("item\tannotator\tlabel\n", [], "holds no annotation"),
        ("item\tannotator\tlabel\n1\tAnn\n", [], ":2: 2 columns; expected 3"),
        ("item\tannotator\tlabel\n1\tAnn\t\n", [], ":2: item 1 has an empty label"),
        ("item\tannotator\n1\tAnn\n", [], ":2: columns annotator, item; expected a table"),
        ("item\tannotator\tlabel\n1\tAnn\tx\n1\tAnn\ty\n", [], ":3: 1, Ann stand twice"),
        ("item\tannotator\tlabel\n1\tAnn\tx\n", [], "no item has labels of two annotators"),
        (RATING.format("good"), [], ":2: rating 'good'; expected a number"),
        (RATING.format("nan"), [], ":2: item 1: expected a substitute and a finite rating"),
        (RATING.format("1"), [], "no substitute has two ratings"),
        (
            '{"item": "1", "annotator": "A", "label": "x", "x": 1}',
            [],
            ":1: at x: found 1; expected no such key",
        ),
        ('{"item": "1"}\n', [], ":1: at annotator"),
        (
            '{"item": "1", "annotator": "A", "label": "x"}\n{"item": "1", "annotator": "B"}\n',
            [],
            ":2: expected every row to have annotator, item, label",
        ),
        (TABLES["ratings"], ["--against", "none.gold"], "none.gold: no such file"),
        (TABLES["labels"], ["--against", "{gold}"], "holds labels: --against needs ratings or"),
        (TABLES["labels"], ["--frequencies", "ukwac"], "belong to --against GOLD"),
        ("loud.a 1 :: noisy 2;\n", ["--against", "{gold}", "--frequencies", "ukwak"], "mean ukwac"),
        ("sad.a 99 :: noisy 2;\n", ["--against", "{gold}"], "the two golds share no item"),
        (
            "loud.a 1 :: noisy 5;\n",
            ["--against", "{gold}", "--system", "{system}"],
            "item 1: 'noisy' scores 5; expected 0 to 3",
        ),
    ],
)  # fmt: skip
def test_faults_are_one_line_and_status_2(
    text: str, options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, gold, system = (tmp_path / name for name in ("mine.txt", "mine.gold", "mine.oot"))
    path.write_text(text)
    gold.write_text("loud.a 1 :: noisy 2;\n")
    system.write_text("loud.a 1 ::: noisy\n")
    filled = [option.format(gold=gold, system=system) for option in options]
    with pytest.raises(SystemExit) as caught:
        main(["agreement", str(path), *filled])
    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert message in error
    assert len(error.splitlines()) == 1


@pytest.mark.data
def test_the_release_gives_no_annotator_agreement(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["agreement", "semeval2007/test", "--data", str(data_dir)])
    assert "need each annotator's own answers" in capsys.readouterr().err
