"""Rows to choose thresholds on, and held-out rows to judge them by."""
