"""Models as one thing: a system of an experiment with all that it reads, in one folder.

``lexsub model build`` writes one (:mod:`lexsub.experiments.packing`); this room says what such a
folder is, checks it, and knows which there are.
"""

from lexsub.models.folder import (
    ENGLISH,
    FILE,
    FORMS,
    Card,
    Model,
    RecipeCard,
    choose_model,
    chosen_model,
    find_model,
    known_models,
    open_model,
    preferred_model,
    remove_model,
    user_models,
)

__all__ = [
    "ENGLISH",
    "FILE",
    "FORMS",
    "Card",
    "Model",
    "RecipeCard",
    "choose_model",
    "chosen_model",
    "find_model",
    "known_models",
    "open_model",
    "preferred_model",
    "remove_model",
    "user_models",
]
