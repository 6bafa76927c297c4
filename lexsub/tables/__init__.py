"""Results as tables: one value, shown on terminals and pages, in papers, files and notebooks."""

from lexsub.tables.notebook import Tabular
from lexsub.tables.value import Entry, Number, Table

__all__ = ["Entry", "Number", "Table", "Tabular"]
