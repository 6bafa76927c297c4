"""The blind count: what a majority takes, how judges agree, and sentences that are well formed."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import augmentation
from benchmarks.blind import FIELDS, agreement, counted, own_sentences, write_sheet
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.marked_sentences import parse_marked
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


def test_changed_sentences_are_counted_by_question(tmp_path: Path) -> None:
    pytest.importorskip("statsmodels")
    from statsmodels.stats.proportion import proportion_confint

    out = str(tmp_path / "sheet")
    systems = {
        "big": lambda text, n: [text.upper()][:n],
        "small": lambda text, n: [text + "!"] if "the" in text else [],
    }
    augmentation.write_sheet(out, systems, n=4, seed=1)
    key = json.loads((tmp_path / "sheet.key.json").read_text())
    lines = (tmp_path / "sheet.tsv").read_text().splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert Counter(one["system"] for one in key) == {"big": 4, "small": 4}
    assert [row["changed"] for row in rows] == [one["changed"] for one in key]
    paths = [tmp_path / f"judge{number}" for number in range(3)]
    for number, path in enumerate(paths):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, augmentation.FIELDS, delimiter="\t")
            writer.writeheader()
            for row in rows:
                shouted = row["changed"].isupper()
                verdicts = {"grammatical": int(not shouted), "same": int(number > 0)}
                writer.writerow({**row, **verdicts})
    told = [line.split() for line in augmentation.counted(out, paths).splitlines()]
    low, high = proportion_confint(0, 4, method="wilson")
    none, some = f"0 of 4 [{low:.2f}, {high:.2f}]", f"4 of 4 [{1 - high:.2f}, 1.00]"
    assert told[1] == ["grammatical", *none.split(), *some.split()]
    assert told[2] == ["same", *some.split(), *some.split()]
    assert told[3] == ["both", *none.split(), *some.split()]
    assert told[4][-1] == "1.00"
    assert "33.3" in told[5]
    paths[0].write_text("number\tgrammatical\tsame\n1\t1\t2\n")
    with pytest.raises(SystemExit, match="same '2'; expected 0 or 1"):
        augmentation.counted(out, paths)


def test_no_document_gives_two_sentences_to_learn_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(augmentation, "POOL", 3)
    monkeypatch.setattr(augmentation, "TESTED", 4)
    line = "{} {} is one of the many words of this"
    texts = ["\n".join(line.format(n, m) for m in range(3)) + "\ntoo short\n" for n in range(8)]
    (tmp_path / "made.txt").write_text("\n".join(texts))
    train, test = augmentation.sentences_of(tmp_path, "made")
    assert (len(train), len(test)) == (3, 4)
    assert len({text.split()[0] for text in train + test}) == 7
    mean = augmentation.told([1.0] * 5 + [3.0] * 5)
    assert mean == "2.0 [1.2, 2.8]"  # 2.262 * sqrt(10 / 9) / sqrt(10)
