"""Small programs of each construct that the translator writes: run in Python and on the page."""
