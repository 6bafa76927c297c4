"""Parts of one's own: found from outside the tree, sent to workers, named when they fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lexsub.cli.parts import KINDS as LISTED
from lexsub.cli.parts import registry_of
from lexsub.parts.catalogue import CATALOGUE
from lexsub.parts.registry import Registry
from tests import forked
from tests.caches import cache
from tests.conftest import ROOT

RANKER = '''
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.datasets import Item
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.parts.base import RANKERS, Ranker, Scorer


@RANKERS.register("NAME")
@dataclass(frozen=True)
class Shortest(Ranker, Scorer):
    """Shorter words first."""

    sign: int = -1
    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        return ()

    def open(self, resources: Resources, data: Dataset) -> "Shortest":
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [self.sign * len(c.substitute) for c in candidates]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        return {"letters": [len(c.substitute) for c in candidates]}
'''
MEASURE = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lexsub.evaluation.measure import Measure
from lexsub.evaluation.measure import MEASURES


@MEASURES.register("answered")
@dataclass(frozen=True)
class Answered(Measure):
    """Share of the items that have an answer."""

    name: ClassVar[str] = "answered"
    reads: ClassVar[str] = "best"
    reference: ClassVar[str] = "here"

    def statistics(self, sheet):
        n = len(sheet.gold.ids)
        return np.stack([sheet.attempted.astype(float), np.ones(n)], axis=1)
'''
CONFIG = """
name = "mine"
data = "tutorial/test"
plugins = ["shortest.py"]
[[systems]]
name = "short"
candidates = { name = "gold-pool", gold = "tutorial/test" }
ranker = "shortest"
"""


def lexsub(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lexsub", *arguments],
        cwd=cwd, env=variables(cwd, environment), capture_output=True, text=True, check=False,
    )  # fmt: skip


def variables(cwd: Path, given: dict[str, str]) -> dict[str, str]:
    own = {"LEXSUB_CACHE": str(cache(cwd))}
    own["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [given.pop("PATHS", "")])])
    return {**os.environ, **own, **given}


def told(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Ask what a call says, in a process that need not import everything anew."""
    return forked.lexsub(*arguments, cwd=cwd, environment=variables(cwd, environment))


