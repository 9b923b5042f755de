"""Hernandez-Orallo, Flach, Ferri (2011), Towards ROC curves in cost space, arXiv:1107.5930."""
