"""Files: where they lie, how they are read and written, and what is kept in memory instead."""
