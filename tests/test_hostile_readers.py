"""Every reader against every kind of hostile bytes: one clear line, in good time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lexsub.data.catalogue import load_gold
from lexsub.datasets import GoldItem, Item
from lexsub.errors import FileProblemError, FormatError, LexsubError
from lexsub.formats.annotations import parse_annotations
from lexsub.formats.coinco import parse_coinco
from lexsub.formats.jsonl import read_candidates, read_rankings
from lexsub.formats.judgements import PooledRow, SheetKey, parse_key, parse_sheet
from lexsub.formats.outputs.catalogue import OUTPUT_FORMATS, read_answers, read_output
from lexsub.formats.semeval_lines import parse_gold, read_submission
from lexsub.formats.semeval_xml import parse_semeval_xml
from lexsub.formats.swords import parse_swords
from lexsub.formats.validation import validate_submission
from lexsub.formats.variants import parse_candidate_pool, parse_mapping, parse_twsi_gold
from lexsub.storage import compression
from lexsub.storage.files import atomic_write, decode, read_bytes
from tests.hostile import EVERYWHERE, GOOD_INSTANCE, LAUGHS, OUTSIDE, PARAMETER, instance, xml

Reader = Callable[[bytes, Path], Any]


def text(parse: Callable[[str, Path], Any]) -> Reader:
    return lambda data, path: parse(decode(compression.unpack(data, path), path), path)


def read_gold(path: Path) -> dict[str, GoldItem]:
    return parse_gold(decode(read_bytes(path), path), path)


def read_sentences(path: Path) -> tuple[Item, ...]:
    return parse_semeval_xml(read_bytes(path), path)


def output(name: str) -> Reader:
    def read(data: bytes, path: Path) -> Any:
        path.write_bytes(data)
        return read_output(path, name)

    return read


def file(read: Callable[[Path], Any]) -> Reader:
    def from_file(data: bytes, path: Path) -> Any:
        path.write_bytes(data)
        return read(path)

    return from_file


ROW = PooledRow(item="1", lexelt="bright.a", substitute="clever", origins=("annotators",))
KEY = SheetKey(scale="words", seed=1, gold=("mine", ""), systems={}, top=None, rows=[ROW])

READERS: dict[str, Reader] = {
    "gold": text(parse_gold),
    "best": file(lambda path: read_answers(path, "best")),
    "oot": file(lambda path: read_answers(path, "oot")),
    "mw": file(lambda path: read_answers(path, "mw")),
    "validate": lambda data, path: validate_submission(data, path, "best"),
    "semeval xml": parse_semeval_xml,
    "coinco xml": parse_coinco,
    "swords": lambda data, path: parse_swords(compression.unpack(data, path), path),
    "semdis mapping": text(parse_mapping),
    "candidate pool": text(parse_candidate_pool),
    "twsi": text(parse_twsi_gold),
    "rankings": file(read_rankings),
    "candidates": file(read_candidates),
    **{f"output {name}": output(name) for name in OUTPUT_FORMATS},
    "annotations": text(parse_annotations),
    "judgement key": parse_key,
    "judgement sheet": text(lambda t, p: parse_sheet(t, p, KEY)),
    "gold of any format": file(lambda path: load_gold(str(path), [])),
}

# A reader may take these for an honest, if useless, file.
ACCEPTED = {
    ("semdis mapping", "empty"), ("semdis mapping", "blank lines"),
    ("semdis mapping", "byte order mark only"), ("semdis mapping", "bzip2 of nothing"),
    *((reader, kind) for reader in ("rankings", "candidates")
      for kind in ("empty", "blank lines", "byte order mark only")),
    # Findings of the validator, not its end.
    ("validate", "Latin-1"), ("validate", "NUL bytes"),
}  # fmt: skip


@pytest.mark.parametrize("kind", EVERYWHERE)
@pytest.mark.parametrize("reader", READERS)
def test_reader_refuses(reader: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.file"
    try:
        READERS[reader](EVERYWHERE[kind], path)
    except LexsubError as error:
        message = str(error)
        assert message.startswith(str(path)), message
        assert "\n" not in message
        assert len(message) < 600, message
    else:
        assert (reader, kind) in ACCEPTED


XML_FAULTS: dict[str, tuple[bytes, int | None, str]] = {
    "truncated": (xml(GOOD_INSTANCE)[:-30], 4, "not well-formed XML"),
    "truncated inside a tag": (xml(GOOD_INSTANCE)[:60], 3, "not well-formed XML"),
    "billion laughs": (LAUGHS, 3, "declares entities or external parts"),
    "external entity": (OUTSIDE, 2, "declares entities or external parts"),
    "parameter entity": (PARAMETER, 2, "declares entities or external parts"),
    "undefined entity": (xml(instance("A&nbsp;<head>b</head>")), 5, "undefined entity"),
    "bare ampersand": (xml(instance("A & <head>b</head>")), 5, "not well-formed"),
    "control character": (xml(instance("A \x01 <head>b</head>")), 5, "not well-formed"),
    "no head": (xml(instance("A bright day .")), 6, "instance 1 has 0 <head> tags"),
    "two heads": (
        xml(instance("<head>A</head> <head>b</head>")), 6, "instance 1 has 2 <head> tags"),
    "many heads": (xml(instance("<head>b</head> " * 20_000)), 6, "has 20000 <head> tags"),
    "empty head": (xml(instance("A <head> </head>")), 6, "empty <head>"),
    "nested heads": (xml(instance("<head>a <head>b</head></head>")), 5, "<head> inside <head>"),
    "unknown element": (xml(instance("<b>A</b> <head>b</head>")), 5, "<b> inside <context>"),
    "no corpus": (b"<lexelt item='a.n'></lexelt>", 1, "<lexelt> at the top"),
    "repeated id": (xml(GOOD_INSTANCE + "\n" + GOOD_INSTANCE), 5, "id 1 stands twice"),
    "no id": (xml(instance("<head>b</head>", "")), 4, "expected an id without blanks"),
    "blank in id": (xml(instance("<head>b</head>", 'id="1 2"')), 4, "an id without blanks"),
    "lexelt without a part of speech": (xml(GOOD_INSTANCE, "bright"), 3, "is not a lexelt"),
    "unknown part of speech": (xml(GOOD_INSTANCE, "bright.q"), 3, "is not a lexelt"),
    "lexelt missing": (xml("").replace(b'item="bright.a"', b""), 3, "is not a lexelt"),
    "no instance": (xml(""), None, "holds no <instance>"),
    "junk behind": (xml(GOOD_INSTANCE) + b"junk", 7, "not well-formed XML: junk after"),
    "wrong end tag": (xml(GOOD_INSTANCE).replace(b"</head>", b"</haed>"), 4, "mismatched tag"),
    "Latin-1": (xml(instance("caf\u00e9 <head>b</head>")).decode().encode("latin-1"), 5,
                "byte 0xe9 is not utf-8"),
    "UTF-16": (xml(GOOD_INSTANCE).decode().encode("utf-16"), None, "is UTF-16 text"),
    "NUL": (xml(instance("A \0 <head>b</head>")), 5, "holds a NUL byte"),
    "endless sentence": (xml(instance("x" * 1_000_001 + "<head>b</head>")), None,
                         "more than 1000000 characters"),
    "a gold": (b"bright.a 1 :: clever 3;\n", 1, "not well-formed XML"),
}  # fmt: skip

GOLD_FAULTS: dict[str, tuple[bytes, int | None, str]] = {
    "counts missing": (b"a.n 1 :: x 2;y 1;\na.n 2 :: x;y;\n", 2, "answer 'x' has no count"),
    "one count missing": (b"a.n 1 :: x 2;y;\n", 1, "answer 'y' has no count"),
    "a best submission": (b"a.n 1 :: x\n", 1, "is this a submission"),
    "an oot submission": (b"a.n 1 ::: x;y\n", 1, "separator ':::' is that of oot"),
    "repeated id": (b"a.n 1 :: x 1;\n\na.n 1 :: y 1;\n", 3, "id 1 stands twice (first on line 1)"),
    "no colons": (b"a.n 1 x 1;\n", 1, "expected 'lexelt id :: substitute count;"),
    "no id": (b"a.n :: x 1;\n", 1, "expected 'lexelt id :: substitute count;"),
    "negative count": (b"a.n 1 :: x -1;\n", 1, "has no count"),
    "count of words": (b"a.n 1 :: x two;\n", 1, "has no count"),
    "endless count": (b"a.n 1 :: x " + b"9" * 5000 + b";\n", 1, "has no count"),
    "infinite count": (b"a.n 1 :: x inf;\n", 1, "has no count"),
    "count in other digits": ("a.n 1 :: x \u0663;\n".encode(), 1, "has no count"),
    "inner empty answer": (b"a.n 1 :: x 1;;y 1;\n", 1, "answer '' has no count"),
    "Latin-1": (b"a.n 1 :: x 1;\na.n 2 :: \xe9t\xe9 1;\n", 2, "byte 0xe9 is not utf-8"),
    "NUL": (b"a.n 1 :: x 1;\na.n 2 :: \0 1;\n", 2, "holds a NUL byte"),
    "empty": (b"", None, "holds no gold line"),
    "sentences": (xml(GOOD_INSTANCE), 1, "expected 'lexelt id :: substitute count;"),
}

SUBMISSION_FAULTS: dict[str, tuple[bytes, int | None, str]] = {
    "no blank after the colons": (b"a.n 1 ::x\na.n 2 ::x\n", None, "with single blanks"),
    "another task": (b"a.n 1 ::: x\n", None, "but lines with ':::', as oot has them"),
    "many bad lines": (b"junk\n" * 50, None, "expected lines 'lexelt id :: answer;answer'"),
    "empty": (b"", None, "is empty; expected lines"),
    "Latin-1": (b"a.n 1 :: \xe9\n", 1, "byte 0xe9 is not utf-8"),
}


@pytest.mark.parametrize("name", XML_FAULTS)
def test_sentences(name: str) -> None:
    _check(parse_semeval_xml, *XML_FAULTS[name])


@pytest.mark.parametrize("name", GOLD_FAULTS)
def test_gold(name: str) -> None:
    _check(READERS["gold"], *GOLD_FAULTS[name])


@pytest.mark.parametrize("name", SUBMISSION_FAULTS)
def test_submission(name: str, tmp_path: Path) -> None:
    _check(READERS["best"], *SUBMISSION_FAULTS[name], tmp_path / "file")


def _check(
    reader: Reader, data: bytes, line: int | None, problem: str, path: Path = Path("some/file")
) -> None:
    with pytest.raises(FormatError) as caught:
        reader(data, path)
    message = str(caught.value)
    assert problem in message
    assert "\n" not in message
    if line is not None:
        assert message.startswith(f"{path}:{line}: "), message
    else:
        assert message.startswith(f"{path}:"), message


# Honest files that look odd must still be read ---------------------------------


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(b"\xef\xbb\xbfa.n 1 :: x 1;\n")
    assert read_gold(tmp_path / "gold")["1"].lexelt == "a.n"
    (tmp_path / "xml").write_bytes(b"\xef\xbb\xbf" + xml(GOOD_INSTANCE))
    assert read_sentences(tmp_path / "xml")[0].target == "bright"


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "nonsense"])
def test_a_wrong_declaration_does_not_matter(encoding: str) -> None:
    data = xml(instance("caf\u00e9 <head>b</head>"))
    data = data.replace(b'"1.0" ?', f'"1.0" encoding="{encoding}" ?'.encode())
    assert parse_semeval_xml(data, Path("f"))[0].text == "caf\u00e9 b"


def _corpus(path: Path) -> object:
    from lexsub.corpus.reader import Corpus

    return list(Corpus((str(path),)).lines())


def _vectors(path: Path) -> object:
    from lexsub.vectors.files import convert

    folder = path.with_name("vectors")
    folder.mkdir(exist_ok=True)
    return convert(path, folder)


@pytest.mark.parametrize(
    ("read", "lines"),
    [
        (read_gold, ["a.n 1 :: x 1;", "a.n 2 :: y 1;"]),
        (lambda path: read_submission(path, "best"), ["a.n 1 :: x", "a.n 2 :: y"]),
        (_vectors, ["x 0.5 2", "y 0.5 3"]),
        (_corpus, ["a bright boy .", "an old dog ."]),
    ],
    ids=["gold", "submission", "vectors", "corpus"],
)
def test_lines_that_end_with_carriage_returns_are_not_one_line(
    read: Callable[[Path], Any], lines: list[str], tmp_path: Path
) -> None:
    for end in ("\n", "\r\n"):
        (tmp_path / "file").write_bytes("".join(line + end for line in lines).encode())
        read(tmp_path / "file")
    (tmp_path / "file").write_bytes("".join(f"{line}\r" for line in lines).encode())
    with pytest.raises(FormatError, match=r"file:1: lines end with a carriage return alone"):
        read(tmp_path / "file")


def test_carriage_returns_are_read(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(b"a.n 1 :: x 2;y 1;\r\n\r\na.n 2 :: z 1;\r\n")
    assert dict(read_gold(tmp_path / "gold")["1"].weights) == {"x": 2, "y": 1}


# Files that are none -----------------------------------------------------------

PLACES: dict[str, str] = {
    "nothing": "no such file",
    "folder": "is a folder",
    "loop": "too many levels of symbolic links",
    "dangling": "no such file",
    "x" * 300: "file name too long",
    "gold/below": "not a directory",
    "a\0b": "is no file name",
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("read", [read_gold, read_sentences, read_rankings, read_bytes])
def test_no_file(name: str, read: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "gold").touch()
    with pytest.raises(FileProblemError) as caught:
        read(tmp_path / name)
    assert PLACES[name] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions do not stop root, so the system's refusal is put in.
    def refuse(self: Path, *args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileProblemError, match="gold: permission denied"):
        read_submission(tmp_path / "gold", "best")


def test_endless_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileProblemError, match="/dev/zero: is a device; expected a file"):
        read_bytes(Path("/dev/zero"))
    monkeypatch.setattr("lexsub.storage.files.LARGEST_FILE", 10_000)
    large = tmp_path / "large"
    large.write_bytes(b"x" * 10_001)
    with pytest.raises(FileProblemError, match="large: is larger than 10000 bytes"):
        read_bytes(large)


def test_compressed_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    monkeypatch.setattr("lexsub.storage.compression.LARGEST_FILE", 10_000)
    with pytest.raises(FormatError, match="unpacks to more than 10000 bytes"):
        compression.unpack(gzip.compress(b"\0" * 1_000_000), Path("f"))


# Writing --------------------------------------------------------------------------


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def fail() -> None:
        with atomic_write(path) as out:
            out.write(b"new")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        fail()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_folder_or_device_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileProblemError, match="is a folder"), atomic_write(tmp_path / "folder"):
        pass
    with atomic_write(Path("/dev/null")) as out:
        out.write(b"gone")
    assert Path("/dev/null").is_char_device()
    with (
        pytest.raises(FileProblemError, match="no space left"),
        atomic_write(Path("/dev/full")) as out,
    ):
        out.write(b"x" * 100_000)
    assert Path("/dev/full").is_char_device()
