"""Judging answers afterwards: sheets for judges, verdicts, a second gold."""
