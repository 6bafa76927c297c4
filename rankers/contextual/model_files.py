"""Neural models: where they are, in a folder of the user's or on the hub, and opening them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from lexsub.errors import LexsubError, MissingExtraError, MissingResourceError, needing
from lexsub.parts.base import Part
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


class OverModel(Part):
    """A part over a neural model that a user brings.

    Attributes:
        model: the model.
    """

    model: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the model (none for one on the hub), and what parts in it read."""
        return [*model_files(resources, self.model), *super().inputs(resources)]


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


Kind = Literal["masked", "causal"]

CLASSES = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
EXTRAS = {"masked": "transformers", "causal": "causal"}
MASKED, CAUSAL = (
    tuple((name, name, extra, f"a {kind} language model") for name in ("torch", "transformers"))
    for kind, extra in EXTRAS.items()
)
"""What a kind's work imports; see :func:`lexsub.errors.look_for`."""


def check_torch(device: str, kind: Kind) -> str:
    """Return the libraries that a kind of model needs, with their versions.

    Raises:
        MissingExtraError: one is not installed.
        LexsubError: no such device.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        library, purpose = error.name or "transformers", f"a {kind} language model"
        raise MissingExtraError(library, EXTRAS[kind], purpose) from None
    if device == "cuda" and not torch.cuda.is_available():
        raise LexsubError("device 'cuda': torch sees no such device; set device = 'cpu'")
    return f"torch {torch.__version__}, transformers {transformers.__version__}"


def open_torch(resources: Resources, model: str, device: str, kind: Kind) -> tuple[Any, Any, str]:
    """Return the tokenizer, the model, and where it is (for messages).

    A model is a folder, a GGUF file, a name in ``[resources]``, or one on the hub.

    Raises:
        MissingExtraError: a library is not installed.
        LexsubError: no such model or device.
    """
    check_torch(device, kind)
    import torch
    import transformers

    # The last bits of products depend on the number of threads; workers share the work instead.
    torch.set_num_threads(1)

    found = local_model(resources, model)
    if found is None:
        check_name(model)
    place = where = model if found is None else str(found)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    # Left open, transformers asks at the terminal whether a model may bring code of its own.
    given: dict[str, Any] = {"trust_remote_code": False}
    if found is not None and found.is_file():
        given |= _gguf(found, EXTRAS[kind])
        where = str(found.parent)
    elif resources.code != "any":
        given["use_safetensors"] = True  # the older files are pickles
    try:
        # Its GGUF reader shows progress bars even where they are switched off.
        with redirect_stderr(StringIO()):
            tokenizer = transformers.AutoTokenizer.from_pretrained(where, **given)
            opened = getattr(transformers, CLASSES[kind]).from_pretrained(where, **given)
    except Exception as error:
        if found is None:
            raise unreachable(model, error) from error
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise LexsubError(f"{found}: transformers cannot open it ({reason[:200]})") from error
    return tokenizer, opened.eval().to(device), place


def check_length(model: Any, tokens: int) -> None:
    """Refuse more tokens than a model takes.

    Raises:
        LexsubError: there are more.
    """
    limit = getattr(model.config, "max_position_embeddings", tokens)
    if tokens > limit:
        raise LexsubError(
            f"a sentence has {tokens} tokens, the model takes {limit}: set a smaller window"
        )


def _gguf(file: Path, extra: str) -> dict[str, str]:
    for library in ("gguf", "accelerate"):
        with needing(library, extra, f"reading {file.name}"):
            __import__(library)
    return {"gguf_file": file.name}