def test_a_config_names_a_file_and_workers_get_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there/shortest.py").write_text(RANKER.replace("NAME", "shortest"))
    (tmp_path / "there/mine.toml").write_text(CONFIG)
    run = ("run", "there/mine.toml", "--out", "out", "--allow-oracle")
    result = lexsub(*run, "--workers", "2", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    for line in (tmp_path / "out/rankings/short.jsonl").read_text().splitlines():
        words = json.loads(line)["substitutes"]
        assert [len(w) for w in words] == sorted(len(w) for w in words)
    # Looking at a run imports its plugin only where the call names it.
    rows = map(json.loads, (tmp_path / "out/rankings/short.jsonl").read_text().splitlines())
    item = next(row["id"] for row in rows if row["substitutes"])
    assert told("explain", "out", item, cwd=tmp_path).returncode == 2
    result = told("explain", "out", item, "--plugin", "there/shortest.py", cwd=tmp_path)
    assert "letters" in result.stdout, result.stderr
    # A changed plugin is a changed stage.
    (tmp_path / "there/shortest.py").write_text(
        RANKER.replace("NAME", "shortest").replace("self.sign *", "2 * self.sign *")
    )
    result = told(*run, "--verbose", cwd=tmp_path)
    assert "rankings   short: reused" not in result.stderr
    assert "rankings   short: " in result.stderr


@pytest.mark.parametrize("way", ["option", "variable", "entry point"])
def test_a_measure_is_found(tmp_path: Path, way: str) -> None:
    (tmp_path / "gold").write_text("calm.a 1 :: still 3;quiet 2;\ncalm.a 2 :: still 2;mild 2;\n")
    (tmp_path / "a.best").write_text("calm.a 1 :: still\n")
    place = tmp_path / "site"
    place.mkdir()
    (place / "my_measures.py").write_text(MEASURE)
    call = ["score", "gold", "a.best", "--measures", "answered", "--score-only"]
    environment = {}
    if way == "option":
        call += ["--plugin", "site/my_measures.py"]
    elif way == "variable":
        environment["LEXSUB_PLUGINS"] = str(place / "my_measures.py")
    else:
        info = place / "my_measures-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-measures\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[lexsub.parts]\nmine = my_measures\n")
        environment["PATHS"] = str(place)
    ask = lexsub if way == "entry point" else told
    result = ask(*call, cwd=tmp_path, **environment)
    assert (result.stdout, result.stderr) == ("50.00\n", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RANKER.replace("NAME", "random"), "there is another ranker 'random'; choose another name"),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero"),
        ("import nowhere_at_all", "cannot be imported: No module named 'nowhere_at_all'"),
        (None, "no such file; expected a plugin"),
    ],
)
def test_a_bad_plugin_is_named_in_one_line(tmp_path: Path, text: str | None, expected: str) -> None:
    if text is not None:
        (tmp_path / "bad.py").write_text(text)
    config = CONFIG.replace("shortest.py", "bad.py").replace('"shortest"', '"order"')
    (tmp_path / "mine.toml").write_text(config)
    result = told("run", "mine.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "bad.py" in result.stderr
    assert expected in result.stderr


def test_an_unknown_module_is_named(tmp_path: Path) -> None:
    call = ("score", "--plugin", "no_such_module", "--list")
    result = told(*call, cwd=tmp_path)
    assert result.returncode == 2
    assert "plugin no_such_module: no such module" in result.stderr


GOOD = RANKER.replace("NAME", "shortest")
SLIPS = {
    "needs_gold": (
        GOOD.replace("    needs_gold: ClassVar[bool] = False\n", ""),
        "ranker 'shortest': Shortest has no needs_gold (see docs/how-to/ranker.md)",
    ),
    "kind": (
        GOOD.replace("(Ranker, Scorer)", ""),
        "ranker 'shortest': Shortest is no Ranker; write class Shortest(Ranker) "
        "(see docs/how-to/ranker.md)",
    ),
    "open and needs_gold": (
        GOOD.replace("    needs_gold: ", "    needs: ").replace("def open", "def opens"),
        "Shortest has no needs_gold and no open",
    ),
    "no scorer": (
        GOOD.replace("(Ranker, Scorer)", "(Ranker)"),
        "what its open returns (a Shortest) is no Scorer with a method scores; expected",
    ),
    "dataclass": (
        GOOD.replace("@dataclass(frozen=True)\n", ""),
        "Shortest is no dataclass; write @dataclass(frozen=True)",
    ),
    "scores": (
        GOOD.replace("def scores", "def score"),
        "ranker 'shortest': Shortest has no scores (see docs/how-to/ranker.md)",
    ),
    "scores of a scorer": (
        GOOD.replace("return self\n", "return type('Own', (Scorer,), {})()\n"),
        "Own has no scores (see docs/how-to/ranker.md)",
    ),
    "too few scores": (
        GOOD.replace("for c in candidates]\n\n", "for c in candidates][1:]\n\n"),
        "its scores of item 101 are 12, its candidates 13; expected one number a candidate",
    ),
    "no list": (
        GOOD.replace("return [self.sign * len(c.substitute) for c in candidates]", "return 1.5"),
        "its scores of item 101 are 1.5; expected one number",
    ),
    "NaN": (
        GOOD.replace("self.sign * len(c.substitute)", "float('nan')"),
        "system short: ranker Shortest gives candidate 'breeze' of item 101 the score nan; "
        "expected a number",
    ),
    "None": (GOOD.replace("self.sign * len(c.substitute)", "None"), "the score None; expected"),
    "too few parts": (
        GOOD.replace("candidates]}", "candidates][1:]}"),
        "its parts 'letters' of item 101 are 12, its candidates 13",
    ),
    "parts no mapping": (
        GOOD.replace('{"letters": [len(c.substitute) for c in candidates]}', "[1.0]"),
        "its parts of item 101 are a list; expected a mapping",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_ranker_is_one_line(tmp_path: Path, slip: str) -> None:
    text, expected = SLIPS[slip]
    assert text != GOOD
    (tmp_path / "shortest.py").write_text(text)
    (tmp_path / "mine.toml").write_text(CONFIG)
    result = told("run", "mine.toml", "--quiet", "--allow-oracle", cwd=tmp_path)
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert expected in result.stderr
    assert not list(tmp_path.glob("runs/mine/rankings/*")) or "parts" in slip


MEASURE_SLIPS = {
    "reads": (('reads: ClassVar[str] = "best"', "other = 1"), "Answered has no reads"),
    "no such list": (('"best"', '"oott"'), "reads 'oott'; expected one of best, oot, mw, ranking"),
    "name": (('str] = "answered"', 'str] = "answer"'), "calls itself 'answer'"),
    "dataclass": (("@dataclass(frozen=True)\n", ""), "Answered is no dataclass; write"),
    "base": (("Answered(Measure)", "Answered"), "is no subclass of evaluation.measure.Measure"),
    "statistics": (("def statistics", "def statistic"), "has no figures and no statistics"),
    "criteria": (
        ("    def ", '    criteria: ClassVar = ("scord",)\n\n    def '), "did you mean scored?"
    ),
    "unit": (("    def ", '    unit: ClassVar[str] = "per"\n\n    def '), "expected '%' or '1'"),
    "shape": (
        ("axis=1)", "axis=0)"),
        "measure answered: its statistics have the shape (2, 2, 1); expected (2, columns)",
    ),
    "one column": (("return np.stack([sheet.attempted.astype(float), np.ones(n)], axis=1)",
                    "return np.ones((n, 1))"), "shape (2, 1); expected"),
    "vector": (("return np.stack([sheet.attempted.astype(float), np.ones(n)], axis=1)",
                "return np.ones(n)"), "shape (2,); expected"),
}  # fmt: skip


@pytest.mark.parametrize("slip", MEASURE_SLIPS)
def test_a_slip_in_a_measure_is_one_line(tmp_path: Path, slip: str) -> None:
    (old, new), expected = MEASURE_SLIPS[slip]
    text = MEASURE.replace(old, new)
    assert text != MEASURE
    if slip == "shape":
        text = text.replace("(float)", "(float)[:, None]").replace("ones(n)", "ones((n, 1))")
    (tmp_path / "gold").write_text("calm.a 1 :: still 3;quiet 2;\ncalm.a 2 :: still 2;mild 2;\n")
    (tmp_path / "a.best").write_text("calm.a 1 :: still\n")
    (tmp_path / "mine.py").write_text(text)
    call = ("score", "gold", "a.best", "--measures", "answered", "--plugin", "mine.py")
    result = told(*call, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert expected in result.stderr


def test_a_list_knows_plugins_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MEASURE)
    before = told("score", "--plugin", "mine.py", "--list", cwd=tmp_path)
    behind = told("score", "--list", "--plugin", "mine.py", cwd=tmp_path)
    assert "\nanswered\n" in before.stdout
    assert behind.stdout == before.stdout


def test_a_plugin_that_is_not_there_is_the_only_fault(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(CONFIG)
    result = told("run", "mine.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        f"lexsub: mine.toml: plugins: {tmp_path}/shortest.py: no such file; expected a plugin: "
        "a Python file or a module"
    ]


def test_a_name_imports_its_own_module_alone() -> None:
    code = (
        "import sys; from lexsub.parts.base import BOUNDARIES as B; part = B['top-n'];"
        "print(B.name_of(part), 'nothing' in B, len(B) == len(list(B)) > 5,"
        "      'lexsub.boundary.oracle' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.split() == ["top-n", "False", "True", "False"], result.stderr


IN_A_NOTEBOOK = """
import os, sys
from pathlib import Path
from joblib.externals.loky import get_reusable_executor
import lexsub, lexsub.parts.plugins

length, asks, other, function = (Path(name).resolve() for name in sys.argv[1:])
os.environ["LEXSUB_PLUGINS"] = str(other)
lexsub.rank("tutorial/test", "order", workers=2)
os.chdir(function.parent)  # from where a worker looks, too, whoever started it
lexsub.rank("tutorial/test", f"{function.name}:score", workers=2)
for plugin in (length, asks):
    lexsub.parts.plugins.load(str(plugin))

def answers(ranker):
    return [one.top(9) for one in lexsub.rank("tutorial/test", ranker, workers=2)]

assert "not-needed" in lexsub.RANKERS
first = answers("by-length")
for gone in (other, function):
    gone.unlink()
# What the work needs is found by name, in workers older than the plugin; what an earlier call had
# loaded need not be there any more.
assert answers("asks-another") == first
for gone in (length, asks):
    gone.unlink()
get_reusable_executor().shutdown()  # so idle workers end
assert len(answers("frequency")) == len(first)
print("done")
"""


def test_workers_load_no_plugin_that_their_work_does_not_need(tmp_path: Path) -> None:
    asking = "__import__('lexsub').RANKERS['by-length']().scores(item, candidates)"
    texts = {
        "length.py": RANKER.replace("NAME", "by-length"),
        "asks.py": RANKER.replace("NAME", "asks-another").replace(
            "[self.sign * len(c.substitute) for c in candidates]", asking
        ),
        "other.py": RANKER.replace("NAME", "not-needed"),
        "elsewhere/function.py": "def score(text, span, found):\n    return [0 for _ in found]\n",
    }
    (tmp_path / "elsewhere").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    result = subprocess.run(
        [sys.executable, "-c", IN_A_NOTEBOOK, *texts], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"LEXSUB_CACHE": str(cache(tmp_path)), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert result.stdout == "done\n", result.stderr[-2000:]


KINDS = [registry_of(kind) for kind in LISTED]


@pytest.mark.parametrize("registry", KINDS, ids=lambda registry: registry.kind)
def test_every_name_of_the_catalogue_leads_to_a_whole_part(registry: Registry[Any]) -> None:
    assert registry.catalogue is CATALOGUE[registry.kind]
    for name in registry.catalogue:
        part = registry[name]
        assert registry.check is None or registry.check(name, part) == ""
        assert not isinstance(part, type) or registry.name_of(part) == name


def test_every_kind_of_the_catalogue_is_listed() -> None:
    assert sorted(CATALOGUE) == sorted(registry.kind for registry in KINDS)
