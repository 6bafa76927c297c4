"""Training by blocks and ranges: the very file that one block and one range give."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.corpus.reader import pieces
from lexsub.rankers.lm import counting
from lexsub.rankers.lm import distributed as training
from lexsub.rankers.lm import distributed_jobs as jobs
from lexsub.rankers.lm import training as lm_training
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources

HERE = Path(__file__).parent
VILLAGE = str(HERE / "village.txt")
SMALL = 1.2e-5
"""Gigabytes: some five ranges and blocks."""


def model(
    tmp_path: Path, memory: float, corpus: tuple[str, ...] = (VILLAGE,), **options: Any
) -> bytes:
    settled = {name: options.pop(name) for name in ("workers", "backend") if name in options}
    folder = tmp_path / f"made-{memory}-{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    builder = LanguageModelBuilder(
        corpus, engine="embedded", binary=False, memory=memory, **options
    )
    builder.build(Resources(cache=tmp_path / "cache", **settled), folder)
    header = json.loads((folder / "model.json").read_text())
    return (folder / "model.arpa").read_bytes() + json.dumps(header).encode()


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BLOCK", 30)
    monkeypatch.setattr(lm_training, "pieces", partial(pieces, size=400))


@pytest.mark.parametrize(
    "options",
    [
        {"order": 2},
        {"order": 3},
        {"order": 5},
        {"order": 6, "lower": False},
        {"order": 4, "prune": (0, 0, 1)},
        {"order": 3, "vocabulary": 40},
        {"order": 3, "vocabulary": 40, "prune": (0, 1)},
    ],
)
def test_ranges_and_blocks_change_no_byte(tmp_path: Path, options: dict[str, Any]) -> None:
    assert model(tmp_path, SMALL, **options) == model(tmp_path, 4.0, **options)


def test_ranges_and_blocks_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    whole = training.Training._all

    def noted(self: Any, job: Any, given: Any, *numbers: int) -> Any:
        seen.append((job.__name__, len(given)))
        return whole(self, job, given, *numbers)

    monkeypatch.setattr(training.Training, "_all", noted)
    model(tmp_path, SMALL, order=4)
    assert dict(seen)["number"] > 3
    assert [count > 3 for name, count in seen if name == "merge"] == [True] * 3


SENTENCES = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "<unk>", "x" * 20]), min_size=0, max_size=7),
    min_size=1, max_size=12,
).filter(lambda found: any(found))  # fmt: skip


@given(SENTENCES, st.integers(2, 4), st.sampled_from([(), (0, 0, 1), (0, 1)]), st.integers(0, 3))
@settings(max_examples=8, deadline=None)
def test_any_text(
    tmp_path_factory: pytest.TempPathFactory, text: list[list[str]], order: int,
    prune: tuple[int, ...], vocabulary: int,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("any")
    half = len(text) // 2
    for name, part in (("1.txt", text[:half]), ("2.txt", text[half:])):
        (folder / name).write_text("".join(" ".join(line) + "\n" for line in part))
    options = {"order": order, "prune": prune[:order], "vocabulary": vocabulary,
               "corpus": (str(folder),)}  # fmt: skip
    made = folder / "made"
    made.mkdir()
    assert model(made, 4e-7, **options) == model(made, 4.0, **options)


def test_two_processes_write_the_same(tmp_path: Path) -> None:
    one = model(tmp_path, SMALL, order=4)
    assert model(tmp_path, SMALL, order=4, workers=2, backend="loky") == one


@pytest.mark.parametrize("after", ["tokenise", "merge", "interpolate"])
def test_what_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    whole = model(tmp_path, SMALL, order=3)
    once, done = jobs.do_unless_done, []

    def stopping(plan: Any, name: str, numbers: Any, work: Any) -> Any:
        if len(done) == 3:
            raise KeyboardInterrupt
        if name == after:
            done.append(numbers)
        return once(plan, name, numbers, work)

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "do_unless_done", stopping)
        with pytest.raises(KeyboardInterrupt):
            model(tmp_path, SMALL, order=3)
    again: list[str] = []

    def counting(plan: Any, name: str, numbers: Any, work: Any) -> Any:
        def noted() -> Any:
            again.append(name)
            return work()

        return once(plan, name, numbers, noted)

    monkeypatch.setattr(jobs, "do_unless_done", counting)
    assert model(tmp_path, SMALL, order=3) == whole
    assert after == "tokenise" or "tokenise" not in again
    assert not list((tmp_path / "cache" / "lm").glob("[!.]*"))


@pytest.mark.parametrize("after", ["number", "merge"])
def test_what_was_stopped_goes_on_with_other_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    """Each of two has half of the memory, and would cut other ranges."""
    whole = model(tmp_path, SMALL, order=3)
    run = training.Training._all

    def stopping(self: Any, job: Any, *given: Any) -> Any:
        found = run(self, job, *given)
        if job.__name__ == after:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patch:
        patch.setattr(training.Training, "_all", stopping)
        with pytest.raises(KeyboardInterrupt):
            model(tmp_path, SMALL, order=3)
    assert model(tmp_path, SMALL, order=3, workers=2, backend="loky") == whole


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=40))
def test_rows_are_added_up(grams: list[tuple[int, ...]]) -> None:
    table = np.array(grams, np.int32).reshape(-1, 3)
    found, counts, place = jobs.added(table, np.ones(len(grams), np.int32))
    expected = sorted(set(grams))
    assert [tuple(row) for row in found.tolist()] == expected
    assert counts.tolist() == [grams.count(gram) for gram in expected]
    assert [expected[one] for one in place.tolist()] == grams
    for at, gram in enumerate(expected):
        assert jobs.find_row(found, gram) == at
