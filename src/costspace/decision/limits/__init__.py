"""Limits on rules: what keeps to them, and what that costs."""
