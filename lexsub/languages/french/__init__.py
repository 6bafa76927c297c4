"""French: lemmas and known forms by simplemma's dictionary, other forms by rules of the grammar."""
