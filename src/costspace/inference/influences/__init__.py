"""How a number of a table moves with every row, metric by metric."""
