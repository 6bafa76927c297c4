"""Other people's folders: what stands in them does not run, or make us wait, unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lexsub.cli import main
from lexsub.errors import LexsubError
from lexsub.experiments.config.reading import find_config, ready_configs
from tests import forked
from tests.caches import cache
from tests.conftest import ROOT

PLUGIN = """\
from dataclasses import dataclass
from pathlib import Path

from lexsub.parts.base import RANKERS
from lexsub.rankers.baselines import Order

Path("ran").touch()


@RANKERS.register("strange")
@dataclass(frozen=True)
class Strange(Order):
    pass
"""

CONFIG = """\
name = "x"
plugins = ["strange.py"]
data = "tutorial/test"
[[systems]]
name = "s"
candidates = { name = "wordnet", frequency = "none" }
ranker = "RANKER"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    (tmp_path / "strange.py").write_text(PLUGIN)
    return tmp_path


@pytest.mark.parametrize("name", ["suggest", "learned", "quickstart"])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_bare_name_is_the_ready_experiment(name: str, kind: str, place: Path) -> None:
    if kind == "file":
        (place / name).write_text(CONFIG)
    else:
        (place / name).mkdir()
    assert find_config(name) == ready_configs()[name]
    assert find_config(f"./{name}") == Path(name)
    assert find_config(f"{name}.toml") == Path(f"{name}.toml")


def test_a_file_without_its_folder_is_told_how(place: Path) -> None:
    (place / "mine").write_text(CONFIG)
    with pytest.raises(LexsubError, match=r"named with its folder: ./mine"):
        find_config("mine")


def test_suggest_takes_no_config_from_the_current_folder(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "suggest").write_text(CONFIG.replace("RANKER", "order"))
    with pytest.raises(SystemExit) as stopped:
        main(["suggest", "A *bright* boy", "-n", "2"])
    assert stopped.value.code == 0, capsys.readouterr().err
    assert not (place / "ran").exists()


def apart(*arguments: str) -> None:
    """Run a command in a process of its own, in the current folder."""
    done = forked.lexsub(*arguments, cwd=Path.cwd(), environment=os.environ)
    assert done.returncode == 0, done.stderr


