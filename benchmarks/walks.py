"""Walk one checkout: its first key, the model that comes with it, a sentence; run by house.py.

    python benchmarks/walks.py FOLDER SUBJECT timed|counted

Prints figures as JSON.  A process measures one subject in one way: it is the first time that
counts, and counting takes time.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

SENTENCE = "The committee made an important *decision* about the large house."


class DoneError(Exception):
    """Ends a run behind its first key."""


class Walk:
    """Counts calls of a checkout's functions, the files they are in, and the objects made."""

    def __init__(self, home: Path) -> None:
        self.home = str(home)
        self.calls: Counter[Any] = Counter()
        self.changes = 0
        self.file = ""
        self.made: list[Any] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call; the profiler's hook."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.home):
            self.calls[code] += 1
            self.changes += code.co_filename != self.file
            self.file = code.co_filename
        elif event == "return" and code.co_name == "__init__" and code.co_filename == "<string>":
            self.made.append(frame.f_locals.get("self"))

    def parts(self) -> tuple[int, int]:
        """Return how many parts were made, and how many of them differ."""
        registries = [one for one in gc.get_objects() if type(one).__name__ == "Registry"]
        kinds = {
            one for each in registries for one in each._parts.values() if isinstance(one, type)
        }
        made = [(type(one), repr(one)) for one in self.made if type(one) in kinds]
        return len(made), len(set(made))

    def figures(self) -> dict[str, float]:
        """Return what was counted."""
        files = {code.co_filename for code in self.calls}
        found = {"calls": sum(self.calls.values()), "functions": len(self.calls)}
        found |= {"files": len(files), "changes of file": self.changes}
        if self.made:
            found["parts made"], found["distinct parts"] = self.parts()
        return found


def measured(work: Callable[[], object], home: Path, way: str) -> dict[str, float]:
    """Do some work once and return its figures."""
    if way == "timed":
        began = time.process_time()
        work()
        return {"ms": 1000 * (time.process_time() - began)}
    walk = Walk(home)
    sys.setprofile(walk)
    try:
        work()
    finally:
        sys.setprofile(None)
    return walk.figures()


def first_key(home: Path, way: str) -> dict[str, float]:
    """Run a config of one system that ranks by an n-gram model, as far as the model's key."""
    from lexsub.experiments.pipeline.keys import Keys
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.resources import Resources

    # Where it stands has changed.
    places = ("checking", "making", "reading")
    place = next(one for one in places if find_spec(f"lexsub.experiments.config.{one}"))
    make_experiment = import_module(f"lexsub.experiments.config.{place}").make_experiment
    found: dict[str, float] = {}
    key = Keys.model

    def watched(keys: Keys, *given: Any, **named: Any) -> None:
        found.update(measured(lambda: key(keys, *given, **named), home, way))
        raise DoneError

    Keys.model = watched  # type: ignore[assignment,method-assign]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "text").write_text("a small dog\na small cat\n" * 5)
        model = {"kind": "lm", "corpus": [str(folder / "text")], "order": 2}
        model |= {"smoothing": "additive", "engine": "embedded"}
        table: dict[str, Any] = {"name": "x", "data": "tutorial/test", "models": {"m": model}}
        candidates = {"name": "gold-pool", "gold": "tutorial/test"}
        ranker = {"name": "lm", "model": "m"}
        table["systems"] = [{"name": "x", "candidates": candidates, "ranker": ranker}]
        experiment = make_experiment(table, folder)
        try:
            run_experiment(experiment, folder / "run", Resources(cache=folder / "cache"))
        except DoneError:
            return found
    raise AssertionError("no key was made")


def model(home: Path, way: str) -> dict[str, float]:
    """Open the English model once more."""
    import lexsub

    lexsub.open_suggester()(SENTENCE)
    return measured(lexsub.open_suggester, home, way)


def sentence(home: Path, way: str) -> dict[str, float]:
    """Ask about a sentence once more; of a suggester that knows its words."""
    import lexsub

    suggester = lexsub.open_suggester()
    suggester(SENTENCE)
    return measured(lambda: suggester(SENTENCE), home, way)


def main() -> None:
    """Measure and print."""
    home = Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(home))
    subjects = {"key": first_key, "model": model, "sentence": sentence}
    print(json.dumps(subjects[sys.argv[2]](home, sys.argv[3])))


if __name__ == "__main__":
    main()
