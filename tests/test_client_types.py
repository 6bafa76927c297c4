"""What mypy, in strict mode, sees of the public names from somebody else's project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import lexsub.api
from tests.checkouts import WITH_LINKS
from tests.conftest import ROOT

# Mentions that hide nothing: numpy's shapes, and the tables of a config (what TOML can say).
HARMLESS = ("numpy.ndarray[tuple[Any, ...],", "typing.Mapping[str, Any]")

CLIENT = """\
# mypy: disallow-any-expr
import lexsub

data = lexsub.load("tutorial/test")


def shortest(sentence: str, span: tuple[int, int], substitutes: list[str]) -> list[float]:
    return [-float(len(substitute)) for substitute in substitutes]


rankings = lexsub.rank(data, shortest)
answers = {"mine": rankings, "theirs": lexsub.read_output("theirs.oot")}
scores = lexsub.evaluate(data.gold, answers, "best oot")
value: float = next(iter(scores)).value
holm: list[float] = [row.holm_p for row in lexsub.compare(data.gold, answers, "best-R").rows]
frame = scores.to_pandas()
suggester = lexsub.open_suggester("suggest")
forms: list[str] = [one.form for one in suggester("A *bright* boy.").best]
for answer in suggester.pipe(["A *bright* boy."], n=1):
    print(answer.text, answer.best[0].sentence)
result = lexsub.run("mine.toml", "runs/mine")
recall: list[float] = [one.figures["best-R"].value for one in result.scores]
"""


@WITH_LINKS
def test_a_strict_client_sees_no_any(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(CLIENT)
    names = lexsub.api.__all__
    lines = ["import lexsub", *(f"reveal_type(lexsub.{name})" for name in names)]
    (tmp_path / "names.py").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache"),
         "client.py", "names.py"], cwd=tmp_path,
        env=os.environ | {"MYPYPATH": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Success: no issues found" in done.stdout, done.stdout + done.stderr
    shown = re.findall(r':(\d+): note: Revealed type is "(.*)"', done.stdout)
    assert len(shown) == len(names)
    vague = set()
    for line, text in shown:
        for one in HARMLESS:
            text = text.replace(one, "")
        if re.search(r"\bAny\b", text):
            vague.add(names[int(line) - 2])
    # Its functions take numbers and arrays of them alike, which no type says.
    assert vague == {"Formula"}
