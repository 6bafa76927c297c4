"""How an experiment is run: its stages, what each depends on, and where they are kept."""
