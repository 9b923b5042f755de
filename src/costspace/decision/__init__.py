"""From what is known about deployment to a decision, in money."""
