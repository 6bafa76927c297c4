"""Damaged models and unusable text: one clear line, nothing half-written."""

from __future__ import annotations

import gzip
import os
import platform
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lexsub.errors import FileProblemError, FormatError, LexsubError, MissingResourceError
from lexsub.rankers.lm.arpa_writer import Speller
from lexsub.rankers.lm.header import LmHeader, read_header, write_header
from lexsub.rankers.lm.kenlm import check_model_file
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources
from tests import forked
from tests.conftest import ROOT

HERE = Path(__file__).parent


def model_with(folder: Path, content: bytes, order: int = 2) -> Path:
    (folder / "model.arpa").write_bytes(content)
    write_header(folder, LmHeader("backoff", order, "model.arpa"))
    return folder


ARPA = (HERE / "recorded" / "order2.arpa").read_bytes()


@pytest.mark.parametrize(
    "content",
    [b"", b"hello\n", ARPA[: len(ARPA) // 2], ARPA.replace(b"-1", b"-x"), b"\0" * 300],
    ids=["empty", "no-arpa", "cut", "no-number", "nul"],
)
def test_damaged_files_are_refused(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("kenlm")
    with pytest.raises(FormatError, match=r"model\.arpa: KenLM cannot read it: .*damaged"):
        open_model(model_with(tmp_path, content))


def test_a_model_of_another_order_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    with pytest.raises(FormatError, match="of order 2, its header says 4"):
        open_model(model_with(tmp_path, ARPA, order=4))


# What build_binary made of order2.arpa on an x86-64 machine.
BINARY = (HERE / "recorded" / "order2.binary").read_bytes()


# Not the words' spelling at its very end: scoring does without, and KenLM does not miss it.
@pytest.mark.parametrize("size", [len(BINARY) - 500, len(BINARY) // 2, 120, 20])
def test_a_truncated_binary_is_refused(tmp_path: Path, size: int) -> None:
    pytest.importorskip("kenlm")
    path = tmp_path / "model.binary"
    write_header(tmp_path, LmHeader("backoff", 2, path.name))
    path.write_bytes(BINARY[:size])
    with pytest.raises(FormatError, match=r"model\.binary: .*damaged"):
        open_model(tmp_path)


def with_number(offset: int, layout: str, value: float) -> bytes:
    changed = bytearray(BINARY)
    struct.pack_into(layout, changed, offset, value)
    return bytes(changed)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (with_number(88, "<B", 1), "order 1 in"),
        (with_number(88, "<B", 255), "-grams in"),
        (with_number(92, "<f", 1e30), "multiplier of 1"),
        (with_number(92, "<f", float("nan")), "multiplier of nan"),
        (with_number(108, "<Q", 2**63), r"\d+ 1-grams in"),
        (with_number(116, "<Q", 2**40), r"\d+ 2-grams in"),
        (with_number(128, "<Q", 2**33), "words beside 79 1-grams"),
        (BINARY[:100], "expected a longer file"),
    ],
)
def test_a_binary_larger_than_its_file_is_refused(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "model.binary"
    path.write_bytes(BINARY)
    check_model_file(path)
    path.write_bytes(content)
    with pytest.raises(FormatError, match=rf"model\.binary: .*({problem}).*; the file is damaged"):
        check_model_file(path)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b"ngram 2=190", b"ngram 2=190000000000", r"take \d+ bytes or more, in \d+"),
        (b"ngram 2=190", b"ngram 2=" + b"9" * 5000, "expected ngram ORDER=NUMBER"),
        (b"ngram 1=79", b"ngram 1=-79", "expected ngram ORDER=NUMBER"),
        (ARPA[1000:], b"", "take"),
    ],
)
def test_an_arpa_larger_than_its_file_is_refused(
    tmp_path: Path, compress: Callable[[bytes], bytes], old: bytes, new: bytes, problem: str
) -> None:
    path = tmp_path / "model.arpa"
    path.write_bytes(compress(ARPA))
    check_model_file(path)
    assert old in ARPA
    path.write_bytes(compress(ARPA.replace(old, new)))
    with pytest.raises(FormatError, match=rf"model\.arpa: .*{problem}.*; the file is damaged"):
        check_model_file(path)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="made on x86-64")
