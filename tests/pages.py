"""Runs the fenced blocks of a page, as a reader would type them: ``python -m tests.pages PAGE``.

A page is one story in one (empty) folder.  Blocks are taken in order:

* ``console``: lines behind ``$`` are commands, what follows is what they must print (both
  streams); ``…`` stands for anything within a line, a line of ``…`` alone for any lines.
* ``sh``: commands that must succeed.
* ``python``: run in one namespace for the whole page; a following ``text`` block marked
  ``<!-- prints -->`` must be what it prints.
* any block under ``<!-- file: NAME -->`` is written to that file.
* ``<!-- not run: REASON -->`` and ``<!-- data -->`` (needs the data sets) leave a block out; the
  latter are run with ``--data``.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SHELL = re.compile(r"[|&;<>$*~`()]")


@dataclass(frozen=True)
class Block:
    """A fenced block with the remark above it and its line in the page."""

    mark: str
    language: str
    text: str
    line: int


def blocks_of(text: str) -> list[Block]:
    return [
        Block(
            match["mark"] or "", match["language"], match["text"],
            text.count("\n", 0, match.start("language")) + 1,
        )
        for match in BLOCK.finditer(text)
    ]  # fmt: skip


@dataclass
class Reader:
    """Somebody who types what a page shows."""

    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    printed: str = ""

    def do(self, block: Block) -> str:
        """Do what a block says; return what went wrong, "" for nothing."""
        if block.mark.startswith("file: "):
            path = Path(block.mark.removeprefix("file: "))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
            return ""
        if block.mark == "prints":
            return difference(block.text, self.printed)
        if block.language == "python":
            self.printed, fault = captured(lambda: exec(block.text, self.namespace))
            return fault
        if block.language in ("sh", "console"):
            for command, expected in commands(block):
                self.printed, fault = run(command)
                if fault:
                    return f"{command}: {fault}\n{self.printed}"
                if block.language == "console" and (wrong := difference(expected, self.printed)):
                    return f"{command}: {wrong}"
        return ""


def commands(block: Block) -> Iterator[tuple[str, str]]:
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if all(line.startswith("lexsub ") for line in lines):
            yield from ((line, "") for line in lines)
        else:
            yield f"set -e\n{text}", ""
        return
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def run(command: str) -> tuple[str, str]:
    words = shlex.split(command, comments=True)
    if words[0] == "lexsub" and not SHELL.search(re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", command)):
        from lexsub.cli import main

        return captured(lambda: main(words[1:]))
    shim = f'lexsub() {{ {shlex.quote(sys.executable)} -m lexsub "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", shim + command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    return done.stdout, "" if done.returncode == 0 else f"status {done.returncode}"


def captured(work: Any) -> tuple[str, str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    fault = ""
    with redirect_stdout(stream), redirect_stderr(stream):
        try:
            work()
        except SystemExit as stop:
            if stop.code not in (0, None):
                fault = f"status {stop.code}"
        except Exception:
            fault = traceback.format_exc()
    return stream.buffer.getvalue().decode(), fault  # type: ignore[attr-defined]


def difference(expected: str, printed: str) -> str:
    """Compare what a page shows with what came; blanks at line ends do not count."""
    wanted, came = (_trimmed(text) for text in (expected, printed))
    pattern = "".join(
        r"(?:.*\n)*?"
        if line.strip() == "…"
        else r".*?".join(map(re.escape, line.split("…"))) + "\n"
        for line in wanted.splitlines()
    )
    if re.fullmatch(pattern, came + "\n" if came else ""):
        return ""
    return f"the page shows\n{wanted}\nbut this came\n{came}"


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def main() -> None:
    page = Path(sys.argv[1]).resolve()
    with_data = "--data" in sys.argv
    os.chdir(sys.argv[2])
    os.environ["COLUMNS"] = "80"
    os.environ["PYTHONUNBUFFERED"] = "1"  # lines come in the order in which a terminal shows them
    sys.path.insert(0, "")
    reader = Reader()
    for block in blocks_of(page.read_text()):
        if block.mark.startswith("not run: ") or (block.mark == "data" and not with_data):
            continue
        if block.mark == "command: tests":  # CI runs it
            continue
        if block.mark == "command: quickstart":  # as CI does, without setting up
            block = replace(block, text="lexsub run quickstart --quiet\n")
        if fault := reader.do(block):
            print(f"{page.name}:{block.line}: {fault}")
            sys.exit(1)


if __name__ == "__main__":
    main()
