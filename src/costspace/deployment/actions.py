"""What may be done with a case: the words for it, and the numbers."""

PASS, REVIEW, FLAG = "pass", "review", "flag"
# From what the lowest scores get to what the highest do, and the number of each among scores.
ACTIONS = (PASS, REVIEW, FLAG)
DECIDED = (0.0, 0.5, 1.0)
