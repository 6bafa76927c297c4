"""Readers of files: one small whole file each."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lexsub.storage.files import read_bytes
from tests.campaign.engine import Subject
from tests.hostile import GOOD_INSTANCE, xml
from tests.test_convert_outputs import EXAMPLES
from tests.test_hostile_readers import READERS

SWORDS = {
    "contexts": {"c": {"context": "A bright day."}},
    "targets": {"t": {"context_id": "c", "target": "bright", "offset": 2, "pos": "ADJ"}},
    "substitutes": {"s": {"target_id": "t", "substitute": "clear"}},
    "substitute_labels": {"s": ["TRUE", "FALSE", "UNSURE"]},
}
GOLD = "bright.a 1 :: clear 3;sunny 2;light 1;\nbright.a 2 :: clever 2;quick 1;\n"
SAMPLES: dict[str, str | bytes] = {
    "gold": GOLD,
    "gold of any format": GOLD,
    "best": "bright.a 1 :: clear\nbright.a 2 :: clever\n",
    "oot": "bright.a 1 ::: clear;sunny\nbright.a 2 ::: clever\n",
    "mw": "take.v 1 :: take part\n",
    "validate": "bright.a 1 :: clear\nbright.a 2 :: clever;quick\n",
    "semeval xml": xml(GOOD_INSTANCE),
    "swords": json.dumps(SWORDS),
    "semdis mapping": "claire(clair.a)-->clair\n# a note\n",
    "candidate pool": "bright.a::clear;sunny\nday.n::time\n",
    "rankings": '{"id": "1", "lexelt": "bright.a", "substitutes": ["clear"], "scores": [1.5]}\n',
    "candidates": '{"id": "1", "substitutes": ["clear"], "origins": [[["wordnet", 0, "", 1.0]]]}\n',
    **{f"output {name}": example for name, example in EXAMPLES.items()},
}


def _lines(found: Callable[[Path], Any]) -> Callable[[Path], object]:
    return lambda path: list(found(path))


def _thesaurus(kind: str) -> Callable[[Path], object]:
    def ask(path: Path) -> object:
        from lexsub.candidates.thesaurus_formats import FORMATS

        return list(FORMATS[kind](path))

    return ask


def _vectors(path: Path) -> object:
    import tempfile

    from lexsub.vectors.files import convert

    with tempfile.TemporaryDirectory() as folder:
        return convert(path, Path(folder))


def _arpa(path: Path) -> object:
    from lexsub.rankers.lm.array_model import read_arpa

    return read_arpa(path)


def _conllu(path: Path) -> object:
    from lexsub.candidates.distributional.parsed import conllu_sentences
    from lexsub.corpus.reader import Corpus

    return list(conllu_sentences(Corpus((path,))))


def _tagged(kind: Any) -> Callable[[Path], object]:
    def ask(path: Path) -> object:
        from lexsub.corpus.tagged import read_tagged

        return list(read_tagged([path], kind))

    return ask


def _corpus(path: Path) -> object:
    from lexsub.corpus.reader import Corpus

    return list(Corpus((path,)).lines())


def _lemma_list(path: Path) -> object:
    from lexsub.frequency.lists import read_lemma_list
    from lexsub.storage.files import read_text

    return read_lemma_list(read_text(path), path)


def _form_list(path: Path) -> object:
    from lexsub.frequency.lists import read_form_list
    from lexsub.storage.files import read_text

    return read_form_list(read_text(path), path)


ARPA = (
    "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-3.5\t<unk>\n-99\t<s>\t-0.5\n-1.25\t</s>\n"
    "-0.75\tmill\t-0.25\n\n\\2-grams:\n-0.5\t<s> mill\n\n\\end\\\n"
)
CONLLU = (
    "1\tOld\told\tADJ\tJJ\t_\t2\tamod\t_\t_\n2\tdoors\tdoor\tNOUN\tNNS\t_\t3\tnsubj\t_\t_\n"
    "3\topen\topen\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)
MYTHES = "UTF-8\nbright|2\n(adj)|clear|dull (antonym)|light (generic term)\n(noun)|lustre\n"
WORD2VEC = b"2 2\n" + b"".join(w + b" " + struct.pack("<2f", 1, 2) + b"\n" for w in (b"a", b"b"))

FILES: dict[str, tuple[str | bytes, Callable[[Path], object]]] = {
    "mythes": (MYTHES, _thesaurus("mythes")),
    "mythes gzip": (gzip.compress(MYTHES.encode(), mtime=0), _thesaurus("mythes")),
    "moby": ("bright,clear,sunny\nday,time\n", _thesaurus("moby")),
    "roget": ("# Light\nadj. bright, clear; sunny\nn. light, glow; sun\n", _thesaurus("roget")),
    "thesaurus tsv": ("bright.a\tclear\t0.5\nday\ttime\t0.25\n", _thesaurus("tsv")),
    "glove": ("bright 0.5 0.25\nclear 1 2\n", _vectors),
    "word2vec text": ("2 2\nbright 0.5 0.25\nclear 1 2\n", _vectors),
    "word2vec binary": (WORD2VEC, _vectors),
    "arpa": (ARPA, _arpa),
    "arpa gzip": (gzip.compress(ARPA.encode(), mtime=0), _arpa),
    "conllu": (CONLLU, _conllu),
    "tagged conllu": (CONLLU, _tagged("conllu")),
    "tagged brown": ("The/at old/jj doors/nns open/vb ./.\n", _tagged("brown")),
    "corpus": ("The old doors open .\n\nThey do .\n", _corpus),
    "lemma list": ("1 6187267 the det\n2 4239632 bright a\n", _lemma_list),
    "form list": ("the\t6057853\t1\nbright\t4000\t2\n", _form_list),
}


def _subject(name: str, data: str | bytes, ask: Callable[[Path], object]) -> Subject:
    raw = data.encode() if isinstance(data, str) else data
    return Subject(
        f"reader {name}",
        lambda folder: (folder / "file").write_bytes(raw),
        lambda folder: ask(folder / "file"),
        guarded=False,
    )


def _of_bytes(name: str) -> Callable[[Path], object]:
    return lambda path: READERS[name](read_bytes(path), path)


READING: list[Subject] = [
    *(_subject(name, data, _of_bytes(name)) for name, data in SAMPLES.items()),
    *(_subject(name, data, ask) for name, (data, ask) in FILES.items()),
]
