"""The papers' figures and tables: what they state, and what costspace computes for it."""
