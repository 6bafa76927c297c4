"""What is not public in joblib and its Dask backend, touched here alone.

``tests/test_adapters.py`` checks that it is as we know it, and names the versions it was seen with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


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

    backend.effective_n_jobs = lambda wanted: max(number(wanted), 2)
    backend.submit = submitted


def end_workers() -> None:
    """End the processes that joblib keeps for the next call, whatever they are doing."""
    loky: Any = sys.modules.get("joblib.externals.loky.reusable_executor")
    executor = getattr(loky, "_executor", None)
    if executor is not None:
        executor.shutdown(wait=True, kill_workers=True)


def let_grow() -> None:
    """Let a worker of loky grow.

    Where psutil is installed (Dask brings it), loky takes a worker that has grown by 300 MB for
    a leak and starts another. A mapped model is larger than that, and no leak; a new worker
    imports everything again and has none of the word forms that the old one had looked up.
    """
    loky: Any = sys.modules.get("joblib.externals.loky.process_executor")
    if loky is not None and hasattr(loky, "_MAX_MEMORY_LEAK_SIZE"):
        loky._MAX_MEMORY_LEAK_SIZE = sys.maxsize
