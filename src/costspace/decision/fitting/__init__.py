"""Strategies fitted on labelled rows, and the choice among them."""
