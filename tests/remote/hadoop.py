"""A namenode and a datanode of Hadoop on this machine, where its classes are at hand.

``LEXSUB_HADOOP`` is their class path.  No package for tests carries them; these do, with Java 17
(the first is as large as 220 MB; jersey 1 has to stand before its jersey 2)::

    pip install 'setuptools<70' wheel
    pip download --no-deps --no-build-isolation --no-binary :all: pyspark==2.4.8
    tar xzf pyspark-2.4.8.tar.gz
    apt-get install libjersey1-server-java libjersey1-servlet-java libcommons-daemon-java
    export LEXSUB_HADOOP="$(ls /usr/share/java/{jsr311-api,jersey1-*,commons-daemon}.jar |
        tr '\\n' :)$PWD/pyspark-2.4.8/deps/jars/*"
    pip install hdfs-native
    python -m pytest tests/remote/test_hadoop.py
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.conftest import PATIENCE

_OPENED = ("java.lang", "java.util", "java.io", "java.net", "sun.nio.ch")
_BLOCK = 1 << 23


@dataclass(frozen=True)
class Hadoop:
    """Two servers, by the name of their kind, and where they are asked."""

    servers: dict[str, subprocess.Popen[bytes]]
    hdfs: str
    webhdfs: str

    def kill(self, kind: str) -> None:
        self.servers[kind].send_signal(signal.SIGKILL)
        self.servers[kind].wait()


@contextmanager
def hadoop(folder: Path) -> Iterator[Hadoop]:
    """Serve an empty file system out of a folder."""
    if "LEXSUB_HADOOP" not in os.environ:
        pytest.skip("no Hadoop (LEXSUB_HADOOP, its class path; tests/remote/hadoop.py)")
    rpc, web, *others = _free_ports(5)
    _configure(folder, rpc, web, others)
    subprocess.run([*_java("namenode.NameNode", folder), "-format", "-nonInteractive"],
                   check=True, capture_output=True)  # fmt: skip
    servers: dict[str, subprocess.Popen[bytes]] = {}
    with (folder / "log").open("wb") as log:
        try:
            for kind in ("namenode.NameNode", "datanode.DataNode"):
                servers[kind.partition(".")[0]] = subprocess.Popen(
                    _java(kind, folder), stdout=log, stderr=log
                )
            _wait(f"http://127.0.0.1:{web}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState",
                  '"NumLiveDataNodes" : 1', folder / "log")  # fmt: skip
            yield Hadoop(servers, f"hdfs://127.0.0.1:{rpc}", f"webhdfs://127.0.0.1:{web}")
        finally:
            for server in servers.values():
                server.kill()
                server.wait()


def _java(kind: str, folder: Path) -> list[str]:
    opened = [word for one in _OPENED for word in ("--add-opens", f"java.base/{one}=ALL-UNNAMED")]
    # What Hadoop 2 asks of Java's Kerberos before anybody has said that there is none.
    inner = ["--add-exports", "java.security.jgss/sun.security.krb5=ALL-UNNAMED"]
    classes = f"{folder}:{os.environ['LEXSUB_HADOOP']}"
    return ["java", "-Xmx300m", *opened, *inner, "-cp", classes,
            f"org.apache.hadoop.hdfs.server.{kind}"]  # fmt: skip


def _configure(folder: Path, rpc: int, web: int, others: list[int]) -> None:
    settings = {
        "fs.defaultFS": f"hdfs://127.0.0.1:{rpc}",
        "hadoop.tmp.dir": str(folder / "data"),
        "dfs.namenode.http-address": f"127.0.0.1:{web}",
        "dfs.datanode.hostname": "localhost",
        "dfs.replication": "1",
        "dfs.blocksize": str(_BLOCK),
        "dfs.permissions.enabled": "false",
    }
    for name, port in zip(("address", "ipc.address", "http.address"), others, strict=True):
        settings[f"dfs.datanode.{name}"] = f"127.0.0.1:{port}"
    lines = (f"<property><name>{name}</name><value>{value}</value></property>"
             for name, value in settings.items())  # fmt: skip
    document = f"<configuration>{''.join(lines)}</configuration>"
    for file in ("core-site.xml", "hdfs-site.xml"):  # each goes before its kind's defaults alone
        (folder / file).write_text(document)
    for page in ("hdfs", "datanode"):  # their pages are in no package
        (folder / "webapps" / page / "WEB-INF").mkdir(parents=True)
        (folder / "webapps" / page / "WEB-INF" / "web.xml").write_text("<web-app/>")


def _free_ports(number: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _wait(address: str, sign: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE / 10
    while time.monotonic() < end:
        with suppress(requests.ConnectionError):
            if sign in requests.get(address, timeout=PATIENCE).text:
                return
        time.sleep(0.2)
    pytest.fail(f"Hadoop did not start:\n{log.read_text()[-2000:]}")