def test_the_whole_binary_says_what_its_arpa_says(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "model.binary").write_bytes(BINARY)
    write_header(tmp_path, LmHeader("backoff", 2, "model.binary"))
    (tmp_path / "text").mkdir()
    models = open_model(tmp_path), open_model(model_with(tmp_path / "text", ARPA))
    one, two = (model.log10_alike(["the old mill", "zebra"], True, True) for model in models)
    assert one.tolist() == two.tolist()


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    write_header(tmp_path, LmHeader("backoff", 2, "model.arpa"))
    with pytest.raises(FormatError, match="no such model file"):
        open_model(tmp_path)


def test_a_cut_array_is_refused(tmp_path: Path) -> None:
    builder = LanguageModelBuilder((str(HERE / "village.txt"),), smoothing="one-count", order=3)
    builder.build(Resources(), tmp_path)
    array = tmp_path / "keys2.npy"
    array.write_bytes(array.read_bytes()[:200])
    with pytest.raises(FormatError, match=r"keys2.npy.*damaged"):
        open_model(tmp_path)


def test_a_folder_without_header_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(FileProblemError, match="lexsub lm import"):
        read_header(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"format": 1, "kind": "x"}'])
def test_a_damaged_header_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(FormatError, match="no model header"):
        read_header(tmp_path)


def test_a_header_of_another_tokenisation_is_refused(tmp_path: Path) -> None:
    write_header(tmp_path, LmHeader("backoff", 2, "m", tokenisation="other-9"))
    with pytest.raises(FormatError, match=r"other-9.*train the model again"):
        read_header(tmp_path)


def test_text_of_another_case_or_tokenisation_is_refused() -> None:
    header = LmHeader("backoff", 2)
    header.check_tokens("do n't go", Path("t"), 1)
    for text, token in (("do n't Go", "'Go'"), ("don't go", "don't"), ("go.", "'go.'")):
        with pytest.raises(FormatError, match=f"t:7: token .{token.strip(chr(39))}"):
            header.check_tokens(text, Path("t"), 7)


def test_a_model_of_another_language_is_refused() -> None:
    with pytest.raises(LexsubError, match=r"in language 'fr'.*in 'en'"):
        LmHeader("backoff", 2).check_language("fr", "semdis/test")


def test_an_unknown_model_lists_the_known_ones() -> None:
    with pytest.raises(MissingResourceError, match=r"known: bow, lm\)"):
        Resources(models={"lm": Path("a"), "bow": Path("b")}).model("ln", "lm")
    with pytest.raises(MissingResourceError, match="'lexsub lm train'"):
        Resources().model("ln", "lm")
    with pytest.raises(
        MissingResourceError, match=r'add \[models.b\] with kind = "bow" to the config$'
    ):
        Resources().model("b", "bow")


@pytest.mark.parametrize("text", ["", "\n\n \n", "\x01\x02\n"])
def test_a_corpus_without_words_is_refused(tmp_path: Path, text: str) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(text)
    with pytest.raises(LexsubError, match="holds no words"):
        LanguageModelBuilder((str(corpus),), engine="embedded").build(Resources(), tmp_path)


def test_a_gigantic_line_and_control_characters_train(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("the \x00old\x1b mill " * 20_000 + "\n<s> </s> <unk>\n")
    folder = tmp_path / "model"
    folder.mkdir()
    LanguageModelBuilder((str(corpus),), engine="embedded", order=3).build(Resources(), folder)
    assert read_header(folder).tokens == 60_000 + 10


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object, file: object, *rest: object) -> None:
        with open("/dev/full", "wb", buffering=0) as device:  # noqa: PTH123
            device.write(b"x")

    monkeypatch.setattr(Speller, "write", full)
    with pytest.raises(FileProblemError, match="no space left"):
        LanguageModelBuilder((str(HERE / "village.txt"),), engine="embedded").build(
            Resources(), tmp_path
        )
    assert not list(tmp_path.iterdir())


