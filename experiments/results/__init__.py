"""What a run found: figures, tables, comparisons and boundaries."""
