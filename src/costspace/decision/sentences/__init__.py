"""Strategies and what is found of them, in sentences."""
