"""Metrics: functionals of a loss curve and a distribution of operating conditions."""
