"""Experiments built on others: the same as if written out; faults name file and key."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from lexsub.errors import ConfigError, FileProblemError
from lexsub.experiments.config.derived import build_on
from lexsub.experiments.config.reading import read_experiment, read_table, ready_configs

BASE = """
name = "base"
title = "The base"
data = "tutorial/test"
tuning = "tutorial/trial"
measures = ["GAP"]

[notes]
all = ["of the base"]

[resources]
text = "text"

[[tables]]
name = "first"
title = "first answers"
measures = "P@1"

[[comparisons]]
name = "both"
title = "both"
systems = ["a", "b"]
measures = "best-P"

[models.bow]
kind = "bow"
corpus = ["text"]
minimum = 3

[models.other]
same_as = "bow"
window = 7

[[systems]]
name = "a"
candidates = { name = "wordnet", criteria = [1, 2] }

[[systems]]
name = "b"
ranker = "random"
candidates = { same_as = "a" }
oot = { name = "top-n", n = 5 }
"""

CHANGED = """
based_on = "./base.toml"
without = ["tuning", "comparisons", "systems.a", "models.other.minimum", "models.bow"]
name = "x"

[notes]
best = ["of x"]

[resources]
more = "more"

[[tables]]
name = "first"
measures = "P@3"

[[tables]]
name = "second"
title = "second"
measures = "coverage-R"

[models.other]
window = 9
more.corpus = ["more"]

[models.new]
same_as = "other"
window = 2

[[systems]]
name = "c"
candidates = "wordnet"

[[systems]]
name = "b"
oot = { name = "top-n", n = 3 }
"""

WRITTEN = """
name = "x"
title = "The base"
data = "tutorial/test"
measures = ["GAP"]

[notes]
all = ["of the base"]
best = ["of x"]

[resources]
text = "text"
more = "more"

[[tables]]
name = "first"
title = "first answers"
measures = "P@3"

[[tables]]
name = "second"
title = "second"
measures = "coverage-R"

[models.other]
kind = "bow"
corpus = ["text", "more"]
window = 9

[models.new]
kind = "bow"
corpus = ["text", "more"]
window = 2

[[systems]]
name = "c"
candidates = "wordnet"

