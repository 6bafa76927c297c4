"""The manners that all commands share."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from lexsub.cli import COMMANDS, STATUSES, main, root
from lexsub.experiments.doctor import EXTRAS, extras
from tests import forked
from tests.caches import cache
from tests.conftest import ROOT

NO_RESULTS = {"official", "completion", "serve"}
"""One prints what the Perl script prints, the other a shell's script."""


def leaves(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield from leaves(found, f"{name} {sub}".strip())
    else:
        yield name, command


LEAVES = dict(leaves(root))


def lexsub(
    *arguments: str, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    own = {"PYTHONPATH": str(ROOT)}
    return forked.lexsub(*arguments, cwd=cwd, environment=os.environ | own | environment)


def test_every_command_of_the_table_is_there() -> None:
    assert {name.split()[0] for name in LEAVES} == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(LEAVES))
def test_every_command_has_the_common_options(name: str) -> None:
    command = LEAVES[name]
    parameters = command.get_params(click.Context(command))
    options = {option for parameter in parameters for option in parameter.opts}
    assert {"--quiet", "--plugin"} <= options
    assert ("--json" in options) == (name not in NO_RESULTS)
    assert command.help
    for parameter in parameters:
        if isinstance(parameter, click.Option) and "--data" in parameter.opts:
            assert parameter.help


def test_exit_statuses_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    for code, text in STATUSES.items():
        assert f"{code} {text}" in shown


def test_an_interrupted_call_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lexsub.wordnet.opening.find_place", interrupted)
    with pytest.raises(SystemExit) as stop:
        main(["wordnet", "info"])
    assert stop.value.code == 130
    assert capsys.readouterr().err.strip() == "lexsub: interrupted"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("score", "score: missing argument 'GOLD' (see lexsub score --help)"),
        ("run --workers 0 x", "run: invalid value for '--workers': 0 is not in the range x>=1"),
        ("run --wrokers 2 x", "run: no such option --wrokers; did you mean --workers? (see"),
        ("suggest -z", "suggest: no such option -z (see lexsub suggest --help)"),
        ("suggest a b", "suggest: got unexpected extra argument (b) (see lexsub suggest --help)"),
        ("lm trian", "lm: unknown command 'trian'; did you mean train? (known: "),
        ("run x --workers", "option '--workers' requires an argument"),
        ("--verison", "no such option --verison; did you mean --version? (see lexsub --help)"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(
    call: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(call.split())
    out, err = capsys.readouterr()
    assert (stop.value.code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"lexsub: {told}")


def test_a_group_alone_lists_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["model"])
    assert stop.value.code in (0, 2)  # as click has it
    assert "\n  remove " in "".join(capsys.readouterr())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", shell])
    assert f"_LEXSUB_COMPLETE={shell}_complete" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [("lexsub thes", "plain,thesaurus"), ("lexsub thesaurus nei", "plain,neighbours"),
     ("lexsub score --by", "plain,--by-pos"), ("lexsub nonsense ", "")],
)  # fmt: skip
def test_words_are_completed(words: str, expected: str) -> None:
    place = str(len(words.split(" ")) - 1)
    result = lexsub(COMP_WORDS=words, COMP_CWORD=place, _LEXSUB_COMPLETE="bash_complete")
    assert expected in result.stdout.splitlines() or not expected
    assert result.stderr == ""


def run_on_a_terminal(code: str, go: Path | None = None, **environment: str) -> str:
    """Return what a program shows; ``go`` is made once a bar stands between begin and end."""
    ours, theirs = pty.openpty()
    read: list[bytes] = []

    def drain() -> None:
        # What nobody reads fills the terminal's buffer, and the program would wait for ever.
        with suppress(OSError):  # Linux: nobody writes any more
            while block := os.read(ours, 4096):
                read.append(block)
                if go is not None and ON_THE_WAY.search(b"".join(read)):
                    go.touch()

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **environment}
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, stderr=theirs, check=True, env=environment
        )
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)
    return b"".join(read).decode()


BAR = "from lexsub.progress import track; print(sum(track(range(3), 'counting', 3)))"


