"""The same job on a real (local) Dask cluster of two workers: the same bytes."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexsub.candidates.distributional import windows
from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.errors import ConfigError
from lexsub.resources import Resources
from tests.distributional.test_thesaurus import everything

LINES = [f"the {a} {b} {c} the {d}" for a in ("old", "new", "red") for b in ("cup", "mug", "pot")
         for c in ("stands", "falls") for d in ("table", "shelf", "floor")]  # fmt: skip


@pytest.fixture
def cluster() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
    ):
        yield local.scheduler_address


def build(tmp_path: Path, **settings: object) -> dict[str, bytes]:
    source = tmp_path / "text.txt"
    source.write_text("\n".join(LINES))
    folder = tmp_path / "made"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    resources = Resources(cache=tmp_path / "cache", **settings)  # type: ignore[arg-type]
    builder = ThesaurusBuilder(text=(str(source),), form_tokens=1, word_tokens=1, tables=("lin",))
    builder.build(resources, folder)
    return everything(folder)


@pytest.mark.filterwarnings("ignore")
def test_two_dask_workers_write_the_same_bytes(
    tmp_path: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "BLOCK", 150)
    alone = build(tmp_path)
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster)
    assert build(tmp_path, backend="dask") == alone


def test_no_cluster_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(ConfigError, match="set DASK_SCHEDULER_ADDRESS"):
        build(tmp_path, backend="dask")
