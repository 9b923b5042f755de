"""A decision in a file, and its rules on other cases."""
