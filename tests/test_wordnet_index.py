"""The index over a tiny WordNet: what it answers, when it is built, what it refuses."""

from __future__ import annotations

import io
import os
import pickle
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lexsub.errors import FileProblemError, FormatError, UnknownNameError
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, describe, open_wordnet, opening, related_words
from lexsub.wordnet.build import build_index
from lexsub.wordnet.model import relation_symbols
from lexsub.wordnet.opening import read_files, rebuild
from tests.conftest import ROOT
from tests.tiny_wordnet import TINY, tar_tiny, write_tiny, zip_tiny


def resources(path: Path, cache: Path) -> Resources:
    return Resources(paths={"wordnet": path}, cache=cache)


@pytest.fixture
def tiny(tmp_path: Path) -> WordNet:
    return open_wordnet(resources(write_tiny(tmp_path / "dict"), tmp_path / "cache"))


def test_synsets_have_all_their_parts(tiny: WordNet) -> None:
    (dog,) = tiny.synsets("dog", "n")
    assert [word.lemma for word in dog.words] == ["dog", "domestic_dog"]
    assert [word.text for word in dog.words] == ["dog", "domestic dog"]
    assert [word.tagged for word in dog.words] == [42, 0]
    assert tiny.gloss(dog) == 'a barking thing; "one dog"; "two dogs"'
    assert tiny.lexname(dog) == "tiny.5"
    assert tiny.name(dog) == "dog.n.01"
    (bark,) = tiny.synsets("bark", "v")
    assert [word.frames for word in bark.words] == [(2,), (2, 8)]
    assert (bark.kind, bark.pos) == ("v", "v")


def test_satellites_are_adjectives_and_keep_marker_and_count(tiny: WordNet) -> None:
    shiny, bright = tiny.synsets("bright", "a")
    assert (shiny.kind, shiny.pos, bright.kind) == ("s", "a", "a")
    assert [word.marked for word in shiny.words] == ["shiny", "agleam(p)"]
    assert [word.tagged for word in shiny.words] == [3, 0]
    assert tiny.name(bright) == "bright.a.02"


def test_words_are_found_however_they_are_written(tiny: WordNet) -> None:
    assert tiny.synsets("Domestic Dog", "n") == tiny.synsets("domestic_dog", "n") != []
    assert tiny.synsets("march", "n")[0].words[0].lemma == "March"
    assert tiny.synsets("dog", "v") == []
    assert tiny.knows("dog")
    assert not tiny.knows("dog", "v")
    assert tiny.multiwords() == {"domestic_dog": "n"}
    assert tiny.count("shiny", "a") == 3
    with pytest.raises(KeyError):
        tiny.synset(99)


def test_relations(tiny: WordNet) -> None:
    animal, dog = tiny.synsets("animal", "n")[0], tiny.synsets("dog", "n")[0]
    assert tiny.related(dog, "hypernyms") == [animal]
    assert [tiny.name(each) for each in tiny.related(dog, "co-hyponyms")] == ["goose.n.01"]
    with pytest.raises(UnknownNameError, match="did you mean hypernyms"):
        tiny.related(dog, "hypernym")


def test_relations_between_words_start_from_the_word_that_is_meant(tiny: WordNet) -> None:
    bark = tiny.synsets("bark", "v")[0]
    derivations = relation_symbols("derivations")
    assert [w.text for _, w in related_words(tiny, bark, derivations, "bark")] == ["dog"]
    assert list(related_words(tiny, bark, derivations, "bay")) == []


def test_morphy(tiny: WordNet) -> None:
    assert tiny.morphy("geese") == "goose"
    assert tiny.morphy("Domestic dogs", "n") == "domestic_dog"
    assert tiny.base_forms("barking", "v") == ("bark",)
    assert tiny.morphy("gooses", "v") is None


def test_walking_the_whole_database(tiny: WordNet) -> None:
    assert [synset.kind for synset in tiny.all_synsets()] == list("nnnnvasar")
    assert [synset.offset for synset in tiny.all_synsets("a")] == [100, 200, 300]
    assert ("bright", "a") in set(tiny.all_words())
    assert {pos for _, pos in tiny.all_words("v")} == {"v"}