def test_reading_a_run_imports_no_plugin(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A process of its own makes the run: what it has imported, it has."""
    for ranker in ("order", "strange"):
        (place / "x.toml").write_text(CONFIG.replace("RANKER", ranker))
        apart("run", "x.toml", "--out", ranker, "--no-page")
    (place / "ran").unlink()
    for call in (["report", "order", "--out", "o.html"], ["explain", "order", "101"]):
        with pytest.raises(SystemExit) as stopped:
            main(call)
        assert stopped.value.code == 0, capsys.readouterr().err
    for call in (["report", "strange", "--out", "o.html"], ["explain", "strange", "101"]):
        with pytest.raises(SystemExit) as stopped:
            main(call)
        assert stopped.value.code == 2
        err = capsys.readouterr().err
        assert "unknown ranker 'strange'" in err
        assert f"imports none unless asked to: --plugin {place / 'strange.py'}" in err
    assert not (place / "ran").exists()
    apart("explain", "strange", "101", "--plugin", "strange.py")
    assert (place / "ran").exists()


FUNCTION = """\
from pathlib import Path

Path("ran").touch()


def longest(text, span, substitutes):
    return [len(one) for one in substitutes]
"""


def test_explaining_a_run_calls_no_function(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "f.py").write_text(FUNCTION)
    text = CONFIG.replace('plugins = ["strange.py"]\n', "").replace("RANKER", "f.py:longest")
    (place / "x.toml").write_text(text)
    apart("run", "x.toml", "--out", "run", "--no-page", "--quiet")
    # As somebody else hands it on: the file beside the config, named from there.
    code = place / "run" / "f.py"
    code.write_text(FUNCTION.replace('"ran"', '"ran-again"'))
    config = place / "run" / "config.toml"
    config.write_text(config.read_text().replace(str(place / "f.py"), "f.py"))
    calls = {
        "report": ["report", "run", "--out", "o.html"],
        "plot": ["plot", "run", "--out", "plots", "--kind", "boundary"],
        "boundary": ["boundary", "run", "--tune", "cross-validation", "--resamples", "100"],
        "explain": ["explain", "run", "101"],
    }
    for name, call in calls.items():
        with pytest.raises(SystemExit) as stopped:
            main(call)
        out, err = capsys.readouterr()
        assert stopped.value.code == (2 if name == "explain" else 0), err
        assert not (place / "ran-again").exists()
    assert out == ""
    assert f"run: system s: ranker function, call = '{code}:longest', is code" in err
    assert f"--plugin {code}" in err
    apart(*calls["explain"], "--plugin", str(code))
    assert (place / "ran-again").exists()


CALLED = {"name": "function", "call": "antigravity:geohash"}
NAMING: dict[str, tuple[str, dict[str, Any]]] = {
    "function": ("ranker", CALLED),
    "blend": ("ranker", {"name": "blend", "rankers": ["order", CALLED]}),
    "feature": ("ranker", {"name": "feature", "feature": "score",
                           "family": {"name": "ranker", "ranker": CALLED}}),
    "family": ("family", {"name": "ranker", "ranker": {"name": "blend", "rankers": [CALLED]}}),
    "first": ("family", {"name": "first", "family": {"name": "ranker", "ranker": CALLED}}),
    "first's ranker": ("family", {"name": "first", "family": "form", "ranker": CALLED}),
    "slots": ("family", {"name": "slots", "parser": "antigravity"}),
    "selection": ("family", {"name": "selection", "thesaurus": "t", "parser": "./pipeline"}),
    "lmplz": ("builder", {"name": "lm", "corpus": ["t.txt"], "lmplz": "/bin/false"}),
    "parse": ("candidates", {"name": "thesaurus", "parse": ["t.txt"], "parser": "antigravity"}),
}  # fmt: skip
"""Tables that name code, at every depth."""


@pytest.mark.parametrize("name", NAMING)
def test_what_a_stranger_names_is_refused_before_it_is_opened(name: str, place: Path) -> None:
    from lexsub.parts.base import BUILDERS, FEATURES, RANKERS
    from lexsub.parts.build import build_part
    from lexsub.resources import Resources

    kind, table = NAMING[name]
    registries: dict[str, Any] = {"ranker": RANKERS, "family": FEATURES, "builder": BUILDERS,
                                  "candidates": BUILDERS}  # fmt: skip
    (place / "t.txt").write_text("one line\n")
    (place / "t").mkdir()
    paths = {"slots": place / "t"}
    part: Any = build_part(registries[kind], table, "x")
    for code in ("none", "named"):
        with pytest.raises(LexsubError, match=r" is code(,| outside of lexsub,) and "):
            part.inputs(Resources(data=(), paths=paths, code=code))
    assert Resources(data=()).strange().code == "named"
    assert Resources(data=(), code="none").strange().code == "none"


def test_spacys_own_parsers_are_no_strange_code(place: Path) -> None:
    from lexsub.candidates.distributional.parsed import check_parser
    from lexsub.resources import Resources

    for name in ("en_core_web_sm", "fr_core_news_md", "xx_sent_ud_sm", "en_core_web_trf"):
        check_parser(name, Resources(code="none"))
    for name in ("os", "antigravity", "en_core", "./en_core_web_sm", "en_core_web_sm.py", ""):
        with pytest.raises(LexsubError):
            check_parser(name, Resources(code="none"))


DOORS = {
    # by a name of the program's own, or of the user's environment
    "api": "import_module", "cli.__init__": "import_module",
    "cli.parts": "resolve_name", "parts.registry": "import_module",
    "rankers.contextual.model_files": "__import__",
    # what the user names: --plugin, LEXSUB_PLUGINS, a config's plugins, --scorer, --tagger
    "parts.plugins": "import_module", "experiments.papers.coconut.scorers": "import_module",
    "corpus.tagged": "load",
    # behind Resources.refuse_code
    "candidates.distributional.parsed": "load", "rankers.lm.kenlm": "run",
    # programs of a fixed name
    "experiments.pipeline.runner": "run",
    # what this process itself has written for its workers
    "parallel": "load",
}  # fmt: skip
"""Where code is run that is not imported by a statement, and by what."""


def every_module() -> dict[str, Path]:
    """Return the files of lexsub by the names of their modules."""
    rooms = ("lexsub", "candidates", "rankers", "boundary", "evaluation", "experiments")
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("lexsub."): path
        for room in rooms
        for path in sorted((ROOT / room).rglob("*.py"))
    }


def test_the_doors_to_code_are_known() -> None:
    """A new one belongs behind Resources.refuse_code, or in the list with its reason."""
    import ast

    owners = {"subprocess": {"run", "Popen", "call", "check_call", "check_output"},
              "os": {"system", "popen", "execv", "execvp"}, "spacy": {"load"},
              "pickle": {"load", "loads"}, "joblib": {"load"}, "torch": {"load"},
              "runpy": {"run_path", "run_module"}}  # fmt: skip
    found = {}
    for name, path in every_module().items():
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            match call:
                case ast.Call(func=ast.Name(id="eval" | "exec" as function)):
                    found[name] = function
                case ast.Call(func=ast.Name("import_module" | "__import__"), args=[ast.Constant()]):
                    pass
                case ast.Call(
                    func=ast.Name("import_module" | "__import__" | "resolve_name" as function)
                ):
                    found[name] = function
                case ast.Call(func=ast.Attribute(ast.Name(owner), function)):
                    if function in owners.get(owner, ()):
                        found[name] = function
    assert found == DOORS


PIPED = {
    "score": ["score", "gold", "pipe"],
    "gold": ["score", "pipe", "s.best"],
    "official": ["official", "pipe", "gold"],
    "validate": ["validate", "pipe", "--task", "best"],
    "convert": ["convert", "pipe", "x.oot"],
    "run": ["run", "./pipe"],
    "corpus": ["lm", "train", "pipe", "-o", "m"],
    "agreement": ["agreement", "pipe"],
    "sentences": ["suggest", "-f", "pipe"],
    "archive": ["data", "get", "semeval2007", "--from", "pipe", "--to", "x"],
    "text": ["thesaurus", "build", "--text", "pipe", "-o", "m"],
    "relations": ["thesaurus", "build", "--relations", "pipe", "-o", "m"],
    "vectors": ["vectors", "convert", "pipe", "-o", "m"],
    "overlap": ["corpus", "overlap", "pipe", "tutorial/test"],
    "model": ["model", "import", "pipe"],
}
ENDLESS = {"a named pipe": None, "a device": "/dev/zero"}


@pytest.mark.parametrize("what", ENDLESS)
@pytest.mark.parametrize("name", PIPED)
def test_what_never_ends_is_refused(
    name: str, what: str, place: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Nobody writes to a pipe, and a device has no end: whoever read it would never be done."""
    monkeypatch.setattr("lexsub.models.user_data", lambda: place / "user")
    device = ENDLESS[what]
    if device is None:
        os.mkfifo(place / "pipe")
    else:
        (place / "pipe").symlink_to(device)
    (place / "gold").write_text("bright.a 1 :: clever 3;\n")
    (place / "s.best").write_text("bright.a 1 :: clever\n")
    with pytest.raises(SystemExit) as stopped:
        main(PIPED[name])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert f"pipe: is {what}; expected a file" in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_terminal_is_refused_and_a_shells_pipe_read() -> None:
    import pty

    from lexsub.errors import FileProblemError
    from lexsub.storage.files import read_text

    ours, theirs = pty.openpty()
    with pytest.raises(FileProblemError, match="is a terminal; expected a file"):
        read_text(Path(os.ttyname(theirs)))
    os.close(theirs)
    os.close(ours)
    reading, writing = os.pipe()
    os.write(writing, b"bright")
    os.close(writing)
    assert read_text(Path(f"/dev/fd/{reading}")) == "bright"
    os.close(reading)
    assert read_text(Path("/dev/null")) == ""


@pytest.mark.parametrize(
    "call",
    [["parts", "--plugin", "loop.py"], ["parts", "--plugin", "loop/x.py"], ["run", "plugin.toml"],
     ["run", "ranker.toml"], ["explain", "loop", "101"], ["run", "x.toml", "--out", "loop/x"],
     ["lm", "train", "loop", "-o", "m"],
     ["suggest", "A *bright* boy", "--config", "./loop"]],
    ids=" ".join,
)  # fmt: skip
def test_links_that_go_round_in_a_circle(
    call: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for link, to in (("loop.py", "loop.py"), ("loop", "other"), ("other", "loop")):
        (place / link).symlink_to(to)
    (place / "x.toml").write_text(CONFIG.replace('"strange.py"', "").replace("RANKER", "order"))
    (place / "plugin.toml").write_text(CONFIG.replace("strange.py", "loop.py"))
    (place / "ranker.toml").write_text(
        CONFIG.replace('"strange.py"', "").replace("RANKER", "loop.py:rank")
    )
    with pytest.raises(SystemExit) as stopped:
        main(call)
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "loop" in err


def test_folders_behind_such_links_hold_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "loop").symlink_to("loop")
    for name in ("LEXSUB_DATA", "HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(place / "loop"))
    monkeypatch.setenv("LEXSUB_PLUGINS", "")
    with pytest.raises(SystemExit) as stopped:
        main(["suggest", "A *bright* boy", "-n", "2"])
    assert stopped.value.code == 0, capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main(["model", "use", "english"])
    assert stopped.value.code == 2
    assert "model.txt: cannot be written" in capsys.readouterr().err


def test_paths_are_resolved_in_one_way() -> None:
    """Path.resolve raises at links that go round in a circle, by version in another way."""
    users = {name for name, path in every_module().items() if ".resolve()" in path.read_text()}
    # Of our own files.
    assert users <= {"experiments.pipeline.runner"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_a_terminal_cannot_show_is_escaped(encoding: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    found = [
        subprocess.run([sys.executable, "-m", "lexsub", "parts", *options],
                       env=environment, check=True, capture_output=True).stdout.decode(encoding)
        for options in ((), ("--json",))
    ]  # fmt: skip
    sign = "\N{GREEK SMALL LETTER ALPHA}"
    assert [sign in text for text in found] == [encoding == "utf-8"] * 2
    assert all("\\u03b1" in text for text in found) == (encoding != "utf-8")
    assert sign in json.dumps(json.loads(found[1]), ensure_ascii=False)


def test_signs_are_escaped_as_json_has_them() -> None:
    from lexsub.cli.streams import ESCAPED

    for text in ("caf\xe9", "\N{GRINNING FACE}", "\udc80", 'a"b'):
        for encoding in ("ascii", "latin-1"):
            shown = text.encode(encoding, ESCAPED).decode(encoding)
            assert json.loads(json.dumps(text, ensure_ascii=False).encode(encoding, ESCAPED)
                              .decode(encoding)) == text  # fmt: skip
            assert shown == text or "\\u" in shown


def test_without_a_cache_sources_are_read_directly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in the place of the cache folder: nothing can be written, as on a full disk."""
    (tmp_path / "cache").write_text("")
    monkeypatch.chdir(tmp_path)
    shown = []
    for folder in (cache(tmp_path, "kept"), tmp_path / "cache"):
        monkeypatch.setenv("LEXSUB_CACHE", str(folder))
        for call in (["suggest", "A *bright* boy", "-n", "3"], ["wordnet", "show", "bright.a"]):
            with pytest.raises(SystemExit) as stopped:
                main(call)
            out, err = capsys.readouterr()
            assert stopped.value.code == 0, err
            shown.append(out)
    assert shown[:2] == shown[2:]


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%b", "a%20b", "a b"])
def test_any_folder_can_be_the_cache(name: str, tmp_path: Path) -> None:
    from lexsub.candidates.thesaurus_index import open_index
    from lexsub.frequency.index import open_counts
    from lexsub.storage.indexes import connect

    thesaurus = tmp_path / "t.tsv"
    thesaurus.write_text("bright.a\tclever\n")
    cache = tmp_path / name / "cache"
    for _ in range(2):
        (entry,) = open_index(thesaurus, "tsv", cache).entries("bright")
        assert entry.substitutes == ("clever",)
    counts = open_counts(thesaurus, read_one, cache)
    assert counts.get("bright", 0) == 1
    (index,) = (cache / "frequency").iterdir()
    assert connect(index).execute("SELECT * FROM counts").fetchall() == [("bright", 1)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "t.tsv"])


def read_one(text: str, path: Path) -> dict[str, int]:
    return {text.split(".")[0]: 1}
