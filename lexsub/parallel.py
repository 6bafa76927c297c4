"""Independent work on processes, threads or a cluster: everything that asks joblib.

Workers change no byte: results come in the order of the work, or go where order plays no role.
What is not public in joblib and its Dask backend is touched at the end of this file alone;
``tests/test_adapters.py`` checks that it is as we know it, and names the versions it was seen with.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

from lexsub.errors import ConfigError, LexsubError, UnknownNameError, needing
from lexsub.parts import plugins
from lexsub.progress import tallied, track
from lexsub.resources import Resources
from lexsub.storage.files import atomic_write, writing
from lexsub.storage.memory import seldom_collected

PATIENCE = 20.0
"""Seconds that a scheduler may take to answer a connection; a question gets three times as long."""

E = TypeVar("E")
T = TypeVar("T")

BACKENDS = ("loky", "threading", "multiprocessing", "sequential", "dask")
"""joblib's own and dask's, known without importing it."""


def check_backend(name: str) -> None:
    """Make sure that joblib has a backend of this name.

    Raises:
        UnknownNameError: it has none; lists the nearest ones.
    """
    if name in BACKENDS:
        return
    from joblib import parallel

    known = {*BACKENDS, *parallel.BACKENDS, *parallel.EXTERNAL_BACKENDS}
    if name not in known:
        raise UnknownNameError("joblib backend", name, known)


def run(
    jobs: Iterable[Callable[[], T]],
    workers: int,
    backend: str,
    label: str = "",
    total: int | None = None,
    *,
    ordered: bool = True,
) -> Iterator[T]:
    """Run jobs and yield their results.

    Jobs are drawn from ``jobs`` only as workers get free, so that an endless stream of
    them is never held in memory.  With the backend ``dask`` they run on the cluster whose
    scheduler a default client or ``DASK_SCHEDULER_ADDRESS`` names; its workers must see
    the same files.

    Args:
        jobs: what to call, mostly a ``partial``; it travels to a worker.
        workers: how many processes or threads; on a cluster, all that there are.
        backend: joblib's name of what runs them.
        label: what the progress bar says; "" for no bar.
        total: how many jobs there are, where that is known.
        ordered: yield results in the order of the jobs, not as they come.

    Raises:
        UnknownNameError: an unknown backend.
        ConfigError: no cluster to be found.
        MissingExtraError: the backend is dask and dask is not installed.
        LexsubError: a worker process was killed, or a cluster has none, loses one after the
            other at the same job, or has lost its scheduler.
    """
    check_backend(backend)
    if workers == 1 and backend != "dask":
        results = (job() for job in jobs)
        yield from track(results, label, total) if label else results
        return
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed, parallel_config, wrap_non_picklable_objects
    from joblib.parallel import get_active_backend

    with ExitStack() as stack:
        client = stack.enter_context(connected(backend))
        stack.enter_context(_on_a_safe_path())
        stack.enter_context(parallel_config(backend=backend))
        returned = "generator" if ordered else "generator_unordered"
        if not get_active_backend()[0].supports_return_generator:  # multiprocessing
            returned = "list"
        parallel = Parallel(n_jobs=-1 if backend == "dask" else workers, return_as=returned)
        if backend == "multiprocessing":  # what the others pickle by value, this one by name
            jobs = map(wrap_non_picklable_objects, jobs)
        # On a cluster the workers' parent is not this process, and looks after them itself.
        caller = 0 if backend == "dask" else os.getpid()
        try:
            if backend == "dask":
                mend_dask(get_active_backend()[0])
            folder = _current_folder()
            found = parallel(delayed(_in_worker)(job, caller, folder) for job in jobs)
            yield from track(found, label, total) if label else found
        except BrokenProcessPool as error:
            raise LexsubError(
                "a worker process was ended from outside (by a signal, or by the system for want "
                "of memory); what was finished is kept: run again, with fewer workers"
            ) from error
        except Exception as error:
            problem = _of_cluster(client, error) if backend == "dask" else ""
            if isinstance(error, LexsubError) or not problem:
                raise
            raise LexsubError(f"{problem}; what was finished is kept: run again") from error


def _of_cluster(client: Any, error: Exception) -> str:
    """Say what is wrong with a cluster on which work failed; "" where the work itself did."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    if isinstance(error, CancelledError) or client.status != "running":
        return (
            "the Dask cluster is gone: its scheduler was ended, or cannot be reached any more; "
            "start it anew"
        )
    if isinstance(error, KilledWorker):
        return (
            "one job ended the Dask worker that did it, several times over, most likely for want "
            "of memory; give the workers more of it, or the job less (memory)"
        )
    if not isinstance(error, TimeoutError):
        return ""
    try:
        cores = _in_time(client.ncores)
    except TimeoutError:
        return "the Dask scheduler answers nothing any more; start it anew"
    return "" if cores else "the Dask cluster has no worker; start one"  # a job may time out, too


