"""Turns functions of the package into JavaScript, with all that they call."""
