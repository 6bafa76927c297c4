"""What we touch in other libraries beyond their public side is as we know it.

A test that fails here after an upgrade says where to look: the adapter that it names.
"""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn

import numpy as np
import pytest

from lexsub.parallel import mend_dask, run
from tests.conftest import PATIENCE, ROOT

SEEN = {"joblib": "1.6.0", "numba": "0.68.1", "scikit-learn": "1.9.1", "lemminflect": "0.2.3"}
"""The versions with which the adapters were seen to work."""


def told(library: str, adapter: str) -> str:
    return f"{adapter} was seen with {library} {SEEN[library]}; here is {version(library)}"


COMPILED = """
import sys
import threading
import numpy as np
from lexsub.compiling import compiled_with

def double(x):
    return 2.0 * x

def triple(x):
    return 3.0 * x

def loop(values, result):
    for i in range(len(values)):
        result[i] = change(values[i])

for function in (double, triple):
    result = np.zeros(2)
    run = compiled_with(loop, {"change": function})
    run(np.array([1.0, 2.0]), result)
    print(result.tolist(), sum(run.stats.cache_hits.values()))
"""


def test_numba_keeps_a_loop_for_each_of_its_functions(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    script = tmp_path / "loops.py"
    script.write_text(COMPILED)
    environment = {"PYTHONPATH": str(ROOT), "LEXSUB_CACHE": str(tmp_path), "PATH": ""}
    outputs = [
        subprocess.run([sys.executable, str(script)], env=environment, capture_output=True,
                       text=True, check=True).stdout.splitlines()
        for _ in range(2)
    ]  # fmt: skip
    problem = told("numba", "lexsub/compiling.py")
    assert outputs[0] == ["[2.0, 4.0] 0", "[3.0, 6.0] 0"], problem
    # The second process reads both back, and neither in place of the other.
    assert outputs[1] == ["[2.0, 4.0] 1", "[3.0, 6.0] 1"], problem


def test_the_trees_of_scikit_learn_are_what_it_predicts_by() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    from lexsub.rankers.learned.learners.histogram import plain_trees, trees_of

    draw = np.random.default_rng(0)
    values = draw.normal(size=(200, 3))
    target = values[:, 0] - (values[:, 2] > 0)
    model = ensemble.HistGradientBoostingRegressor(
        max_iter=5, min_samples_leaf=5, early_stopping=False, random_state=0
    ).fit(values, target)
    assert len(plain_trees(model).roots) == 1 + 5
    total = np.full(200, target.mean())
    for nodes in trees_of(model):
        for row in range(200):
            at = nodes[0]
            while not at["is_leaf"]:
                left = values[row, at["feature_idx"]] <= at["num_threshold"]
                at = nodes[at["left" if left else "right"]]
            total[row] += at["value"]
        assert (nodes["gain"][nodes["is_leaf"] == 0] > 0).all()
    problem = told("scikit-learn", "rankers/learned/learners/histogram.py")
    assert total == pytest.approx(model.predict(values)), problem


def test_lemminflect_s_tables_say_what_it_reads_itself() -> None:
    pytest.importorskip("lemminflect")
    from lexsub.languages.english.inflection import inflect
    from lexsub.languages.english.lemminflect_adapter import LazyTable, make_lazy

    make_lazy()
    from lemminflect import Inflections, Lemmatizer, config
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

    problem = told("lemminflect", "lexsub/languages/english/lemminflect_adapter.py")
    assert inflect("child", "n", "NNS") == "children"
    for lazy, whole in (
        (Inflections().infl_dict, InflectionLUCodec.load(config.inflection_lu_fn)),
        (Lemmatizer().lemma_dict, LemmaLUCodec.load(config.lemma_lu_fn)),
    ):
        assert isinstance(lazy, LazyTable), problem
        assert len(whole) > 30_000
        assert {word: lazy.get(word, None) for word in lazy} == whole, problem
        assert lazy.get("no such word", {}) == {}


def test_lemminflect_comes_without_spacy() -> None:
    pytest.importorskip("lemminflect")
    code = (
        "import sys; from lexsub.languages.english.inflection import inflect; "
        "print(inflect('child', 'n', 'NNS'), 'lemminflect' in sys.modules, 'spacy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.split() == ["children", "True", "False"], told(
        "lemminflect", "lexsub/languages/english/lemminflect_adapter.py"
    )


def test_workers_of_loky_may_grow() -> None:
    problem = told("joblib", "lexsub/parallel.py")
    from joblib.externals.loky import process_executor

    # Before the work of each job, else the worker could be replaced behind its first one.
    limits = list(run([leak_limit] * 4, 2, "loky"))
    assert limits == [sys.maxsize] * 4, problem
    assert "_MAX_MEMORY_LEAK_SIZE" in inspect.getsource(process_executor._process_worker), problem


def leak_limit() -> int:
    from joblib.externals.loky import process_executor

    return int(process_executor._MAX_MEMORY_LEAK_SIZE)


def raising() -> NoReturn:
    raise ValueError("nothing to be read here")


class Unreadable:
    """Its job never begins: what the scheduler says of it is an error of no job."""

    def __reduce__(self) -> Any:
        return raising, ()

    def __call__(self) -> None:
        """Do nothing."""


@pytest.mark.filterwarnings("ignore")
def test_joblib_hears_of_a_job_that_the_cluster_has_given_up() -> None:
    distributed = pytest.importorskip("distributed")
    from joblib._dask import DaskDistributedBackend
    from joblib.parallel import BatchedCalls

    problem = told("joblib", "lexsub/parallel.py")
    heard: SimpleQueue[Any] = SimpleQueue()
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as local,
        distributed.Client(local) as client,
    ):
        backend = DaskDistributedBackend(client=client)
        assert backend.effective_n_jobs(-1) == 1, problem
        jobs = BatchedCalls([(Unreadable(), (), {})], (backend, -1))
        backend.start_call()
        with pytest.raises(Exception, match=r"deserializ|nothing to be read"):
            backend.submit(jobs, heard.put).result(PATIENCE)
        assert heard.empty(), problem  # both may go when joblib does this itself
        mend_dask(backend)
        assert backend.effective_n_jobs(-1) == 2
        future = backend.submit(jobs, heard.put)
        with pytest.raises(Exception, match=r"deserializ|nothing to be read"):
            future.result(PATIENCE)
        assert heard.get(timeout=PATIENCE) is future.exception(), problem
        backend.stop_call()


def test_ctrl_c_in_a_query_of_duckdb_ends_the_work() -> None:
    pytest.importorskip("duckdb")
    from lexsub.candidates.distributional.sorted_counts import engine

    def ask() -> None:
        with engine(500) as connection:
            threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
            # Far longer than anybody waits, in little memory.
            query = "SELECT sum(a.range * b.range % 7) FROM range(1000000000) a, range(1000) b"
            connection.execute(query).fetchall()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        signal.signal(signal.SIGINT, before)
