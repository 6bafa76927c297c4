"""English: lemmas by WordNet, forms by LemmInflect."""
