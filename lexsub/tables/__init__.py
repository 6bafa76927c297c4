"""Results as tables: one value, shown on terminals and pages, in papers, files and notebooks."""

from lexsub.tables.value import Entry, Number, Table
from lexsub.tables.writers import Tabular

__all__ = ["Entry", "Number", "Table", "Tabular"]
