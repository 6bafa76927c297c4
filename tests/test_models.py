"""Models as one thing: built, checked, handed on, asked."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import lexsub
from lexsub.cli import main
from lexsub.errors import FormatError, LexsubError, MissingResourceError, UnknownNameError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.packing.archives import export_model, import_model
from lexsub.experiments.packing.building import build_model
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.suggestions.sentences import UNSURE
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.models import find_model, open_model, preferred_model, remove_model
from lexsub.parts.base import FEATURES
from lexsub.parts.build import labelled_parts
from lexsub.rankers.learned.matrix import Columns
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import write_text
from tests.tiny_wordnet import write_tiny

RECIPE = """\
name = "Tiny"
title = "A tiny model"
data = "tutorial/test"
tuning = "tutorial/trial"
measures = ["GAP"]

[card]
name = "tiny"
about = "Made for the tests"
licence = "CC0"
sources = [{ name = "nothing", licence = "CC0" }]
licences = ["mine.txt"]

[resources]
wordnet = "wordnet"
ukwac = "counts.txt"
ours = "moby.txt"

[models.learned]
kind = "learned"
data = ["tutorial/trial"]
folds = 2
features = [
  { name = "frequency", lists = ["ukwac", "semcor"] }, "form", "wordnet",
  { name = "votes", file = "ours", format = "moby" },
]

[[systems]]
name = "tiny"
ranker = "learned"
oot = "expected-f"
candidates = { name = "union", sources = [
  { name = "wordnet", frequency = "semcor" },
  { name = "thesaurus-file", file = "ours", format = "moby", frequency = "ukwac" },
] }
"""

MOBY = """\
bright,clever,shiny,dim,vivid,smart,brilliant
match,game,equal,light,contest,fit,rival,dog
note,message,tone,bill,letter,pitch,animal
strike,hit,ring,walk out,occur to,bark
serve,provide,function,do,act,treat,bay
keen,sharp,enthusiastic,avid,eager,dim
closely,carefully,nearly,tightly,brightly
charge,fee,child,attack,control,goose
spell,charm,period,magic,stint,beast
edge,border,side,lead,margin,dog
branch,limb,office,field,side,animal
issue,question,edition,child,matter,release
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recipe, what it names, and the model made of it."""
    return prepared(tmp_path_factory.mktemp("models"))


def prepared(folder: Path, recipe: str = RECIPE) -> Path:
    write_tiny(folder / "wordnet")
    words = sorted({word for word in MOBY.replace("\n", ",").split(",") if word})
    (folder / "counts.txt").write_text(
        "".join(f"{word}\t{place}\n" for place, word in enumerate(words, start=7))
    )
    (folder / "moby.txt").write_text(MOBY)
    (folder / "mine.txt").write_text("Do what you like.\n")
    (folder / "recipe.toml").write_text(recipe)
    resources = Resources(cache=folder / "cache", data=())
    build_model(str(folder / "recipe.toml"), folder / "tiny", resources, run=folder / "run")
    return folder


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A place for the user's own models that is empty."""
    monkeypatch.setattr("lexsub.models.user_data", lambda: tmp_path / "user")
    monkeypatch.setattr("lexsub.models.SHIPPED", tmp_path / "shipped")
    return tmp_path / "user" / "models"


