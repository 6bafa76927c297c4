"""Dask clusters on this machine, for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SCRIPT = """\
import sys, time
from tests.clusters import started
if __name__ == '__main__':
    with started(known=sys.argv[1:]) as local:
        print(local.scheduler_address, flush=True)
        time.sleep(600)
"""


KNOWN = ["distributed", "lexsub.rankers.lm.training", "lightgbm", "s3fs",
         "tests.distributional.test_cluster", "tests.warm"]  # fmt: skip
"""What workers will import: the process that they are forked from has done so, once for all."""


def started(workers: int = 2, known: Sequence[str] = KNOWN) -> Any:
    """Start a cluster whose scheduler is in this process."""
    import dask
    import distributed
    from distributed.utils import get_mp_context

    dask.config.set({
        # A worker that is ended twice within that time would not be started again.
        "distributed.deploy.lost-worker-timeout": "1h",
        "distributed.worker.multiprocessing-method": "forkserver",
    })  # fmt: skip
    get_mp_context().set_forkserver_preload(list(known))
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None,
        env=dict(os.environ),  # which a server that was started earlier does not know
    )  # fmt: skip


@contextmanager
def apart(tmp_path: Path, *known: str) -> Iterator[tuple[int, str]]:
    """Start a cluster of two workers in processes of its own; give out its group and address.

    Its workers come from a process of its own, too, which imports what is named and no more:
    all that is known takes it eight seconds.
    """
    file = tmp_path / "cluster.py"
    file.write_text(SCRIPT)
    paths = os.pathsep.join(sys.path)  # it finds the tests' own jobs
    process = subprocess.Popen(
        [sys.executable, str(file), "distributed", *known], stdout=subprocess.PIPE, text=True,
        start_new_session=True, env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().strip()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
