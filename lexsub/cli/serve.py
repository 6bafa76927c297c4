"""``lexsub serve``: a page to try substitutes on, and the same for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexsub.cli.common import COUNT, answering_options
from lexsub.resources import Resources

if TYPE_CHECKING:
    from lexsub.experiments.serving.workers import Opened, Opener


@click.command(short_help="Serve a page to try it on, and the same for programs.")
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Address to listen at; this one is reached from this machine alone.",
)
@click.option(
    "--port",
    default=8642,
    type=click.IntRange(0, 65535),
    help="Port to listen at; 0 takes one that is free, and prints it.",
)
@click.option(
    "--workers", default=2, type=COUNT, help="Processes that answer; each opens the system."
)
@click.option(
    "--timeout",
    "seconds",
    default=10.0,
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="How long a question may wait for a worker, and then for its answer.",
)
@click.option("--queue", default=200, type=COUNT, help="How many questions may wait.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="A site whose pages may ask, too, as http://localhost:3000.",
)
@answering_options
def command(
    host: str,
    port: int,
    workers: int,
    seconds: float,
    queue: int,
    origins: tuple[str, ...],
    opener: Opener,
    resources: Resources,
) -> None:
    """Serve a page on which to try words, and POST /suggest for programs, until Ctrl-C.

    The address is printed when it answers. /openapi.json describes what programs can ask. Only
    this machine reaches it unless --host says otherwise; texts are neither kept nor logged.
    """
    from lexsub.experiments.serving.running import require, serve

    del resources
    require()
    serve(
        opener,
        host=host,
        port=port,
        workers=workers,
        seconds=seconds,
        queue=queue,
        origins=origins,
        ready=_tell,
    )


def _tell(address: str, local: bool, opened: Opened) -> None:
    forms = "" if opened.inflected else ", substitutes as lemmas"
    click.echo(f"{opened.name}{forms}; Ctrl-C ends it", err=True)
    if not local:
        click.echo(
            "whoever reaches this machine can ask, and what is sent is not encrypted", err=True
        )
    click.echo(address)
