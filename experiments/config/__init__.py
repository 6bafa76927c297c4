"""What an experiment is: its file, read and checked, and the figures of papers that it names."""
