"""Strategies against each other at each operating condition."""