def test_carriage_returns_make_no_difference(tmp_path: Path) -> None:
    def content(ends: str) -> list[str]:
        folder = write_tiny(tmp_path / repr(ends), ends=ends)
        database = sqlite3.connect(":memory:")
        database.deserialize(build_index(read_files(folder), folder))
        lines = [line for line in database.iterdump() if "'digest'" not in line]
        database.close()
        return lines

    assert content("\r\n") == content("\n")


@pytest.mark.parametrize(
    ("without", "source", "tagged"),
    [
        ((), "cntlist.rev", 42),
        (("cntlist.rev",), "index.sense", 7),
        (("cntlist.rev", "index.sense"), "none", 0),
    ],
)
def test_counts_come_from_what_there_is(
    tmp_path: Path, without: tuple[str, ...], source: str, tagged: int
) -> None:
    place = resources(write_tiny(tmp_path / "dict", without=without), tmp_path / "cache")
    assert describe(place).counts == source
    assert open_wordnet(place).count("dog", "n") == tagged


def test_lexicographer_files_are_known_without_lexnames(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "dict", without=("lexnames", "index.sense", "noun.exc"))
    wordnet = open_wordnet(resources(folder, tmp_path / "cache"))
    assert wordnet.lexname(wordnet.synsets("dog", "n")[0]) == "noun.animal"
    assert wordnet.morphy("geese") is None


def test_archives_are_read_as_they_are(tmp_path: Path) -> None:
    folder = describe(resources(write_tiny(tmp_path / "dict"), tmp_path / "cache"))
    zipped = describe(resources(zip_tiny(tmp_path / "wordnet.zip"), tmp_path / "cache"))
    assert zipped.sha256 == folder.sha256
    two = tar_tiny(tmp_path / "two.tar.gz", "x/data/wordnet-3.3", "x/data/wordnet-3.0")
    assert describe(resources(two, tmp_path / "cache")).version == "3.0"


def test_the_digest_is_what_sha256sum_prints(tmp_path: Path) -> None:
    import hashlib

    folder = write_tiny(tmp_path / "dict")
    used = sorted(name for name in TINY if name != "index.sense")
    lines = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}\n" for n in used]
    edition = describe(resources(folder, tmp_path / "cache"))
    assert edition.sha256 == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert (edition.version, edition.path) == ("9.9", str(folder))


def test_changed_files_get_an_index_of_their_own(tmp_path: Path) -> None:
    place = resources(write_tiny(tmp_path / "dict"), tmp_path / "cache")
    first = describe(place)
    write_tiny(tmp_path / "dict", cntlist_rev="dog%1:05:00:: 1 5000\n")
    second = describe(place)
    assert first.sha256 != second.sha256
    assert open_wordnet(place).count("dog", "n") == 5000


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0 and then nothing", None])
def test_a_damaged_or_missing_index_is_built_again(tmp_path: Path, damage: bytes | None) -> None:
    place = resources(write_tiny(tmp_path / "dict"), tmp_path / "cache")
    index = Path(describe(place).index)
    whole = index.read_bytes()
    assert open_wordnet(place) is open_wordnet(place)
    if damage is None:
        index.unlink()
    else:
        index.write_bytes(damage)
    assert open_wordnet(place).count("dog", "n") == 42
    assert index.read_bytes() == whole == Path(rebuild(place).index).read_bytes()


def test_many_processes_at_once_leave_one_whole_index(tmp_path: Path) -> None:
    folder, cache = write_tiny(tmp_path / "dict"), tmp_path / "cache"
    script = (
        "from lexsub.resources import Resources; from lexsub.wordnet import open_wordnet;"
        "print(open_wordnet(Resources()).count('dog', 'n'))"
    )
    environment = os.environ | {"LEXSUB_WORDNET": str(folder), "LEXSUB_CACHE": str(cache)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script], cwd=ROOT, env=environment, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in running] == [b"42"] * 4
    kinds = sorted(path.suffix for path in (cache / "wordnet").iterdir())
    assert kinds == [".sqlite"]


