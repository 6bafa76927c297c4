"""A strict look at submissions: all that the official scorer would take otherwise than meant.

The official scorer of SemEval-2007 Task 10 drops, truncates and double-counts without a
word (METHODS 1.2-1.11 of the specification).  Nothing is scored here; each fault is named
with its line.
"""

from lexsub.formats.validation.findings import CODES, Finding, Reference, Severity, ValidationReport
from lexsub.formats.validation.submission import validate_submission

__all__ = ["CODES", "Finding", "Reference", "Severity", "ValidationReport", "validate_submission"]
