"""The report: one page that shows an evaluation and computes with it, of any condition asked."""
