"""Run independent jobs on processes, threads or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from lexsub.errors import ConfigError, MissingExtraError, suggest
from lexsub.progress import track

BACKENDS = ("loky", "threading", "multiprocessing", "dask")


def run(
    jobs: Iterable[Any], total: int | None, label: str, workers: int, backend: str
) -> Iterator[Any]:
    """Run joblib jobs and yield their results as they come, in any order.

    Jobs are drawn from ``jobs`` only as workers get free, so that an endless stream of
    them is never held in memory.  With the backend ``dask`` they run on the cluster whose
    scheduler a default client or ``DASK_SCHEDULER_ADDRESS`` names; its workers must see
    the same files.

    Raises:
        ConfigError: an unknown backend, or no cluster to be found.
        MissingExtraError: the backend is dask and dask is not installed.
    """
    from joblib import Parallel, parallel_config

    if backend not in BACKENDS:
        raise ConfigError([f"backend: unknown backend {backend!r}{suggest(backend, BACKENDS)}"])
    with ExitStack() as stack:
        stack.enter_context(cluster() if backend == "dask" else nullcontext())
        stack.enter_context(parallel_config(backend=backend))
        workers = -1 if backend == "dask" else workers
        parallel = Parallel(n_jobs=workers, return_as="generator_unordered")
        yield from track(parallel(jobs), label, total)


def cluster() -> AbstractContextManager[Any]:
    """Return the default dask client, or one for the scheduler named in the environment.

    Raises:
        ConfigError: the environment names none, or it does not answer.
        MissingExtraError: dask is not installed.
    """
    try:
        from distributed import Client, get_client
    except ImportError:
        raise MissingExtraError("dask.distributed", "dask", "the backend dask") from None
    try:
        return nullcontext(get_client())
    except ValueError:
        pass
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if not address:
        raise ConfigError(
            [
                "backend: found 'dask' but no cluster; set DASK_SCHEDULER_ADDRESS to the address "
                "that dask scheduler printed (tcp://host:8786)"
            ]
        )
    try:
        connect: Any = Client
        client: AbstractContextManager[Any] = connect(address, timeout="20s")
    except OSError as error:
        raise ConfigError([f"backend: no dask scheduler answers at {address}: {error}"]) from error
    return client
