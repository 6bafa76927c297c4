"""Where data sets can be fetched, pinned by digest, one entry per data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from posixpath import basename
from urllib.parse import urlsplit

from lexsub.errors import look_up

_NOTHING_STATED = "the release states no licence; its authors ask to cite"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file to fetch.

    Attributes:
        url: its official address.
        sha256: the digest that it must have, in hex.
        size: bytes, or None where unknown.
        unpack: whether it is an archive whose contents are wanted, not the file itself.
        folder: where it goes inside the data set's folder; "" for that itself.
    """

    url: str
    sha256: str
    size: int | None = None
    unpack: bool = False
    folder: str = ""

    @property
    def name(self) -> str:
        """The file's name, the last part of its address."""
        return basename(urlsplit(self.url).path)

    def at(self, base: str) -> RemoteFile:
        """Return the same file on a mirror: ``base/name``."""
        return replace(self, url=f"{base.rstrip('/')}/{self.name}")


@dataclass(frozen=True, slots=True)
class Source:
    """How to get one data set.

    Attributes:
        name: the data set, and the folder it goes to.
        files: what to fetch.
        licence: what is known of its licence, shown before anything is fetched.
        marker: a file that must be there afterwards, relative to the folder; "" for none.
    """

    name: str
    files: tuple[RemoteFile, ...]
    licence: str
    marker: str = ""


_SWORDS = (
    "https://raw.githubusercontent.com/p-lambda/swords/"
    "04ca75370d0ce098a7f4db68240fc8e79a4f7b3b/assets/parsed/swords-v1.1_"
)
_SWORDS_PARTS: dict[str, tuple[str, int | None]] = {
    "dev": ("bc3570786455a05f11fcb4fc7f54e117642d5fb5e98f19355028c5c7ee00c954", 1_475_021),
    "test": ("f94b6b73c52fd4bd549180bc119d44e9f9097ec78240a8b42363add158e58480", None),
    "test-subset": ("3974c802f3437b115e3d3b1cdc26ee558146dc4f71df7ae4d7bc588d86b1f37e", None),
    "test-subset_reannotated": (
        "d63df1a32030895d71349dcfdd4efdbeead74da804714215c05f31c8aa1b84b1",
        None,
    ),
}

# Copies on GitHub, at a commit: the list's first address changes hands, its bytes here do not.
_LEMMAS = (
    "https://raw.githubusercontent.com/pparke/history-generator/"
    "89c53a9b0793631ef4d05debfc7928c5b2e8794d/data/lemma.al"
)
_FORMS = (
    "https://raw.githubusercontent.com/ssharoff/robust/"
    "0c167487798b804c9128f4bf35558ea8fc1772df/bnc-raw.num"
)

_TSAR = (
    "https://raw.githubusercontent.com/LaSTUS-TALN-UPF/TSAR-2022-Shared-Task/"
    "089c2669380696425d6d088ee3534155997d5dcb/datasets"
)
_TSAR_GOLDS = {
    "en_test": ("57390b78a3e5adc6967865455b8b652e06a1809e62331899fcbef21660bbfaa9", 148_228),
    "es_test": ("ce6ebab652566f7beaa93007205fdb65e63f9702fa3d4d122aadb6d679f712d0", 168_110),
    "pt_test": ("83139b7ac1c3f30c3a3d98dabfc64743f66cfa68dc6e2eacdfe5ad5724cfd611", 141_115),
    "en_trial": ("8c13d40363bb74152beb34f58150af248465c4d25492189f3eeebeb5fb11bd41", 3_922),
    "es_trial": ("d8e7a4ee3ad3cb47b2850ffe7cf96a5c97113eb41568eec077dc83e43c159dca", 5_046),
    "pt_trial": ("466d246d495af9e289f005d9cb4a2b8b83f9473d1693aadd896713ca375191be", 3_697),
}

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source(
            "semeval2007",
            (
                RemoteFile(
                    "http://www.dianamccarthy.co.uk/files/task10data.tar.gz",
                    "8a2b206a2581b35c02c3b64783fddf019a35a43acdc0a821be8cfa26e4aff245",
                    256_046,
                    unpack=True,
                ),
            ),
            f"{_NOTHING_STATED} McCarthy and Navigli, SemEval-2007 Task 10",
            marker="test/lexsub_test.xml",
        ),
        Source(
            "semeval2007-systems",
            (
                RemoteFile(
                    "http://www.dianamccarthy.co.uk/files/lexsubsystems.tar.gz",
                    "eec178b9b967319e7324e31a0a4823874ef2af3219ba2531a723cf938619b1bd",
                    unpack=True,
                ),
            ),
            f"{_NOTHING_STATED} McCarthy and Navigli 2009 (Language Resources and Evaluation 43)",
        ),
        Source(
            "swords",
            tuple(
                RemoteFile(f"{_SWORDS}{part}.json.gz", digest, size)
                for part, (digest, size) in _SWORDS_PARTS.items()
            ),
            "CC BY 3.0 US; cite Lee, Donahue, Jia, Iyabor and Liang, NAACL 2021",
            marker="swords-v1.1_dev.json.gz",
        ),
        Source(
            "bnc_frequency",
            (
                RemoteFile(
                    _LEMMAS,
                    "1bb4aecd87fa37ee1f5de14310f9db5a6e39c806ffcd8183a0fc468f3220e5d5",
                    125_376,
                    folder="kilgarriff",
                ),
                RemoteFile(
                    _FORMS,
                    "dd21d56e583becd955d4a3f67f1c4c73377e7e54cbf3bbcc12ec9f2f68f5f866",
                    2_171_259,
                    folder="sharoff_robust",
                ),
            ),
            "lemma.al: the copy states no licence; cite Kilgarriff 1997 (International Journal of "
            "Lexicography 10). bnc-raw.num: GPL 3.0, Sharoff",
            marker="kilgarriff/lemma.al",
        ),
        Source(
            "tsar2022",
            tuple(
                RemoteFile(f"{_TSAR}/{part[3:]}/tsar2022_{part}_gold.tsv", digest, size)
                for part, (digest, size) in _TSAR_GOLDS.items()
            ),
            "CC BY-NC-SA 4.0: not for commercial use; cite Saggion, Stajner, Ferrés, Sheang, "
            "Shardlow, North and Zampieri 2022 (TSAR), and Stajner et al. 2022",
            marker="tsar2022_en_test_gold.tsv",
        ),
    )
}


def find_source(name: str) -> Source:
    """Return how to get a data set.

    Raises:
        UnknownNameError: no address is known under that name.
    """
    return look_up("downloadable data set", name, SOURCES)
