"""Learners, a file each, registered in ``LEARNERS``."""

from lexsub.rankers.learned.learners.registry import LEARNERS, Examples, Learner, Learnt

__all__ = ["LEARNERS", "Examples", "Learner", "Learnt"]
