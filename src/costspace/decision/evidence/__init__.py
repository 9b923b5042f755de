"""What strategies cost on held-out rows, with intervals, and what they do to cases."""
