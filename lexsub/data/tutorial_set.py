"""The tutorial set that comes with lexsub: for trying things out, not a benchmark."""

from __future__ import annotations

from lexsub.data.catalogue import DATASETS
from lexsub.data.semeval2007 import SemEvalRelease

DATASETS.register("tutorial")(
    SemEvalRelease(
        "tutorial",
        {
            "test": "100 sentences of 25 words, written for lexsub; not a benchmark",
            "trial": "22 sentences of 6 words, written for lexsub; not a benchmark",
            "all": "trial and test together",
        },
        test_xml="test/tutorial_test.xml",
        trial_xml="trial/tutorial_trial.xml",
    )
)