def test_it_pickles_as_its_path(tiny: WordNet) -> None:
    again = pickle.loads(pickle.dumps(tiny))
    assert again.synsets("dog", "n") == tiny.synsets("dog", "n")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"data_noun": TINY["data.noun"] + "00000500 05 n 09 cat 0 000 | short\n"}, "data.noun:7"),
        ({"data_noun": TINY["data.noun"] + "00000500 05 n 01 cat 0 000\n"}, "data.noun:7"),
        ({"data_adj": TINY["data.adj"].replace(" a 01 dim", " q 01 dim")}, "data.adj:5"),
        ({"index_verb": "bark v 2 1 + 1 0 00000100\n"}, "index.verb:1"),
        ({"index_verb": "bark v 1 1 + 1 0 00000777\n"}, "index.verb:1.*00000777"),
        ({"index_adv": "brightly\n"}, "index.adv:1"),
        ({"data_verb": TINY["data.verb"].replace("+ 00000200", "+ 00000999")}, "00000999"),
        ({"data_verb": "caf\udce9"}, "data.verb:1"),
        ({"data_verb": TINY["data.verb"] + TINY["data.verb"]}, "data.verb:6.*stands twice"),
        ({"cntlist_rev": "dog%1:05:00:: 1 42\ndog%1:05:01::\n"}, "cntlist.rev:2"),
        ({"lexnames": "00\tadj.all\t3\n02\tadv.all\t4\n"}, "lexnames:2"),
    ],
)
def test_files_of_another_shape_are_named_with_the_line(
    tmp_path: Path, changed: dict[str, str], place: str
) -> None:
    broken = changed.pop("data_verb") if "\udce9" in changed.get("data_verb", "") else None
    folder = write_tiny(tmp_path / "dict", **changed)
    if broken is not None:
        (folder / "data.verb").write_bytes(b"caf\xe9")
    with pytest.raises(FormatError, match=place):
        open_wordnet(resources(folder, tmp_path / "cache"))
    assert not any(path.is_file() for path in (tmp_path / "cache").rglob("*"))


def test_a_folder_that_lacks_a_file(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "dict", without=("data.verb", "index.adj"))
    with pytest.raises(FormatError, match=r"lacks data\.verb, index\.adj"):
        open_wordnet(resources(folder, tmp_path / "cache"))


def test_archives_that_are_none_or_damaged(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no archive")
    with pytest.raises(FormatError, match="neither a folder nor a zip"):
        open_wordnet(resources(text, tmp_path / "cache"))
    empty = tar_tiny(tmp_path / "empty.tar.gz")
    with pytest.raises(FormatError, match="holds no WordNet"):
        open_wordnet(resources(empty, tmp_path / "cache"))
    whole = tar_tiny(tmp_path / "cut.tar.gz", "wordnet-3.0")
    whole.write_bytes(whole.read_bytes()[:-400])
    with pytest.raises(FormatError, match="damaged"):
        open_wordnet(resources(whole, tmp_path / "cache"))


def test_an_index_damaged_inside_is_named_with_the_way_out(tmp_path: Path) -> None:
    place = resources(write_tiny(tmp_path / "dict"), tmp_path / "cache")
    index = Path(describe(place).index)
    pages = bytearray(index.read_bytes())
    [root] = sqlite3.connect(index).execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'words'"
    )
    size = int.from_bytes(pages[16:18], "big")
    pages[(root[0] - 1) * size : root[0] * size] = b"\xff" * size
    index.write_bytes(pages)
    wordnet = open_wordnet(place)
    for look in (lambda: wordnet.count("dog", "n"), wordnet.multiwords):
        with pytest.raises(FileProblemError, match=r"sqlite: .*damaged .*'lexsub wordnet build'"):
            look()
    rebuild(place)
    assert open_wordnet(place).count("dog", "n") == 42


def test_bombs_are_refused_and_other_folders_never_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in TINY.items():
            archive.writestr(f"wordnet/{name}", text)
        for number in range(20):
            archive.writestr(f"x{number}/data.noun", b"\0" * (1 << 20))
    read = []
    monkeypatch.setattr(
        zipfile.ZipFile, "open", lambda self, entry: read.append(entry.filename) or io.BytesIO()
    )
    read_files(bomb)
    assert {name.partition("/")[0] for name in read} == {"wordnet"}
    monkeypatch.undo()
    monkeypatch.setattr(opening, "_LARGEST", 1 << 10)
    with pytest.raises(FormatError, match="unpacks to more than 1024 bytes; refused"):
        read_files(bomb)
    monkeypatch.setattr(opening, "_MEMBERS", 3)
    with pytest.raises(FormatError, match="holds more than 3 files"):
        read_files(tar_tiny(tmp_path / "tiny.tar.gz", "wordnet"))
