"""``lexsub completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    \b
    bash: eval "$(lexsub completion bash)"   in ~/.bashrc
    zsh:  eval "$(lexsub completion zsh)"    in ~/.zshrc
    fish: lexsub completion fish > ~/.config/fish/completions/lexsub.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    from lexsub.cli import root

    kind = get_completion_class(shell)
    assert kind is not None, shell
    script = kind(root, {}, "lexsub", "_LEXSUB_COMPLETE")
    # Not by source(), which first runs the shell to learn its version.
    click.echo(script.source_template % script.source_vars())