[[systems]]
name = "b"
ranker = "random"
candidates = { name = "wordnet", criteria = [1, 2] }
oot = { name = "top-n", n = 3 }
"""


def placed(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder


def test_as_if_written_out(tmp_path: Path) -> None:
    folder = placed(tmp_path, base=BASE, short=CHANGED, written=WRITTEN)
    short, written = (read_experiment(folder / f"{name}.toml") for name in ("short", "written"))
    assert short.resolved() == written.resolved()
    assert list(short.models) == list(written.models)
    assert (short.systems, short.models) == (written.systems, written.models)


@pytest.mark.parametrize("name", sorted(ready_configs()))
def test_with_nothing_changed_it_is_the_base(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.toml").write_text(f'based_on = "{name}"\n')
    base = read_experiment(ready_configs()[name])
    if base.table.resources or base.table.plugins:
        base = base.resolved()["systems"]
        assert read_experiment(tmp_path / "x.toml").resolved()["systems"] == base
    else:
        assert read_experiment(tmp_path / "x.toml").resolved() == base.resolved()


NAMES = st.lists(st.sampled_from(["a", "a.b", "b", "b.c", "c"]), unique=True, max_size=4)


@given(NAMES, NAMES, NAMES)
def test_what_is_left_stands_first_and_the_file_s_own_in_its_order(
    base: list[str], own: list[str], out: list[str]
) -> None:
    def tables(names: list[str], **more: int) -> list[dict[str, object]]:
        return [{"name": name, **more} for name in names]

    out = [name for name in out if name in base]
    table = {
        "based_on": "x",
        "without": [f"{key}.{name}" for key in ("systems", "models") for name in out],
        "systems": tables(own, new=2),
        "models": {name: {"new": 2} for name in own},
    }
    given = {
        "systems": tables(base, old=1, new=1),
        "models": {name: {"kind": "bow", "new": 1} for name in base},
    }
    before = repr(given)
    merged = build_on(given, table)
    left = [name for name in base if name not in out]
    order = [*(name for name in left if name not in own), *own]
    assert [one["name"] for one in merged["systems"]] == order
    assert list(merged["models"]) == order
    for one in merged["systems"]:
        assert one.get("old") == (1 if one["name"] in left else None)
        assert one["new"] == (2 if one["name"] in own else 1)
    assert repr(given) == before


def test_a_base_elsewhere_keeps_its_own_folder(tmp_path: Path) -> None:
    there = placed(tmp_path / "there", base='plugins = ["part.py"]\n' + BASE)
    (there / "part.py").write_text("")
    (there / "text").mkdir()
    here = placed(tmp_path / "here", x='based_on = "../there/base.toml"\nplugins = ["mine.py"]\n')
    (here / "mine.py").write_text("")
    experiment = read_experiment(here / "x.toml")
    assert experiment.table.plugins == (str(there / "part.py"), str(here / "mine.py"))
    assert experiment.table.resources == {"text": str(there / "text")}


def test_a_chain_of_three(tmp_path: Path) -> None:
    folder = placed(
        tmp_path, base=BASE, two='based_on = "./base.toml"\nwithout = ["systems.a", "comparisons"]',
        three='based_on = "./two.toml"\nsystems = [{ name = "b", ranker = "order" }]',
    )  # fmt: skip
    (system,) = read_experiment(folder / "three.toml").systems
    assert (system.name, repr(system.ranker)) == ("b", "Order()")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('based_on = "lerned"', "x.toml: based_on: unknown experiment 'lerned'; did you mean"),
        ("based_on = 7", "x.toml: based_on: found 7; expected"),
        ('based_on = "learned"\nwithout = 7', "x.toml: without: found 7; expected"),
        ('based_on = "./x.toml"', "x.toml: based_on: goes round in a circle: "),
        ('based_on = "./y.toml"', "y.toml: based_on: goes round in a circle: "),
        ('based_on = "./base.toml"\nwithout = ["systems.aa"]',
         "x.toml: without: 'systems.aa': no 'aa' in the experiment built on; did you mean a?"),
        ('based_on = "./base.toml"\nwithout = ["title.x"]',
         "x.toml: without: 'title.x': no 'x' in the experiment built on (known: none)"),
        ('based_on = "./base.toml"\nmodels.bow.more.minimum = [1]',
         "x.toml: models.bow.more: 'minimum'; expected lists of the 'bow' built on"),
        ('based_on = "./base.toml"\nwithout = ["systems.a"]',
         "x.toml: comparisons[0].systems[0]: no system 'a'"),
        ('based_on = "./base.toml"\nbasedon = "y"', "x.toml: basedon: unknown key"),
        ('based_on = "./bad.toml"\nseeds = 1', "bad.toml: sed: unknown key"),
        ('based_on = "./base.toml"\nsystems = 7', "x.toml: systems: found 7"),
        ('based_on = "./base.toml"\nplugins = ["\\u0000.py"]', "x.toml: plugins[0]: found"),
        ('based_on = "./in/base.toml"', "in/base.toml: plugins[0]: found"),
        ('based_on = "./in/../x.toml"', "x.toml: based_on: goes round in a circle: "),
    ],
)  # fmt: skip
def test_faults_name_file_and_key(tmp_path: Path, text: str, problem: str) -> None:
    folder = placed(tmp_path, base=BASE, x=text, y='based_on = "./x.toml"', bad="sed = 1\n" + BASE)
    placed(tmp_path / "in", base='plugins = ["\\u0000.py"]\n' + BASE)
    with pytest.raises(ConfigError) as caught:
        read_experiment(folder / "x.toml")
    start = f"{folder}/{problem}"
    assert any(line.startswith(start) for line in caught.value.problems), caught.value.problems


def test_a_base_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileProblemError, match=r"none\.toml: no such file"):
        read_table(placed(tmp_path, x='based_on = "./none.toml"') / "x.toml")


def test_the_merged_table_is_whole_by_itself(tmp_path: Path) -> None:
    merged = read_table(placed(tmp_path, base=BASE, x=CHANGED) / "x.toml")
    assert "based_on" not in merged
    assert "without" not in merged
    (tmp_path / "base.toml").unlink()
    (tmp_path / "x.toml").write_text(tomli_w.dumps(merged))
    again = read_experiment(tmp_path / "x.toml")
    (tmp_path / "written.toml").write_text(WRITTEN)
    assert again.resolved() == read_experiment(tmp_path / "written.toml").resolved()
    assert tomllib.loads(tomli_w.dumps(again.resolved()))["name"] == "x"
