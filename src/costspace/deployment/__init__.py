"""What is known about costs and prevalence where a classifier will be used."""
