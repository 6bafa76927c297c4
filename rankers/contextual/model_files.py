"""Where neural models are: in a folder of the user's, or on the Hugging Face hub."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from lexsub.errors import MissingResourceError, needing
from lexsub.resources import Resources

_HUB_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?")
"""No name there begins with a dot, as the path of a folder that is not there does."""


def local_folder(resources: Resources, model: str) -> Path | None:
    """Return the folder that a name in ``[resources]`` or a path stands for; None for neither."""
    named = resources.paths.get(model) or resources.models.get(model) or Path(model)
    folder = resources.here(named)
    return folder if folder.is_dir() else None


def local_model(resources: Resources, model: str) -> Path | None:
    """Return the folder, or the GGUF file, that a name or path stands for; None for neither."""
    file = resources.here(resources.paths.get(model) or Path(model))
    if file.suffix == ".gguf" and file.is_file():
        return file
    return local_folder(resources, model)


def model_files(resources: Resources, model: str) -> Sequence[Path]:
    """Return the files of a local model; none of one on the hub, which its name stands for.

    Raises:
        MissingResourceError: neither a folder, a file, nor what could be a name on the hub.
    """
    folder = local_model(resources, model)
    if folder is not None and folder.is_file():
        return (folder,)
    if folder is None:
        check_name(model)
        return ()
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))


def check_name(model: str) -> None:
    """Refuse what can be no name on the hub.

    Raises:
        MissingResourceError: says what a model may be.
    """
    if not _HUB_NAME.fullmatch(model):
        raise MissingResourceError(
            f"model {model!r} is no folder, no name in [resources], and no name on the Hugging "
            "Face hub (as sentence-transformers/all-MiniLM-L6-v2)"
        )


def from_hub(model: str, patterns: Sequence[str]) -> Path:
    """Fetch some files of a model on the hub (kept in the hub's own cache) and return the folder.

    Raises:
        MissingExtraError: the hub's library is not installed.
        MissingResourceError: there is no such model there, or no way to the hub.
    """
    check_name(model)
    with needing("huggingface_hub", "onnx", "fetching models by name"):
        from huggingface_hub import snapshot_download
    try:
        return Path(snapshot_download(model, allow_patterns=list(patterns)))
    except Exception as error:
        raise unreachable(model, error) from error


def unreachable(model: str, error: Exception) -> MissingResourceError:
    """Return the error for a model that neither is here nor could be fetched."""
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return MissingResourceError(
        f"model {model!r} is no folder here, and cannot be had from the hub ({reason[:200]}): "
        "give the folder of a model"
    )