def _in_time(ask: Callable[[], T]) -> T:
    """Return what a cluster answers.

    Dask waits for ever for the first word of whatever has taken a connection: a scheduler that is
    held up, or another program that got its port.
    """
    answer: Future[T] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=wait, daemon=True).start()
    return answer.result(3 * PATIENCE)


def in_blocks(
    work: Callable[[Iterable[E]], list[T]], entries: Sequence[E], resources: Resources, label: str
) -> list[T]:
    """Apply ``work`` to contiguous blocks of entries, one a worker, and join the results.

    An entry is an item with all that is its own; what ``work`` holds beside travels to every
    worker.  The block borders cannot change a result: work goes entry by entry, and products
    of matrices, whose last bits depend on the number of threads, have one.
    """
    # Parts that a worker finds by name (those of a trained model) may be a plugin's.
    known = plugins.known()

    def quietly(block: Iterable[E]) -> list[T]:
        from threadpoolctl import threadpool_limits

        plugins.know(known)
        with seldom_collected(), threadpool_limits(1, "blas"):
            return work(block)

    workers = resources.workers
    if workers == 1 or len(entries) < 2:
        return quietly(track(entries, label, len(entries)))
    size = -(-len(entries) // workers)
    blocks = [entries[start : start + size] for start in range(0, len(entries), size)]
    with tallied(f"{label}, {len(blocks)} workers", len(entries)) as tally:

        def counted(block: Sequence[E], worker: int) -> list[T]:
            return quietly(tally.count(block, worker))

        jobs = (partial(counted, block, worker) for worker, block in enumerate(blocks))
        if resources.backend == "dask":
            return list(_by_files(jobs, workers, resources.cache))
        return [one for result in run(jobs, workers, resources.backend) for one in result]


def _by_files(jobs: Iterable[Callable[[], list[T]]], workers: int, place: Path) -> Iterator[T]:
    """Run jobs on a cluster and yield what is in their results, in order.

    Jobs and results are files in the cache folder, which all machines see: what a worker is told
    or returns would go through the scheduler.
    """
    import cloudpickle  # straight into the file: joblib's wrapper holds all bytes at once

    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="results-", dir=place))
    try:
        files = []
        for number, job in enumerate(jobs):
            files.append(folder / str(number))
            with atomic_write(files[-1].with_suffix(".job")) as told:
                cloudpickle.dump(job, told)
        list(run([partial(_work, file) for file in files], workers, "dask"))
        for file in files:
            yield from _read(file)
    finally:
        rmtree(folder, ignore_errors=True)


def _work(file: Path) -> None:
    """Do the job beside a file, and write there what it returns; runs in a worker."""
    result = _read(file.with_suffix(".job"))()
    with atomic_write(file) as out:
        pickle.dump(result, out)


def _read(file: Path) -> Any:
    if not file.is_file():
        raise LexsubError(
            f"{file}: was written by another process of the Dask cluster, and is not here; let "
            "the cache folder (LEXSUB_CACHE) be one that all machines see"
        )
    with file.open("rb") as written:
        return pickle.load(written)


