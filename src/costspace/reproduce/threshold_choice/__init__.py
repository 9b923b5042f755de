"""Hernandez-Orallo, Flach, Ferri (2012), Threshold choice methods, arXiv:1112.2640."""
