"""``python -m lexsub`` is the ``lexsub`` command."""

from lexsub.cli import main

main()
