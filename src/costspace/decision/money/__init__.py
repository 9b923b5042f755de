"""What decisions cost at deployment, row by row and per 1,000 cases, and how sure that is."""