def test_bars_show_on_a_terminal_only() -> None:
    shown = run_on_a_terminal(BAR)
    assert "counting" in shown
    assert "3/3" in shown
    assert run_on_a_terminal(BAR, LEXSUB_QUIET="1") == ""
    result = subprocess.run(
        [sys.executable, "-c", BAR], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("3\n", "")


ON_THE_WAY = re.compile(rb"\b[2-9]/10\b")

WORKERS = """
import os, time
from lexsub.parallel import in_blocks
from lexsub.progress import under_way
from lexsub.resources import Resources

def work(entries):
    for entry in entries:
        # The last of each half wait for the bar to be seen, or for ever so long.
        for _ in range(9000):
            if entry % 5 < 2 or os.path.exists(os.environ["GO"]):
                break
            time.sleep(0.1)
    return []

with under_way("outer work"):
    print(in_blocks(work, list(range(10)), Resources(workers=2), "inner work"))
"""


def test_workers_tell_how_far_they_are(tmp_path: Path) -> None:
    go = tmp_path / "go"
    shown = run_on_a_terminal(WORKERS, go, GO=str(go))
    assert "outer work" in shown
    assert ON_THE_WAY.search(shown.encode()), f"no bar on the way: {shown}"
    assert run_on_a_terminal(WORKERS, GO=str(go), LEXSUB_QUIET="1") == ""


def test_quiet_hushes_one_call_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lexsub.progress import is_quiet

    seen = []
    monkeypatch.setattr("lexsub.cli.data.find_source", lambda name: seen.append(is_quiet()))
    for call in (["--quiet"], []):
        with pytest.raises((SystemExit, AttributeError)):
            main(["data", "get", "nowhere", "--to", str(tmp_path), *call])
    assert seen == [True, False]


def test_no_color_is_respected() -> None:
    call = ("doctor", "--missing")
    forced = {"FORCE_COLOR": "1", "LEXSUB_DATA": "", "TERM": "xterm-256color"}
    assert "\x1b[33m" in lexsub(*call, **forced).stdout
    assert "\x1b[33m" not in lexsub(*call, **forced, NO_COLOR="1").stdout


ABANDONED = """
import time
from joblib import Parallel, delayed
from lexsub.errors import LexsubError

def work(results):
    for result in results:
        raise LexsubError("enough of this")

work(Parallel(n_jobs=2, backend="threading", return_as="generator")(
    delayed(time.sleep)(0.01) for n in range(99)))
"""


def test_abandoned_work_is_no_news(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(ABANDONED)
    result = subprocess.run(  # a process of its own from beginning to end
        [sys.executable, "-m", "lexsub", "doctor", "--plugin", "bad.py"], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (2, "lexsub: enough of this\n")


def test_data_from_elsewhere_is_said(data_dir: Path, tmp_path: Path) -> None:
    answers = tmp_path / "a.best"
    answers.write_text("bright.a 1 :: nothing\n")
    call = ("score", "semeval2007/trial", str(answers), "--score-only", "--measures", "best-R")
    result = lexsub(*call, "--data", str(tmp_path), LEXSUB_DATA=str(data_dir))
    place = data_dir / "semeval2007"
    said = f"lexsub: {tmp_path} holds no data set semeval2007; taking it from {place}\n"
    assert result.stderr.startswith(said)
    result = lexsub(*call, "--data", str(data_dir), LEXSUB_DATA="")
    assert "taking it from" not in result.stderr
    result = lexsub(*call, "--data", str(tmp_path / "nowhere"))
    assert result.returncode == 2
    assert "nowhere' does not exist" in result.stderr


def test_doctor_says_what_is_missing_and_the_way(tmp_path: Path) -> None:
    empty = {"LEXSUB_DATA": "", "LEXSUB_CACHE": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    result = lexsub("doctor", "--json", LEXSUB_WORDNET=str(tmp_path / "nowhere"), **empty)
    found = {(one["kind"], one["name"]): one for one in json.loads(result.stdout)}
    assert found["wordnet", "WordNet"]["place"] is None
    assert "comes with lexsub" in found["wordnet", "WordNet"]["get"]
    assert found["data set", "tutorial"]["place"].endswith("tutorial")
    assert found["data set", "semeval2007"]["place"] is None
    assert found["data set", "semeval2007"]["get"] == "lexsub data get semeval2007"
    assert found["extra", "lm"]["place"] == "installed"
    assert found["cache", "cache"]["place"] == str(tmp_path)
    assert found["experiment", "quickstart"]["place"] is None, "it wants WordNet"
    assert found["frequency list", "bnc-lemmas"]["get"].startswith("run 'lexsub data get bnc_freq")
    assert not any(
        "is in none of" in one["get"] for one in found.values() if one["kind"] == "frequency list"
    )
    assert all(one["get"] for one in found.values() if one["place"] is None)
    assert all(one["enables"] for one in found.values())


def nothing_here(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has WordNet, and nothing else."""
    own = str(cache(tmp_path))
    return {"LEXSUB_DATA": "", "LEXSUB_CACHE": own, "XDG_DATA_HOME": str(tmp_path)}


def test_doctor_says_which_experiments_can_run(tmp_path: Path) -> None:
    empty = nothing_here(tmp_path)
    found = {one["name"]: one for one in json.loads(lexsub("doctor", "--json", **empty).stdout)
             if one["kind"] == "experiment"}  # fmt: skip
    assert found["quickstart"]["place"] == "lexsub run quickstart"
    assert found["semeval2007-wordnet"]["place"] is None
    assert found["semeval2007-wordnet"]["get"] == (
        "lexsub data get semeval2007; lexsub data get bnc_frequency"
    )
    (line,) = [line for line in lexsub("doctor", **empty).stdout.splitlines()
               if line.startswith("ready to run: ")]  # fmt: skip
    assert "quickstart" in line
    assert "semeval2007-wordnet" not in line


def test_doctor_tells_digests_and_models(data_dir: Path, tmp_path: Path) -> None:
    import hashlib

    from lexsub.experiments import doctor
    from lexsub.rankers.lm.header import LmHeader, write_header
    from lexsub.resources import Resources

    model = tmp_path / "stages/model/abc"
    model.mkdir(parents=True)
    write_header(model, LmHeader("backoff", 3, "x.arpa", lower=True, language="en", engine="here"))
    folder = tmp_path / "sets"
    folder.mkdir()
    (folder / "semeval2007").symlink_to(data_dir / "semeval2007")
    resources = Resources((folder,), tmp_path)
    rows = [*doctor._data_sets(resources), *doctor._models(resources)]
    found = {(one.kind, one.name): one for one in rows}
    gold = data_dir / "semeval2007/scoring/gold"
    assert hashlib.sha256(gold.read_bytes()).hexdigest()[:12] in (
        found["data set", "semeval2007"].detail
    )
    assert found["model", "language model"].place == str(model)
    assert found["model", "thesaurus"].place is None


def test_doctor_is_brief_unless_asked(tmp_path: Path) -> None:
    from lexsub.rankers.lm.header import LmHeader, write_header

    for number in range(5):
        model = tmp_path / f"cache/stages/model/m{number}"
        model.mkdir(parents=True)
        write_header(model, LmHeader("backoff", 3, "x.arpa", lower=True, language="en", engine="-"))
    empty = nothing_here(tmp_path)
    brief = lexsub("doctor", **empty).stdout
    assert len(brief.splitlines()) < 30
    assert max(len(line) for line in brief.splitlines() if str(tmp_path) not in line) <= 120
    assert "model: 5 of language model\n" in brief
    assert re.search(r"^  lexsub data get semeval2007 +semeval2007$", brief, re.MULTILINE)
    assert re.search(r"^\d+ more that you can bring: lexsub doctor --all$", brief, re.MULTILINE)
    whole = lexsub("doctor", "--all", **empty).stdout
    assert all(f"/m{number}\n" in whole for number in range(5))


def test_every_extra_says_what_it_is_for() -> None:
    assert set(extras()) <= set(EXTRAS)
    assert "duckdb" in extras()["thesaurus"]


def test_no_escape_sequence_of_a_name_or_a_word_reaches_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "[red]a[b]\x1b[31m.best"
    Path(name).write_text("draft.n 101 :: ve\x1b]0;owned\x07rsion[/b]\n")
    Path("b.best").write_text("draft.n 101 :: version\n")
    for call in (
        ["score", "tutorial/test", name], ["compare", "tutorial/test", name, "b.best"],
        ["validate", name, "--gold", "tutorial/test"], ["agreement", name], ["score", name, name],
        ["score", "tutorial/test", name, "--format", "latex"], ["run", name], ["report", name],
    ):  # fmt: skip
        with pytest.raises(SystemExit):
            main(call)
        out, err = capfd.readouterr()
        assert not {"\x1b", "\x07"} & set(out + err), call
        assert "[red]a[b]" in out + err, call


def test_no_escape_sequence_of_a_folders_name_reaches_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").write_text("bright.a 1 :: clever 3;\n")
    (tmp_path / "a\x1b[31m.best").write_text("bright.a 2 :: clever\n")
    (tmp_path / "x.toml").write_text(
        'name = "x"\ndata = "tutorial/test"\n[[systems]]\nname = "s"\nranker = "order"\n'
        'candidates = { name = "wordnet", frequency = "none" }\n'
    )
    for call, said in (
        (["official", "a\x1b[31m.best", "gold"], "lexsub: a\ufffd[31m.best: the official scorer"),
        (["run", "x.toml", "--out", "r\x1b[31m", "--no-page"], "Everything is in r\ufffd[31m:"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "lexsub", *call], capture_output=True, text=True, check=False,
            env=os.environ | {"PYTHONPATH": str(ROOT), "LEXSUB_CACHE": str(cache(tmp_path))},
        )  # fmt: skip
        assert said in done.stdout + done.stderr
