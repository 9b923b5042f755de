"""Hernandez-Orallo, Flach, Ferri (2011), Brier curves, ICML."""
