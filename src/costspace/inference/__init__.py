"""How sure every number is: influences, standard errors, intervals, comparisons."""
