"""``lexsub parts``: every name that a config can hold, without learning it from an error."""

from __future__ import annotations

import json

import pytest

from lexsub.cli import main
from lexsub.cli.parts import KINDS


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as status:
        main(["parts", *arguments])
    out, err = capsys.readouterr()
    return int(status.value.code or 0), out, err


def test_every_part_has_a_line_and_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "--json")
    found = json.loads(out)
    assert status == 0
    assert list(found) == list(KINDS)
    assert all(parts and all(parts.values()) for parts in found.values())
    assert {"wordnet", "union"} <= set(found["source"])
    assert found["data"]["tutorial"] == "test, trial, all"
    for kind, parts in found.items():
        for name in parts:
            status, out, _ = call(capsys, kind, name, "--json")
            one = json.loads(out)
            assert (status, one["name"]) == (0, name)
            assert one["about"]
            # An option that nobody explains is a gap in its docstring.
            assert [option for option in one["options"] if not option["about"]] == []


def test_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "boundary")
    lines = out.splitlines()
    assert (status, lines[0]) == (0, "boundary: boundaries (best, oot)")
    assert "  top-n           Keep the first n candidates (all, where there are fewer)." in lines
    _, out, _ = call(capsys, "boundary", "top-n")
    assert out.startswith("top-n\n\nKeep the first n candidates")
    assert "\n  n (default 10, at least 1)\n" in out


def test_a_name_alone_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "top-n")
    assert (status, out.splitlines()[0]) == (0, "top-n: boundaries (best, oot)")
    assert "\n  n (default 10, at least 1)\n" in out
    _, out, _ = call(capsys, "wordnet", "--json")
    assert [one["kind"] for one in json.loads(out)] == ["source", "detector", "feature"]


def test_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        (("rnker",), "unknown kind of part 'rnker'; did you mean ranker"),
        (("ranker", "ordr"), "unknown ranker 'ordr'; did you mean order"),
    ]:
        status, out, err = call(capsys, *arguments)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert message in err
