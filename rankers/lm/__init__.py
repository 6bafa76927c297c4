"""N-gram language models: training, files, queries and the rankers built on them."""