def fake_lmplz(folder: Path, script: str) -> str:
    folder.mkdir()
    tool = folder / "lmplz"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    return str(tool)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'write.cc: No space left on device while writing 8192 bytes' >&2; exit 1",
         r"lmplz failed \(1\): .*No space left on device"),
        ("head -c 9000000 /dev/zero > /dev/full", "lmplz failed .*[Nn]o space left"),
        ("kill -9 $$", r"lmplz failed \(-9\): it printed nothing"),
    ],
)  # fmt: skip
def test_lmplz_on_a_full_disk_is_one_line_and_leaves_nothing(
    tmp_path: Path, script: str, reason: str
) -> None:
    tool = fake_lmplz(tmp_path / "tools", f'echo half > "{tmp_path}/half"\n{script}')
    done = lexsub("lm", "train", str(HERE / "village.txt"), "-o", str(tmp_path / "model"),
                  "--engine", "lmplz", "--lmplz", tool)  # fmt: skip
    assert done.returncode == 2
    assert re.fullmatch(rf"lexsub: {reason}.*\n", done.stderr)
    assert (tmp_path / "half").exists(), "the program was called"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["half", "tools"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("engine", ["embedded", "lmplz"])
def test_a_disk_that_fills_up_while_text_or_model_is_written(tmp_path: Path, engine: str) -> None:
    import resource

    corpus = tmp_path / "corpus.txt"
    lines = (HERE / "village.txt").read_text().splitlines()
    corpus.write_text("\n".join(f"{line} {n}" for n, line in enumerate(lines * 40)))
    tool = fake_lmplz(tmp_path / "tools", "exit 7")
    done = subprocess.run(
        [sys.executable, "-m", "lexsub", "lm", "train", str(corpus), "-o", str(tmp_path / "model"),
         "--engine", engine, "--lmplz", tool],
        capture_output=True, text=True, check=False,
        # Like a full disk, but for this one process alone.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )  # fmt: skip
    assert done.returncode == 2
    assert re.fullmatch(r"lexsub: .*cannot be written: .*\n", done.stderr)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.txt", "tools"]


def lexsub(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.lexsub(*arguments, cwd=ROOT, environment=os.environ)


def test_the_command_trains_scores_imports_and_shows(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    village, held_out = str(HERE / "village.txt"), str(HERE / "held_out.txt")
    model = str(tmp_path / "model")
    done = lexsub("lm", "train", village, "-o", model, "--order", "3", "--engine", "embedded",
                  "--prune", "0,0,1", "--arpa")  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    scored = lexsub("lm", "score", model, held_out)
    assert scored.stdout.splitlines()[0] == "tokens\tlog10\tperplexity\tunknown"
    assert len(scored.stdout.splitlines()) == 6
    imported = str(tmp_path / "imported")
    assert lexsub("lm", "import", f"{model}/model.arpa", "-o", imported, "--lower").returncode == 0
    assert lexsub("lm", "score", imported, held_out).stdout == scored.stdout
    assert '"order": 3' in lexsub("lm", "show", imported).stdout

    again = lexsub("lm", "train", village, "-o", model)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    refused = lexsub("lm", "score", model, held_out, "--tokenised")
    assert refused.returncode == 2
    assert "held_out.txt:1: token 'The' does not fit the model" in refused.stderr
    assert "Traceback" not in refused.stderr
    bad = lexsub("lm", "train", village, "-o", str(tmp_path / "x"), "--order", "9")
    assert bad.returncode == 2
    assert "order: found 9; expected at most 6" in bad.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["imported", "model"]


def test_blank_lines_have_rows_and_unknown_words_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    text = tmp_path / "text.txt"
    text.write_text("the old mill\n\n \nthe zzz mill qqq\n")
    done = lexsub("lm", "score", str(model_with(tmp_path, ARPA)), str(text))
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [(row[0], row[3]) for row in rows] == [
        ("tokens", "unknown"), ("3", "0"), ("0", "0"), ("0", "0"), ("4", "2"),
    ]  # fmt: skip
    assert rows[2][1:3] == ["", ""]
    assert done.stderr.endswith(" over 9 tokens, </s> included; 2 of 7 words unknown\n")


@pytest.mark.parametrize(
    ("content", "option", "said", "types"),
    [
        (ARPA, "--lower", "", True),
        (ARPA, "--cased", "knows no word with a capital", True),
        (ARPA.replace(b"mill", b"Mill"), "--lower", "knows 'Mill'", True),
        (ARPA.replace(b"mill", b"Mill"), "--cased", "", True),
        (BINARY, "--lower", "", False),
    ],
)
def test_import_says_what_it_takes_in(
    tmp_path: Path, content: bytes, option: str, said: str, types: bool
) -> None:
    pytest.importorskip("kenlm")
    file, out = tmp_path / "mine.arpa", tmp_path / "out"
    file.write_bytes(content)
    done = lexsub("lm", "import", str(file), "-o", str(out), option)
    assert done.returncode == 0
    *warning, last = done.stderr.splitlines()
    assert len(warning) == bool(said)
    assert not said or said in warning[0]
    count = ARPA.decode().partition("ngram 1=")[2].partition("\n")[0]
    assert last == f"{out}: backoff model of order 2, " + (f"{count} types, " if types else "") + (
        "engine imported"
    )
