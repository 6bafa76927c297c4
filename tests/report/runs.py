"""Finished runs to report on: the tutorial set, and one made to break a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.report import write_report
from lexsub.resources import Resources

TUTORIAL: dict[str, Any] = {
    "name": "small",
    "title": "Small run",
    "data": "tutorial/test",
    "tuning": "tutorial/trial",
    "systems": [
        {"name": "wordnet", "candidates": {"name": "wordnet", "frequency": "semcor"}},
        {"name": "random", "candidates": {"name": "wordnet"}, "ranker": "random"},
        {"name": "cheat", "candidates": {"name": "wordnet"}, "ranker": "oracle"},
    ],
}

EIGHT = TUTORIAL | {
    "name": "large",
    "systems": [
        {"name": f"system-{number}", "candidates": "wordnet", "ranker": "random",
         "oot": {"name": "top-n", "n": number}}
        for number in range(1, 9)
    ],
}  # fmt: skip

ATTACK = "<script>window.hacked = 1</script>"
IMAGE = "<img src=x onerror='window.hacked = 2'>"
RTL = "שלום עולם \u202e gnorw"
LEMMA = "o'\"<b>x</b>&amp;`${1}"
SENTENCES = {
    "1": f"A {ATTACK} before, </script><!-- after, \u2028 \u2029 & &amp; " + "{{ 7 * 7 }} of it",
    "2": f"{RTL} 👩‍👩‍👧‍👦 🏳️‍🌈 Z\u0351\u036b\u0343a\u0321l\u0322go",
    "3": "long " * 2000 + "w" * 10_000,
    "4": f"\"quoted\" 'twice' {IMAGE}",
}


def tutorial_run(folder: Path, config: dict[str, Any] = TUTORIAL) -> Path:
    """A run of two systems on the tutorial set, and of one that looks at the gold."""
    run_experiment(make_experiment(config, Path()), folder, Resources(), page=write_report)
    return folder


def hostile_data(folder: Path) -> Path:
    """A folder of data sets whose semeval2007/test has markup wherever there is text."""
    root = folder / "semeval2007"
    (root / "test").mkdir(parents=True)
    (root / "scoring").mkdir()
    instances = "".join(
        f'<instance id="{number}"><context>{escape(text)} <head>tar&lt;i&gt;get</head> '
        f"{escape(text[:200])}</context></instance>"
        for number, text in SENTENCES.items()
    )
    name = escape(LEMMA, {'"': "&quot;"})
    (root / "test" / "lexsub_test.xml").write_text(
        f'<?xml version="1.0" ?>\n<corpus lang="english"><lexelt item="{name}.n">{instances}'
        "</lexelt></corpus>\n"
    )
    gold = f"{IMAGE.replace(';', '')} 3;{RTL} 2;👩‍👧 1;</script> 1;"
    (root / "scoring" / "gold").write_text(
        "".join(f"{LEMMA}.n {number} :: {gold}\n" for number in SENTENCES)
    )
    (root / "scoring" / "mwgold").write_text(f"{LEMMA}.n 1 :: {ATTACK} 3;\n")
    for other in ("mwids", "MRsamples"):
        (root / "scoring" / other).write_text("")
    thesaurus = folder / "hostile.thesaurus"
    words = [IMAGE, RTL, ATTACK, "</script>", "👩‍👧", 'a"b', "a'b", "{{ 7 * 7 }}", "l" * 10_000]
    sense = f"{IMAGE}|" + "|".join(words)
    thesaurus.write_text(f"UTF-8\n{LEMMA}|1\n{sense}\n")
    return folder


def hostile_run(folder: Path) -> tuple[Path, Path]:
    """The run, and its folder of data sets."""
    data = hostile_data(folder / "data")
    thesaurus = {
        "name": "thesaurus-file", "file": str(data / "hostile.thesaurus"), "format": "mythes",
    }  # fmt: skip
    table = {
        "name": "hostile",
        "title": f"{ATTACK} \"title\" 'it' </title>{IMAGE}",
        "notes": {"all": [ATTACK]},
        "data": "semeval2007/test",
        "systems": [
            {"name": "one", "candidates": thesaurus},
            {"name": "two", "candidates": thesaurus, "ranker": "random"},
        ],
    }
    resources = Resources(data=(data,))
    run_experiment(make_experiment(table, Path()), folder / "run", resources, page=write_report)
    return folder / "run", data
