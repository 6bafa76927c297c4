"""How far annotators, judges and golds agree."""
