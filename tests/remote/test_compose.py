"""The compose file of the page on clusters: it parses, and what it starts exists."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "how-to" / "cluster"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    return found


@pytest.mark.parametrize("service", ["scheduler", "worker"])
def test_the_commands_take_their_options(services: dict[str, Any], service: str) -> None:
    scheduler = pytest.importorskip("distributed.cli.dask_scheduler")
    worker = pytest.importorskip("distributed.cli.dask_worker")
    program, name, *words = shlex.split(services[service]["command"])
    assert (program, name) == ("dask", service)
    command = {"scheduler": scheduler, "worker": worker}[service].main
    given = command.make_context(name, words, resilient_parsing=False).params
    if service == "scheduler":
        assert services["worker"]["environment"]["DASK_SCHEDULER_ADDRESS"] == (
            f"tcp://scheduler:{given['port']}"
        )
    else:
        assert given["scheduler"] == services["worker"]["environment"]["DASK_SCHEDULER_ADDRESS"]
        assert given["local_directory"] in services["worker"]["volumes"]


def test_what_is_built_is_here(services: dict[str, Any]) -> None:
    for service in services.values():
        root = (FOLDER / service["build"]["context"]).resolve()
        assert root == ROOT
        assert (root / service["build"]["dockerfile"]).is_file()


def test_the_image_takes_extras_that_exist() -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    (line,) = [one for one in (FOLDER / "Dockerfile").read_text().splitlines() if ".[" in one]
    named = line.split("[")[1].split("]")[0].split(",")
    assert set(named) <= set(extras)
