"""The WordNet source: published acceptance figures, group order, options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from lexsub.candidates.opened import ByTarget
from lexsub.candidates.wordnet import CRITERIA, WordNetSource
from lexsub.data.catalogue import load
from lexsub.datasets import Dataset, Item, Lexelt
from lexsub.errors import ConfigError
from lexsub.evaluation.official.report import official
from lexsub.formats.semeval_lines import format_submission
from lexsub.rankings import Answer, Candidate, Task
from lexsub.resources import Resources


@pytest.fixture(scope="session")
def real(data_dir: Path) -> Resources:
    return Resources(data=(data_dir,))


@pytest.fixture(scope="session")
def test_split(data_dir: Path) -> Dataset:
    return load("semeval2007/test", (data_dir,))


def opened(resources: Resources, **options: object) -> ByTarget:
    return WordNetSource(**options).open(resources)  # type: ignore[arg-type]


def candidates(source: ByTarget, lexelt: Lexelt) -> Sequence[Candidate]:
    return source.candidates(Item("1", lexelt, "", 0, 0))


def words(source: ByTarget, lexelt: str) -> list[str]:
    return [c.substitute for c in candidates(source, Lexelt.parse(lexelt))]


def figures(data: Dataset, source: ByTarget, gold: bytes) -> list[float]:
    """Recall and mode recall, best and oot, by the official scorer."""
    found: list[float] = []
    tasks: tuple[tuple[Task, int], ...] = (("best", 1), ("oot", 10))
    for task, cut in tasks:
        answers = [
            Answer(str(item.lexelt), item.id, tuple(words(source, str(item.lexelt))[:cut]))
            for item in data.items
        ]
        printed = official(format_submission(answers, task).encode(), gold, task).stdout.decode()
        found += map(float, re.findall(r"recall = ([\d.]+)", printed))
    return found


@pytest.mark.data
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"frequency": "bnc-lemmas"}, [10.98, 18.62, 33.62, 47.24]),
        ({"frequency": "bnc-lemmas", "criteria": (1, 2)}, [10.68, 18.05, 20.01, 29.59]),
        ({"frequency": "bnc-forms"}, [10.37, 17.48, 33.50, 47.40]),
        # 9.90 and 31.91 where hyphens in answers are not read as blanks, as the scorer does.
        ({"frequency": "none"}, [9.93, 16.10, 31.96, 45.12]),
        ({"frequency": "semcor"}, [11.76, 20.08, 33.67, 48.13]),
    ],
)
def test_acceptance_figures(
    real: Resources,
    data_dir: Path,
    test_split: Dataset,
    options: dict[str, object],
    expected: list[float],
) -> None:
    gold = (data_dir / "semeval2007/scoring/gold").read_bytes()
    assert figures(test_split, opened(real, **options), gold) == expected


@pytest.mark.data
@pytest.mark.parametrize(("frequency", "identical"), [("bnc-lemmas", 17), ("bnc-forms", 19)])
def test_trial_lists_of_the_released_baseline(
    real: Resources, data_dir: Path, frequency: str, identical: int
) -> None:
    source = opened(real, criteria=(1, 2), frequency=frequency)
    released = {}
    for line in (data_dir / "semeval2007/trial/BLoutof10.out").read_text().splitlines():
        lexelt, _, answers = line.split(" ", 2)
        # The release writes adjective markers, and so even the target, as outdoor(a).
        bare = [
            re.sub(r"\((a|p|ip)\)$", "", answer.strip())
            for answer in answers.removeprefix("::: ").split(";")
            if answer.strip()
        ]
        released[lexelt] = [answer for answer in bare if answer != lexelt.split(".")[0]]
    assert len(released) == 34
    same = sum(words(source, lexelt)[:10] == answers for lexelt, answers in released.items())
    assert same == identical


@pytest.mark.data
def test_every_target_has_a_candidate(real: Resources, test_split: Dataset) -> None:
    first, every = opened(real, criteria=(1,)), opened(real)
    lexelts = {str(item.lexelt) for item in test_split.items}
    assert len(lexelts) == 171
    assert sum(bool(words(first, lexelt)) for lexelt in lexelts) == 112
    assert all(words(every, lexelt) for lexelt in lexelts)


def test_groups_come_in_strict_order() -> None:
    source = opened(Resources(), frequency="semcor")
    found = candidates(source, Lexelt.parse("bright.a"))
    groups = [candidate.origins[0].group for candidate in found]
    order = list(CRITERIA.values())
    assert list(dict.fromkeys(groups)) == [g for g in order if g in groups]
    assert groups == sorted(groups, key=order.index)
    for group in set(groups):
        scores = [c.origins[0].score or 0 for c in found if c.origins[0].group == group]
        assert scores == sorted(scores, reverse=True)
    assert [c.origins[0].rank for c in found] == list(range(len(found)))
    assert len({c.substitute for c in found}) == len(found)


def test_the_corrected_part_of_speech_counts() -> None:
    source = opened(Resources(), frequency="none")
    assert words(source, "bar.n.v") == words(source, "bar.v")
    assert "barricade" in words(source, "bar.n.v")


def test_the_target_itself_is_left_out_and_blanks_are_written() -> None:
    source = opened(Resources(), frequency="none")
    for lexelt in ("march.n", "take.v", "outdoor.a"):
        found = words(source, lexelt)
        assert lexelt.split(".")[0] not in [word.lower() for word in found]
        assert not any("_" in word or word.endswith(")") for word in found)
    assert any(" " in word for word in words(source, "take.v"))


def test_lemmas_that_wordnet_lacks_are_taken_by_their_base_form() -> None:
    source = opened(Resources(), frequency="none")
    assert words(source, "dogs.n") == words(source, "dog.n") != []
    found = candidates(source, Lexelt("Take Part", "v", "v"))
    assert [candidate.substitute for candidate in found][:1] == ["participate"]
    assert "take part" not in [candidate.substitute for candidate in found]
    assert words(source, "xyzzyfying.v") == []


def test_markers_are_kept_on_demand() -> None:
    kept = words(opened(Resources(), frequency="none", keep_markers=True), "outdoor.a")
    assert "out-of-door" in kept
    assert "outdoor(a)" in kept or any(word.endswith("(a)") for word in kept)


def test_other_relations_can_be_chosen() -> None:
    antonyms = opened(
        Resources(), criteria=(2,), frequency="none", adjective_relations=("antonyms",)
    )
    # A pointer between words: only the target's own antonym, and that word alone.
    assert words(antonyms, "hot.a") == ["cold"]
    sisters = opened(Resources(), criteria=(2,), frequency="none", noun_relations=("co-hyponyms",))
    assert "cat" not in words(sisters, "dog.n")
    assert "wolf" in words(sisters, "dog.n")
    assert words(opened(Resources(), criteria=(2,), frequency="none"), "hardly.r") == []


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"frequency": "bnc-lemma"}, "did you mean bnc-lemmas"),
        ({"noun_relations": ("hypernym",)}, "did you mean hypernyms"),
        ({"adverb_relations": ("similarto",)}, "did you mean similar-to"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(options: dict[str, object], hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        WordNetSource(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("criteria", [(), (5,), (1, 1)])
def test_criteria_are_checked(criteria: Sequence[int]) -> None:
    with pytest.raises(ConfigError, match="criteria"):
        WordNetSource(criteria=tuple(criteria))
