"""Published work made again: whole papers, coined words in running text, registers."""
