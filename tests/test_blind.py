"""The blind count: what a majority takes, how judges agree, and sentences that are well formed."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.blind import FIELDS, agreement, counted, own_sentences, write_sheet
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.marks import parse_marked
from lexsub.resources import Resources


def test_the_sentences() -> None:
    kinds = Counter(kind for kind, _ in own_sentences())
    assert sum(kinds.values()) - kinds["more"] - kinds["issue"] == 100
    assert kinds["more"] == 30
    texts = [parse_marked(sentence).text for _, sentence in own_sentences()]
    assert len(set(texts)) == len(texts)


def test_kappa_is_that_of_statsmodels() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    verdicts = [[1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0], [1, 1, 1]]
    table = [[3 - sum(row), sum(row)] for row in verdicts]
    agreed, kappa = agreement(verdicts)
    assert kappa == pytest.approx(inter_rater.fleiss_kappa(table))
    assert agreed == pytest.approx((1 / 3 + 1 + 1 + 1 / 3 + 1) / 5)
    assert agreement([[1, 1], [1, 1]]) == (1, 1)


def test_a_sheet_is_judged_and_counted(tmp_path: Path) -> None:
    suggester = open_suggester("suggest", "", Resources())
    lines = [
        ("noun", "He ate a *zyzzxy* there."),
        ("verb", "She *bought* a hat."),
        ("adjective", "A *huge* dog."),
    ]
    out = str(tmp_path / "sheet")
    write_sheet(out, lines, {"one": suggester, "two": suggester}, 0)
    with Path(f"{out}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    # Nothing to judge where nothing was answered; equal answers stand there once.
    assert [row["number"] for row in rows] == ["1", "2"]
    assert not any("one" in value or "two" in value for row in rows for value in row.values())
    key = json.loads((tmp_path / "sheet.key.json").read_text("utf-8"))
    assert {one["kind"] for one in key} == {"noun", "verb", "adjective"}
    assert all(one["models"] == ["one", "two"] for one in key)
    verb = next(one["number"] for one in key if one["kind"] == "verb")
    paths = []
    for judge, good in enumerate([{1, 2}, {verb}, {verb}]):
        path = tmp_path / f"judge{judge}.tsv"
        text = ["\t".join(FIELDS)]
        text += [f"{n}\t{int(n in good)}\t\t" for n in (1, 2)]
        path.write_text("\n".join(text) + "\n", "utf-8")
        paths.append(path)
    lines_out = [line.split() for line in counted(out, paths).splitlines()]
    assert ["verb", "1", "of", "1", "1", "of", "1"] in lines_out
    assert ["noun", "0", "of", "1", "0", "of", "1"] in lines_out
    assert ["all", "1", "of", "3", "1", "of", "3"] in lines_out
    paths[0].write_text("\t".join(FIELDS) + "\n1\tyes\t\t\n", "utf-8")
    with pytest.raises(SystemExit, match=r"judge0\.tsv:2: verdict 'yes'; expected 0 or 1"):
        counted(out, paths)
    paths[0].write_text("\t".join(FIELDS) + "\n1\t1\t\t\n", "utf-8")
    with pytest.raises(SystemExit, match="expected the numbers 1 to 2"):
        counted(out, paths)