def every_file(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_same_inputs_give_the_same_bytes(place: Path, tmp_path: Path) -> None:
    assert every_file(prepared(tmp_path) / "tiny") == every_file(place / "tiny")


def test_a_finished_run_gives_the_same_model(place: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    places = {"wordnet": place / "wordnet", "ukwac": place / "counts.txt",
              "ours": place / "moby.txt"}  # fmt: skip
    (place / "run" / "mine.txt").write_bytes((place / "mine.txt").read_bytes())
    resources = Resources(cache=place / "cache", data=(), paths=places)
    build_model(str(place / "run"), again, resources)
    first, second = every_file(place / "tiny"), every_file(again)
    differ = {name for name in first if first[name] != second[name]}
    assert first.keys() == second.keys()
    assert differ == {"model.json", "digests.json"}  # the command that made it


def test_what_it_says_of_itself(place: Path) -> None:
    model = open_model(place / "tiny")
    assert model.name == "tiny"
    assert model.card.command == "lexsub model build recipe.toml"
    assert model.card.trained["learned"]["data"].keys() == {"tutorial/trial"}
    assert {"ours", "ukwac", "wordnet/data.noun"} <= model.card.inputs.keys()
    assert "best-P" in {one.measure for one in model.card.figures}
    assert str(place) not in json.dumps(every_file(place / "tiny")["model.json"].decode())
    names = every_file(place / "tiny")
    assert names["licences/mine.txt"] == b"Do what you like.\n"
    assert b"made up for tests" in names["licences/WordNet.txt"]
    assert "models/learned/fold-0.model" not in names


def test_it_needs_nothing_but_itself(place: Path, tmp_path: Path, own: Path) -> None:
    kept = shutil.copytree(place / "tiny", own / "tiny")
    config = place / "recipe.toml"
    trained = open_suggester(str(config), "", Resources(cache=place / "cache", data=()))
    alone = open_suggester("", "", Resources(cache=tmp_path / "empty", data=()), "tiny")
    assert alone.model is not None
    assert alone.model.folder == kept
    asked = "A *bright* boy."
    wanted = [(one.form, one.score) for one in trained(asked, n=8)]
    assert [(one.form, one.score) for one in alone(asked, n=8)] == wanted
    assert len(wanted) > 3
    piped = [[one.form for one in found] for found in alone.pipe([asked] * 3, n=8, workers=2)]
    assert piped == [[form for form, _ in wanted]] * 3
    assert not list((tmp_path / "empty").glob("wordnet/*"))


def test_every_byte_counts(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place / "tiny", tmp_path / "model")
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        whole = path.read_bytes()
        step = 1 if path.name == "digests.json" and path.parent == folder else len(whole) // 7 + 1
        for at in {*range(0, len(whole), step), len(whole) - 1}:
            for change in (1, 0x2A):
                path.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
                with pytest.raises(LexsubError) as caught:
                    open_model(folder)
                assert "\n" not in str(caught.value)
                assert "model" in str(caught.value)
        path.write_bytes(whole)
        open_model(folder)
        path.unlink()
        with pytest.raises(LexsubError):
            open_model(folder)
        path.write_bytes(whole)


def test_another_version_is_refused_with_the_way_out(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place / "tiny", tmp_path / "model")
    header = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(header | {"version": 2}))
    seal(folder, whole=True)
    with pytest.raises(FormatError, match=r"version 2; expected .* version 1: take a model that"):
        open_model(folder)
    (folder / "model.json").write_text(json.dumps(header))
    seal(folder, whole=True)
    index = folder / "resources" / "ours"
    raw = bytearray(index.read_bytes())
    raw[63] ^= 1  # the layout: big-endian at 60..63 of SQLite's header
    index.write_bytes(raw)
    seal(folder, whole=True)
    with pytest.raises(FormatError, match=r"layout \d+; .* build the model again"):
        open_suggester("", "", Resources(cache=tmp_path, data=()), str(folder))


def test_there_and_back(place: Path, tmp_path: Path, own: Path) -> None:
    model = open_model(place / "tiny")
    for name in ("one.zip", "two.zip"):
        export_model(model, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    taken = import_model(tmp_path / "one.zip")
    assert taken.folder == own / "tiny"
    assert every_file(taken.folder) == every_file(model.folder)
    assert import_model(tmp_path / "one.zip") == taken
    shutil.copytree(place / "tiny", tmp_path / "tiny")
    (tmp_path / "tiny/recipe.toml").write_text("# another\n")
    seal(tmp_path / "tiny", whole=True)
    export_model(open_model(tmp_path / "tiny"), tmp_path / "other.zip")
    with pytest.raises(LexsubError, match=r"another model .* \(lexsub model remove tiny\)"):
        import_model(tmp_path / "other.zip")
    assert [path.name for path in own.iterdir()] == ["tiny"]


def changed(model: Path, place: Path, *, header: str = "", **config: Any) -> Path:
    """Copy a model, whole by its digests, with another name or other tables of its config."""
    folder = shutil.copytree(model, place)
    table = tomllib.loads((folder / "config.toml").read_text())
    table["systems"][0] |= config.pop("system", {})
    (folder / "config.toml").write_text(tomli_w.dumps(table | config))
    if header:
        told = json.loads((folder / "model.json").read_text())
        (folder / "model.json").write_text(json.dumps(told | {"name": header}))
    seal(folder, whole=True)
    return folder


def archived(folder: Path) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in every_file(folder).items():
            archive.writestr(name, data)
    return path


FUNCTION = {"name": "function", "call": "{place}/code.py:rank"}
NAMING_CODE: dict[str, dict[str, Any]] = {
    "ranker": {"system": {"ranker": FUNCTION}},
    "blend": {"system": {"ranker": {"name": "blend", "rankers": ["learned", FUNCTION]}}},
    "plugins": {"plugins": ["{place}/code.py"]},
    "outside": {"resources": {"wordnet": "../../elsewhere"}},
    "from the root": {"resources": {"wordnet": "/etc"}},
}


@pytest.mark.parametrize("kind", [*NAMING_CODE, "learned"])
def test_a_model_names_no_code(kind: str, place: Path, tmp_path: Path, own: Path) -> None:
    (tmp_path / "code.py").write_text("raise SystemExit('it ran')\n")
    given = json.loads(json.dumps(NAMING_CODE.get(kind, {})).replace("{place}", str(tmp_path)))
    folder = changed(place / "tiny", tmp_path / "model", **given)
    if kind == "learned":
        learned = folder / "models" / "learned"
        header = json.loads((learned / "learned.json").read_text())
        call = {"name": "function", "call": f"{tmp_path}/code.py:rank"}
        header["families"].append({"name": "ranker", "ranker": call})
        header["columns"] = Columns.of(labelled_parts(FEATURES, header["families"], "")).names
        (learned / "learned.json").write_text(json.dumps(header))
        seal(learned)
        seal(folder, whole=True)
    problem = "outside of the model" if kind in ("outside", "from the root") else "can name no"
    with pytest.raises(LexsubError, match=problem):
        open_suggester("", "", Resources(cache=tmp_path, data=()), str(folder))
    with pytest.raises(LexsubError, match=problem) as caught:
        import_model(archived(folder))
    assert str(own) not in str(caught.value)
    assert list(own.iterdir()) == []


def test_the_shipped_models_name_is_not_taken(
    place: Path, tmp_path: Path, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(place / "tiny", tmp_path / "shipped" / "english")
    archive = archived(changed(place / "tiny", tmp_path / "given", header="english"))
    for call in (["model", "import"], ["model", "use"]):
        with pytest.raises(SystemExit) as stopped:
            main([*call, str(archive)])
        assert stopped.value.code == 2
        assert "'english', as the model that comes with lexsub" in capsys.readouterr().err
    assert list(own.iterdir()) == []
    with pytest.raises(SystemExit) as stopped:
        main(["model", "import", str(archive), "--name", "../english"])
    assert (stopped.value.code, (own.parent / "english").exists()) == (2, False)
    taken = import_model(archive, "theirs")
    assert (taken.folder, taken.name) == (own / "theirs", "english")
    assert preferred_model() == "english"
    assert open_model(find_model("english")).folder == tmp_path / "shipped" / "english"


@pytest.mark.parametrize("name", ["../outside", "a/b", "", ".hidden", "A", "x" * 200])
def test_a_models_name_is_that_of_a_folder(
    name: str, place: Path, tmp_path: Path, own: Path
) -> None:
    folder = changed(place / "tiny", tmp_path / "model")
    told = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(told | {"name": name}))
    seal(folder, whole=True)
    with pytest.raises(LexsubError, match="name"):
        import_model(archived(folder))
    assert not (tmp_path / "user" / "outside").exists()
    assert list(own.iterdir()) == []


def hostile(kind: str, model: Path, path: Path) -> None:
    if kind == "no archive":
        path.write_text("nothing of the sort")
    elif kind == "cut short":
        export_model(open_model(model), path)
        path.write_bytes(path.read_bytes()[:-300])
    elif kind in ("link", "hard link"):
        with tarfile.open(path, "w") as archive:
            archive.add(model, ".")
            link = tarfile.TarInfo("resources/more")
            link.type = tarfile.SYMTYPE if kind == "link" else tarfile.LNKTYPE
            link.linkname = "/etc/passwd"
            archive.addfile(link)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in every_file(model).items():
                if kind == "changed" and name == "config.toml":
                    data = data.replace(b"tutorial", b"totarial")
                if not (kind == "no header" and name == "model.json"):
                    archive.writestr(name, data)
            if kind in ("../outside", "/outside", "a/../../outside"):
                archive.writestr(kind, b"x")


@pytest.mark.parametrize(
    "kind",
    ["no archive", "cut short", "link", "hard link", "changed", "no header", "../outside",
     "/outside", "a/../../outside"],
)  # fmt: skip
def test_hostile_archives(kind: str, place: Path, tmp_path: Path, own: Path) -> None:
    path = tmp_path / "given.zip"
    hostile(kind, place / "tiny", path)
    with pytest.raises(LexsubError) as caught:
        import_model(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert list(own.iterdir()) == []
    assert not (tmp_path / "outside").exists()
    assert not (own.parent / "outside").exists()


def test_commands(
    place: Path, tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def called(*arguments: str) -> tuple[str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        assert ended.value.code == 0, err
        return out, err

    monkeypatch.chdir(tmp_path)
    assert "no model has a name" in called("model", "list")[0]
    assert "tiny.zip: " in called("model", "export", str(place / "tiny"))[0]
    there = called("model", "export", str(place / "tiny"), "-o", "memory://models/tiny.zip")
    assert there[0].startswith("memory://models/tiny.zip: ")
    assert "tiny answers from now on" in called("model", "use", "tiny.zip")[0]
    assert "tiny *" in called("model", "list")[0]
    assert "CC0" in called("model", "info", "tiny")[0]
    (listed,) = json.loads(called("model", "list", "--json")[0])
    assert listed["default"]
    out, err = called("suggest", "A *bright* boy.")
    assert err.startswith("model tiny")
    assert "clever" in out
    assert "config suggest" not in err
    called("model", "use", "default")
    assert preferred_model() == ""
    called("model", "use", str(place / "tiny"))
    assert preferred_model() == str(place / "tiny")
    record = json.loads(called("suggest", "A *bright* boy.", "--json")[0])
    assert (record["model"], record["system"]) == ("tiny", "tiny")
    assert lexsub.open_suggester(model="tiny").model is not None
    called("model", "use", "tiny")
    assert called("model", "remove", "tiny")[0].endswith("; no model answers from now on\n")
    assert (preferred_model(), [one.name for one in own.glob("*/")]) == ("", [])


def test_only_models_of_ones_own_are_removed(
    place: Path, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("lexsub.models.SHIPPED", place)
    for name in ("tiny", "../own", str(place / "tiny"), "."):
        with pytest.raises(LexsubError, match=r"comes with lexsub|unknown model"):
            remove_model(name)
    (own / "broken").mkdir(parents=True)  # what cannot be opened can be removed
    remove_model("broken")
    (own / "linked").symlink_to(place / "tiny")
    remove_model("linked")
    assert [*own.glob("*/")] == []
    assert open_model(place / "tiny").name == "tiny"


def test_names_and_folders(place: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    with pytest.raises(LexsubError, match=r"a folder is named \./tiny"):
        find_model("tiny")
    with pytest.raises(UnknownNameError):
        find_model("teeny")
    assert open_model(find_model("./tiny")).name == "tiny"
    with pytest.raises(LexsubError, match="no model here"):
        open_model(find_model("./nothing"))


def test_a_run_can_name_it(place: Path, tmp_path: Path, own: Path) -> None:
    shutil.copytree(place / "tiny", own / "tiny")
    system = {"name": "tiny", "candidates": {"name": "model", "model": "tiny"},
              "ranker": {"name": "learned", "model": "tiny"}}  # fmt: skip
    table = {"name": "asked", "data": "tutorial/test", "systems": [system]}
    resources = Resources(cache=tmp_path / "cache", data=())
    result = run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    first = json.loads((place / "run" / "scores.json").read_text())["systems"][0]["figures"]
    figures = {one["measure"]: one["value"] for one in first}
    assert result.scores[0].figures["best-P"].value == figures["best-P"]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["resources"]["model tiny"]["digest"] == open_model(own / "tiny").digest
    keys = {stage["stage"]: stage["key"] for stage in manifest["stages"]}
    # Another model of that name is another stage.
    header = json.loads((own / "tiny" / "model.json").read_text())
    header["card"]["about"] = "another"
    (own / "tiny" / "model.json").write_text(json.dumps(header))
    seal(own / "tiny", whole=True)
    run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    again = {stage["stage"]: stage["key"] for stage in manifest["stages"]}
    assert keys["candidates"] != again["candidates"]
    assert keys["rankings"] != again["rankings"]
    # What it was trained on is no test of it.
    trained = make_experiment(table | {"data": "tutorial/trial"}, tmp_path)
    with pytest.raises(LexsubError, match="was trained on tutorial/trial"):
        run_experiment(trained, tmp_path / "run", resources)


def test_what_cannot_be_handed_on(place: Path, tmp_path: Path) -> None:
    table = {"name": "x", "data": "tutorial/test", "systems": [
        {"name": "a", "candidates": "wordnet"}, {"name": "b", "candidates": "wordnet"},
    ]}  # fmt: skip
    resources = Resources(cache=place / "cache", data=(), paths={"wordnet": place / "wordnet"})
    run_experiment(make_experiment(table, tmp_path), tmp_path / "run", resources)
    with pytest.raises(LexsubError, match=r"2 systems; .* \(a, b\)"):
        build_model(str(tmp_path / "run"), tmp_path / "model", resources)
    made = build_model(str(tmp_path / "run"), tmp_path / "model", resources, system="b")
    assert (made.name, made.card.trained) == ("x", {})
    with pytest.raises(LexsubError, match="is there already"):
        build_model(str(tmp_path / "run"), tmp_path / "model", resources, system="b")
    gold = {"name": "g", "data": "tutorial/test",
            "systems": [{"name": "a", "candidates": "wordnet", "ranker": "oracle"}]}  # fmt: skip
    run_experiment(make_experiment(gold, tmp_path), tmp_path / "gold", replace(resources))
    with pytest.raises(LexsubError, match="looks at the gold"):
        build_model(str(tmp_path / "gold"), tmp_path / "other", resources)
    assert not (tmp_path / "other").exists()


def test_a_boundary_is_what_it_was(place: Path) -> None:
    broken = io.StringIO((place / "tiny" / "boundary.json").read_text())
    from lexsub.boundary.expected_f import ExpectedF

    kept = json.load(broken)
    part = ExpectedF()
    assert part.kept(part.again(kept)) == kept
    for wrong in ({}, kept | {"weights": kept["weights"][1:]}, kept | {"groups": []},
                  kept | {"sizes": [kept["sizes"][0]]}, kept | {"bias": None}):  # fmt: skip
        with pytest.raises((KeyError, TypeError, ValueError)):
            part.again(wrong)


def test_answers_are_cut_and_doubted(place: Path, tmp_path: Path) -> None:
    suggester = open_suggester("", "", Resources(cache=tmp_path, data=()), str(place / "tiny"))
    assert suggester.boundary is not None
    for sentence in ("A *bright* boy.", "They *strike* it.", "Mind the *edge*."):
        cut, every = suggester(sentence), suggester(sentence, n=99)
        assert 1 <= len(cut) <= min(8, every.candidates)
        assert [one.form for one in cut] == [one.form for one in every][: len(cut)]
        chances = [one.chance for one in every if one.chance is not None]
        # What reads as the target, or as no word of its kind, is not shown.
        assert len(chances) == min(10, len(every))
        assert all(0 <= chance <= 1 for chance in chances)
        # Shown chances fall with the order, so the first may be shown above its own.
        assert cut.unsure or chances[0] >= UNSURE


def test_what_speaks_for_it(place: Path, tmp_path: Path) -> None:
    suggester = open_suggester("", "", Resources(cache=tmp_path, data=()), str(place / "tiny"))
    found = {one.substitute: one for one in suggester("A *bright* boy.", n=99, explain=True)}
    assert any("WordNet" in reason for reason in found["shiny"].reasons)
    assert found["clever"].parts
    assert not suggester("A *bright* boy.").best[0].reasons


def test_wordnet_without_glosses_says_the_same(tmp_path: Path) -> None:
    from lexsub.datasets import Item, Lexelt
    from lexsub.rankers.learned.features.wordnet import WordNetFeatures
    from lexsub.rankings import Candidate
    from lexsub.wordnet import open_wordnet
    from lexsub.wordnet.opening import licence, write_packed

    whole = Resources(cache=tmp_path, paths={"wordnet": write_tiny(tmp_path / "tiny")})
    write_packed(whole, tmp_path / "packed")
    packed = Resources(cache=tmp_path / "none", paths={"wordnet": tmp_path / "packed"})
    here, there = open_wordnet(whole), open_wordnet(packed)
    assert not (tmp_path / "none").exists()
    assert list(here.all_words()) == list(there.all_words())
    for one, other in zip(here.all_synsets(), there.all_synsets(), strict=True):
        assert (one.words, one.pointers, one.kind) == (other.words, other.pointers, other.kind)
        assert here.gloss(one)
        with pytest.raises(MissingResourceError, match="without the text of its glosses"):
            there.gloss(other)
    candidates = [Candidate(word) for word, _ in here.all_words()]
    for lemma, pos in here.all_words():
        text = f"The sound of a {lemma} with much light."
        item = Item("1", Lexelt(lemma, pos, pos), text, 15, 15 + len(lemma))
        values = [WordNetFeatures().open(one).values(item, candidates) for one in (whole, packed)]
        assert values[0].tobytes() == values[1].tobytes()
    assert "made up for tests" in licence(whole)
    assert licence(packed) == ""
    write_text(tmp_path / "model/licences/WordNet.txt", licence(whole))
    write_packed(packed, tmp_path / "model/resources/wordnet")
    of_model = Resources(paths={"wordnet": tmp_path / "model/resources/wordnet"})
    assert licence(of_model) == licence(whole)
