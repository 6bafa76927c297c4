"""What a learned ranker owes to its parts: derived experiments and their command."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w

from lexsub.cli import main
from lexsub.errors import ConfigError
from lexsub.experiments.config.derived import by_targets, without_families, without_sources
from lexsub.experiments.config.reading import make_experiment
from tests.caches import cache

UNION = {"name": "union", "sources": ["wordnet", {"name": "wordnet", "label": "more"}]}


def table(**more: object) -> dict[str, object]:
    return {
        "name": "small",
        "data": "tutorial/test",
        "models": {
            "learned": {
                "kind": "learned",
                "data": ["tutorial/test"],
                "folds": 2,
                "learner": {"name": "lambdarank", "trees": 3, "leaf": 2},
                "features": ["form", {"name": "form", "label": "again"}, "target"],
            }
        },
        "systems": [{"name": "all", "candidates": UNION, "ranker": "learned"}],
        **more,
    }


def test_each_family_is_left_out_once() -> None:
    derived = without_families(table())
    experiment = make_experiment(derived, Path())
    assert [system.name for system in experiment.systems] == [
        "all", "without-form", "without-again", "without-target",
    ]  # fmt: skip
    families = {name: list(model.families()) for name, model in experiment.models.items()}  # type: ignore[attr-defined]
    assert families == {
        "learned": ["form", "again", "target"],
        "without-form": ["again", "target"],
        "without-again": ["form", "target"],
        "without-target": ["form", "again"],
    }


def test_each_source_is_left_out_once_and_learned_without() -> None:
    derived = without_sources(table())
    make_experiment(derived, Path())
    sources = {s["name"]: s["candidates"]["sources"] for s in derived["systems"]}
    assert sources["without-wordnet"] == [UNION["sources"][1]]
    assert sources["without-more"] == ["wordnet"]
    assert sources["all"] == UNION["sources"]
    models = derived["models"]
    assert {name: model["system"] for name, model in models.items()} == {
        "learned": "all", "without-wordnet": "without-wordnet", "without-more": "without-more",
    }  # fmt: skip


def test_a_config_without_a_learned_model_is_told(tmp_path: Path) -> None:
    systems = [{"name": "x", "candidates": "wordnet"}]
    with pytest.raises(ConfigError, match="none ranks by a learned model"):
        by_targets(table(systems=systems), [2])
    systems[0]["ranker"] = "learned"
    with pytest.raises(ConfigError, match="no union"):
        without_sources(table(systems=systems))


def test_curve_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lightgbm")
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    config = tmp_path / "small.toml"
    config.write_text(tomli_w.dumps(table()))
    arguments = ["learned", "curve", str(config), "--targets", "2,4", "--out", str(tmp_path / "x")]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--quiet"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert "targets-2" in printed
    assert "targets-4" in printed
    assert "Holm p" in printed
    for wrong in ("two", "0", "4,-1"):
        with pytest.raises(SystemExit):
            main(["learned", "curve", str(config), "--targets", wrong])
        assert f"--targets is '{wrong}'" in capsys.readouterr().err
