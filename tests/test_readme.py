"""What the README shows works as shown."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess

import pytest

from tests import forked
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith("lexsub ")
]


def lexsub(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.lexsub(*arguments, cwd=ROOT, environment=os.environ)


def test_the_readme_shows_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_and_options_exist(line: str) -> None:
    words = shlex.split(line)[1:]
    # The subcommand's own help decides; a group's help names its subcommands.
    path = [words[0]]
    help_text = lexsub(*path, "--help").stdout
    if re.search(r"^Commands:", help_text, re.MULTILINE):
        path.append(words[1])
        result = lexsub(*path, "--help")
        assert result.returncode == 0, result.stderr
        help_text = result.stdout
    assert help_text.startswith("Usage: ")
    for option in re.findall(r"(?<!\S)-{1,2}[a-z][\w-]*", " ".join(words)):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", help_text), f"{option} in {path}"


def test_ci_finds_both_commands() -> None:
    for name in ("quickstart", "tests"):
        block = README.split(f"<!-- command: {name} -->\n```sh\n")[1].split("```")[0]
        assert block.startswith("python3 -m venv .venv && ")
        assert len(block.splitlines()) == 1


def test_the_readme_says_the_models_size_as_model_list_does() -> None:
    listed = json.loads(lexsub("model", "list", "--json").stdout)
    (size,) = (one["bytes"] for one in listed if one["name"] == "english")
    (said,) = re.findall(r"(\d+) MB unpacked", README)
    assert abs(size / 1e6 - int(said)) < 1
