"""Watches this process, those it has started, and a folder."""

from __future__ import annotations

import _thread
import os
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

LEAST_FREE = 4e9
"""Bytes of the disk; with less, all is stopped."""


class Watch:
    """Samples this process, those it has started, and the folder; stops all when the disk fills.

    Attributes:
        memory: greatest resident memory of any worker, of this process where there is none; bytes.
        lately: the same since somebody set it to 0.
        own: that of this process, in which client and scheduler are.
        disk: greatest size of the folder.
        processor: seconds of processor time of all processes so far.
        full: whether the disk was nearly full.
    """

    def __init__(self, folder: Path, alone: bool) -> None:
        self.folder, self.full, self._alone = folder, False, alone
        self.memory = self.lately = self.own = self.disk = 0
        self._used: dict[int, float] = {}
        self._written: dict[int, int] = {}
        self._began = time.perf_counter()
        self._stop = threading.Event()
        self.sample()
        self._before, self._written_before = sum(self._used.values()), sum(self._written.values())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def processor(self) -> float:
        return sum(self._used.values()) - self._before

    @property
    def written(self) -> int:
        return sum(self._written.values()) - self._written_before

    def sample(self) -> None:
        me = psutil.Process()
        children = me.children(recursive=True)
        for one in (me, *children):
            with suppress(psutil.Error):
                times, resident = one.cpu_times(), one.memory_info().rss
                self._used[one.pid] = times.user + times.system
                self._written[one.pid] = one.io_counters().write_bytes
                if one is me:
                    self.own = max(self.own, resident)
                if (one is me) == self._alone:
                    self.lately = max(self.lately, resident)
                    self.memory = max(self.memory, resident)

    def _run(self) -> None:
        turn = 0
        while not self._stop.wait(0.25):
            self.sample()
            turn += 1
            if turn % 20 == 0:
                self.disk = max(self.disk, bytes_on_disk(self.folder))
                free = shutil.disk_usage(self.folder).free
                if free < LEAST_FREE and not self.full:
                    self.full = True
                    _thread.interrupt_main()
            if turn % 120 == 0:
                took = time.perf_counter() - self._began
                files = {
                    what: sum(1 for _ in self.folder.glob(f"cache*/thesaurus/*/{place}"))
                    for what, place in (
                        ("pieces read", "forms/*.json"), ("runs", "runs/*.parquet"),
                        ("parts merged", "merged/*.contexts.parquet"),
                    )
                }  # fmt: skip
                said = ", ".join(f"{number} {what}" for what, number in files.items())
                print(
                    f"  {took:.0f} s, {self.processor:.0f} s of processor: {said}; greatest "
                    f"worker {self.memory / 1e6:.0f} MB; on disk "
                    f"{bytes_on_disk(self.folder) / 1e9:.2f}, free {free / 1e9:.1f} GB; "
                    f"load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self.sample()


def bytes_on_disk(folder: Path) -> int:
    """Return what a folder takes on the disk."""
    total = 0
    seen = set()
    for path in folder.rglob("*"):
        with suppress(OSError):
            status = path.stat()
            if status.st_ino not in seen:  # a finished file has two names for a moment
                seen.add(status.st_ino)
                total += status.st_blocks * 512
    return total
