"""How numbers of a table move with each of its rows, to first order."""
