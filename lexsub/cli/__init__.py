"""The ``lexsub`` command.

Each subcommand is the function ``command`` of a module of its name, or one of several in a module;
it is imported only when it is called, so that ``lexsub --help`` answers at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from lexsub import __version__
from lexsub.cli.streams import Caught, ReaderGoneError, ended_by_signals, sound_streams
from lexsub.errors import LexsubError, UnknownNameError, did_you_mean, one_line, os_problem
from lexsub.printable import printable
from lexsub.storage.memory import seldom_collected

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# name → (module, or module:function, and one-line help); the help stands here so that listing
# imports nothing.  A command that shares its module stands behind the module's name.
COMMANDS: dict[str, tuple[str, str]] = {
    home.rpartition(":")[2]: (f"lexsub.cli.{home}", text)
    for home, text in {
        "score:compare": "Test whether systems differ by more than chance.",
        "agreement": "Say how far annotators, judges and golds agree.",
        "augment": "Write texts again with some of their words replaced.",
        "help:completion": "Print the script that completes commands.",
        "doctor": "List what is here, and how to get what is not.",
        "papers:coconut": "Test models on plausible utterances.",
        "corpus": "Find sentences of a data set in a corpus.",
        "convert": "Convert system outputs from one format to another.",
        "validate": "List what the official scorer would take amiss.",
        "data": "List data sets, get them, say where they are.",
        "official": "Score exactly as the official SemEval-2007 scorer.",
        "runs:boundary": "Compare boundary strategies over a run's rankings.",
        "runs:explain": "Show an item's candidates, score parts and gold counts.",
        "help": "Explain a command, config key, part or Python name.",
        "run:learned": "Say what a learned ranker owes to features, sources and training data.",
        "lm": "Train language models, take foreign ones in, ask them.",
        "model": "Build models, show them, hand them on, choose one.",
        "score": "Score system outputs with any measure of the field.",
        "parts": "List everything a config can name, with its options.",
        "posthoc": "Have answers judged afterwards; make a second gold.",
        "papers:registers": "Classify documents by register.",
        "runs:plot": "Plot a run's curves and comparisons as files for papers.",
        "runs:report": "Show what runs did, as a page to look at.",
        "run:reproduce": "Rebuild the published tables.",
        "run": "Run an experiment from its config file.",
        "suggest:serve": "Serve a page to try it on, and the same for programs.",
        "suggest": "Suggest substitutes for a word in a sentence.",
        "thesaurus": "Build distributional thesauri, ask them, export.",
        "vectors": "Build word vectors, take files of them in, ask them.",
        "wordnet": "Say which WordNet is in use, look words up, get it.",
    }.items()
}


ONE_THREAD = {"boundary", "compare", "report", "run", "score"}
"""Commands that have no use for numpy's threads: to start them and to let them wait for work takes
a third of the time of a score.  What is large in a run is given one thread in any case, so that
the last bits of sums are the same everywhere; its workers are processes."""


class LazyGroup(click.Group):
    """A command group that imports a subcommand when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the subcommands by name."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subcommand and return its command."""
        if cmd_name not in COMMANDS:
            # A plugin may register it. Plugins are loaded only now, not when commands are listed.
            from lexsub.parts.plugins import load_installed

            load_installed()
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in ONE_THREAD:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from lexsub.cli.common import adopt

        module, _, function = COMMANDS[cmd_name][0].partition(":")
        return adopt(getattr(import_module(module), function or "command"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; an unknown one is answered with the nearest names."""
        named = bool(args) and not args[0].startswith("-")
        unknown = named and self.get_command(ctx, args[0]) is None
        if unknown and not ctx.resilient_parsing:
            raise UnknownNameError("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of subcommands without importing them."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=help_text)
            for name, (_, help_text) in sorted(COMMANDS.items())
            if name.startswith(incomplete)
        ]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in sorted(COMMANDS.items())])


READER_GONE = 128 + 13
"""Exit status when the reader has gone, as of a Unix tool that SIGPIPE has ended."""

STATUSES = {
    0: "done",
    1: "the work was done and found faults (validate, official, suggest) or shared text (corpus)",
    2: "the input or the call was wrong; one line on stderr says what and the way out",
    130: "interrupted (Ctrl-C), as 143 (TERM) and 129 (HUP); what was finished is kept",
    READER_GONE: "the output was not read to its end",
}
"""What the exit statuses mean."""


@click.group(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog="Exit status: " + "; ".join(f"{code} {text}" for code, text in STATUSES.items()) + ".",
)
@click.version_option(__version__, prog_name="lexsub")
def root() -> None:
    """Generate, rank, cut, score and reproduce lexical substitution.

    Every command has --help and, where it prints results, --json. NO_COLOR is respected.
    Documentation: docs/ in the repository.
    """


def main(argv: list[str] | None = None) -> Any:
    """Run the command; a user's mistake is one line on stderr and exit status 2."""
    # All goes with the process; to look through it for garbage first takes a third of a second.
    atexit.register(gc.freeze)
    # What a command reads mostly lives to its end; looking through it takes a fifth of a report.
    with seldom_collected(), ended_by_signals() as caught, sound_streams() as finish:
        sys.exit(_status(argv, caught, finish))


def _status(argv: list[str] | None, caught: Caught, finish: Callable[[], None]) -> int:
    """Run the command and return the exit status."""
    try:
        # Not standalone: click would end an interrupted call with 1, as if faults were found.
        status = root.main(args=argv, prog_name="lexsub", standalone_mode=False)
        finish()
        return status or 0
    except ReaderGoneError:
        return READER_GONE
    except LexsubError as error:
        _tell(str(error))
        # Work that an error left behind ends with the process, and that is no news.
        warnings.filterwarnings("ignore", message=r"\d+ tasks? (which|have)", category=UserWarning)
        return 2
    except OSError as error:
        if error.filename is None:
            raise
        # A name that the system refuses wherever it is looked at, as one that is too long.
        _tell(f"{os.fsdecode(error.filename)}: {os_problem(error)}")
        return 2
    except MemoryError:
        _tell("there is not enough memory for this")
        return 2
    except click.ClickException as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            error.show()  # a group's list of commands, which was asked for without its name
        else:
            _tell(_wrong_call(error).replace("\n", "\\n"))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _tell(str(caught))
        if "joblib" in sys.modules:
            from lexsub.parallel import end_workers

            end_workers()
        return caught.status
    except SystemExit as ended:
        if _COMPLETING in os.environ:
            raise
        # No command of ours calls sys.exit, so a plugin did: the work is not done, whatever
        # status it gave.
        _tell(f"a part of your own ended the program (sys.exit({ended.code!r})); let it raise")
        return 2


def _wrong_call(error: click.ClickException) -> str:
    """Say what is wrong with a call, and where its options are told, in one line."""
    told = error.format_message().rstrip(".")
    told = told[:1].lower() + told[1:]
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return told
    command = context.command
    if isinstance(error, click.NoSuchOption):
        options = {name for one in command.get_params(context) for name in one.opts}
        near = did_you_mean(error.option_name, {one for one in options if one.startswith("--")})
        told = f"no such option {error.option_name}{near}"
    if isinstance(command, click.Group) and hasattr(error, "command_name"):
        known = command.list_commands(context)
        told = str(UnknownNameError("command", error.command_name, known))
    name = context.command_path.removeprefix("lexsub").strip()
    return f"{name and f'{name}: '}{told} (see {context.command_path} --help)"


_COMPLETING = "_LEXSUB_COMPLETE"
_LONGEST = 2_000
"""Characters of a line of an error; a name may be of any length."""


def _tell(problem: str) -> None:
    lines = (printable(one_line(line, _LONGEST)) for line in problem.split("\n"))
    print("lexsub: " + "\n".join(lines), file=sys.stderr)
