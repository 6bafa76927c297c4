"""Language models of transformers: opened from a folder, a GGUF file, or the hub."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from lexsub.errors import LexsubError, MissingExtraError, needing
from lexsub.rankers.contextual.model_files import check_name, local_model, unreachable
from lexsub.resources import Resources

Kind = Literal["masked", "causal"]

CLASSES = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
EXTRAS = {"masked": "transformers", "causal": "causal"}


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
    place = model if found is None else str(found)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    is_gguf = found is not None and found.is_file()
    # Left open, transformers asks at the terminal whether a model may bring code of its own.
    given: dict[str, Any] = {"trust_remote_code": False}
    if found is not None and is_gguf:
        given |= _gguf(found, EXTRAS[kind])
    elif resources.code != "any":
        given["use_safetensors"] = True  # the older files are pickles
    where = str(found.parent) if found is not None and is_gguf else place
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
