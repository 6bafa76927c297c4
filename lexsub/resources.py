"""Where a piece of work finds its inputs, and what it has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError, MissingResourceError
from lexsub.rankings import Candidate
from lexsub.storage.user_folders import data_folders, fetched, user_cache

Code = Literal["any", "named", "none"]
"""Which code that options name may run: all, what the call names itself, none."""

_WAYS = {
    "lm": "train one with 'lexsub lm train'",
    "thesaurus": "make one with 'lexsub thesaurus build'",
    "vectors": "make them with 'lexsub vectors build' or 'lexsub vectors convert'",
}
"""How else a model of a kind is got."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """A split with the candidates of its items, to learn from.

    Attributes:
        data: the split.
        pools: candidates by item id.
    """

    data: Dataset
    pools: Mapping[str, Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class Resources:
    """What candidate sources, rankers and the like may reach for when they are opened.

    Attributes:
        data: folders searched for data sets and word lists, in order.
        cache: folder for indexes and models that can be made again.
        paths: places named in the config's ``[resources]`` table, by resource name
            (``wordnet``, or a frequency list); relative ones already resolved.
        models: folders of the models that the config's ``[models]`` table had built.
        words: what the run's systems may answer, as ``substitute.pos``: for models that keep
            only what candidates need.
        training: what a model that is being built may learn from, gold included.
        features: folders of computed features, by data set split and family (its ``repr``).
        language: ISO 639-1 code of the sentences worked on.
        seed: seed for everything random.
        workers: how many processes a parallel stage may use.
        backend: the joblib backend that runs them.
        code: what may run of the code that options of parts name.  Parts of a config are as good
            as a program of the user's; those of another's run or learned model run only what
            the call names, too (``--plugin``), those of a model (:mod:`lexsub.models`) nothing.
    """

    data: tuple[Path, ...] = field(default_factory=data_folders)
    cache: Path = field(default_factory=user_cache)
    paths: Mapping[str, Path] = field(default_factory=dict)
    models: Mapping[str, Path] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    training: Sequence[Pooled] = ()
    features: Mapping[tuple[str, str], Path] = field(default_factory=dict)
    language: str = "en"
    seed: int = 0
    workers: int = 1
    backend: str = "loky"
    code: Code = "any"

    def strange(self) -> Resources:
        """Return these for parts that stand in another's folder."""
        return replace(self, code="named") if self.code == "any" else self

    def refuse_code(self, what: str, *, named: bool, way: str) -> None:
        """Make sure that code which an option names may run.

        Whatever imports, starts or unpickles something by the value of an option asks here, both
        for its ``inputs`` (so that a model is refused before it is opened) and before it does so.

        Args:
            what: the option with its value.
            named: whether the call names it, too.
            way: how it does, as ``--plugin FILE``.

        Raises:
            LexsubError: it may not.
        """
        if self.code == "none":
            raise LexsubError(f"{what} is code outside of lexsub, and a model can name none")
        if self.code == "named" and not named:
            raise LexsubError(
                f"{what} is code, and nothing that somebody's folder names is run unasked; if you "
                f"trust it: {way}"
            )

    def file(self, name: str, missing: str, hint: str) -> Path:
        """Return the file of a name in ``[resources]``, or of a path.

        Raises:
            MissingResourceError: it is not there; says ``missing``, where it was looked for, and
                ``hint``.
        """
        path = self.here(self.paths.get(name, Path(name)))
        if not path.is_file():
            raise MissingResourceError(f"{missing} (looked at {path}): {hint}")
        return path

    def model(self, name: str, kind: str) -> Path:
        """Return the folder of a model: a name in ``[models]`` or ``[resources]``, or a path.

        Args:
            name: the name or path.
            kind: what it should be, as ``lm``, for the message.

        Raises:
            MissingResourceError: no model of that name, no such folder.
        """
        if name in self.models:
            return self.models[name]
        folder = self.here(self.paths.get(name, Path(name)))
        if not folder.is_dir():
            known = ", ".join(sorted({*self.models, *self.paths})) or "none"
            way = f", or {_WAYS[kind]}" if kind in _WAYS else ""
            raise MissingResourceError(
                f"model {name!r} of kind {kind} is neither in [models] or [resources] (known: "
                f'{known}) nor a folder: add [models.{name}] with kind = "{kind}" to the config'
                f"{way}"
            )
        return folder

    def here(self, path: Path) -> Path:
        """Return a file or folder of this machine: the path itself, of an address a copy.

        For what has to be mapped, or is small; texts and tables are read where they lie.

        Raises:
            FileProblemError: there is nothing at the address, or its store does not answer.
        """
        return fetched(path, self.cache)

    def find(self, relative: str, hint: str) -> Path:
        """Return the first ``folder/relative`` that exists among the data folders.

        Raises:
            MissingResourceError: none does; names the folders searched and ``hint``.
        """
        for folder in self.data:
            if (folder / relative).exists():
                return folder / relative
        searched = ", ".join(str(folder) for folder in self.data)
        raise MissingResourceError(f"{relative} is in none of {searched}: {hint}")
