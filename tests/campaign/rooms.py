"""What is damaged: a line more is a room more."""

from __future__ import annotations

from collections.abc import Sequence

from tests.campaign.engine import Subject
from tests.campaign.folders import FOLDERS
from tests.campaign.models import EARLIER, MODELS
from tests.campaign.readers import READING

ROOMS: dict[str, Sequence[Subject]] = {
    "models": MODELS,
    "unsealed": EARLIER,
    "readers": READING,
    "folders": FOLDERS,
}
