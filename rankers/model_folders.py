"""Where the models are that rankers and features name."""

from __future__ import annotations

from pathlib import Path

from lexsub.errors import MissingResourceError
from lexsub.resources import Resources


def model_folder(resources: Resources, model: str, kind: str) -> Path:
    """Return the folder of a model by its name in ``[models]``, or the path itself.

    Args:
        resources: the models by name.
        model: the name.
        kind: what it should be, as ``lm``, for the message.

    Raises:
        MissingResourceError: no model of that name, no such folder.
    """
    if model in resources.models:
        return resources.models[model]
    folder = Path(model)
    if not folder.exists():
        known = ", ".join(sorted(resources.models)) or "none"
        way = ", or train one with 'lexsub lm train'" if kind == "lm" else ""
        raise MissingResourceError(
            f"model {model!r} is neither in [models] (known: {known}) nor a folder: add "
            f'[models.{model}] with kind = "{kind}" to the config{way}'
        )
    return folder