@contextmanager
def connected(backend: str) -> Iterator[Any]:
    """Give out what a backend wants around its work: for dask, the default or the named cluster.

    Raises:
        ConfigError: the environment names none, or it does not answer.
        MissingExtraError: dask is not installed.
    """
    if backend != "dask":
        yield None
        return
    with needing("dask.distributed", "dask", "the backend dask"):
        from distributed import Client, get_client
    try:
        given = get_client()
    except ValueError:
        given = None
    if given is not None:
        yield given
        return
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if not address:
        raise ConfigError(
            "backend: found 'dask' but no cluster; set DASK_SCHEDULER_ADDRESS to the address "
            "that dask scheduler printed (tcp://host:8786)"
        )
    # What is wrong with a connection is said in one line, by us.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    # One that never answers must not be the default of the next call.
    connect: Any = partial(Client, address, timeout=PATIENCE, set_as_default=False)
    try:
        client = _in_time(connect)
    except OSError as error:
        reason = f": {error}" if str(error) else ""
        raise ConfigError(f"backend: no dask scheduler answers at {address}{reason}") from error
    with client, client.as_current():
        yield client


@contextmanager
def _on_a_safe_path() -> Iterator[None]:
    """Keep worker processes from importing what lies in the current folder.

    They are started by ``python -m`` and ``python -c``, which look there first: a file
    ``random.py`` beside the user's data would be executed.  The paths of this process follow.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _in_worker(job: Callable[[], T], caller: int, folder: str | None) -> T:
    allow_large_workers()
    if caller and os.getpid() != caller:
        _follow(caller)
        # It may have been started by an earlier call, from another folder.
        if folder is not None and folder != _current_folder():
            os.chdir(folder)
    return job()


def _current_folder() -> str | None:
    """Return the current folder, None where it has been removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return None


@cache
def _follow(caller: int) -> None:
    """Let this worker process end when its parent does, however that ends, and not before."""
    # Ctrl-C goes to all processes of a terminal; what is to be done the parent says.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == caller:
            time.sleep(1)
        os._exit(1)

    if os.getppid() != caller:  # ended while this process was starting
        watch()
    threading.Thread(target=watch, daemon=True).start()


def mend_dask(backend: Any) -> None:
    """Mend what joblib does with a cluster whose workers end.

    It works in this process where there is one worker, and a cluster that is starting one anew
    has one less; and it waits for ever for a job that the scheduler has given up.

    Args:
        backend: joblib's ``DaskDistributedBackend``.
    """
    number, submit = backend.effective_n_jobs, backend.submit

    def submitted(job: Any, callback: Callable[[Any], None]) -> Any:
        def told(done: Any) -> None:
            if done.exception():
                callback(done.exception())

        future = submit(job, callback)
        future.add_done_callback(told)
        return future

    backend.effective_n_jobs = lambda wanted: max(_in_time(partial(number, wanted)), 2)
    backend.submit = submitted


def end_workers() -> None:
    """End the processes that joblib keeps for the next call, whatever they are doing."""
    loky: Any = sys.modules.get("joblib.externals.loky.reusable_executor")
    executor = getattr(loky, "_executor", None)
    if executor is not None:
        executor.shutdown(wait=True, kill_workers=True)


def allow_large_workers() -> None:
    """Let a worker of loky grow.

    Where psutil is installed (Dask brings it), loky takes a worker that has grown by 300 MB for
    a leak and starts another. A mapped model is larger than that, and no leak; a new worker
    imports everything again and has none of the word forms that the old one had looked up.
    """
    loky: Any = sys.modules.get("joblib.externals.loky.process_executor")
    if loky is not None and hasattr(loky, "_MAX_MEMORY_LEAK_SIZE"):
        loky._MAX_MEMORY_LEAK_SIZE = sys.maxsize
