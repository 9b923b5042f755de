"""Rules to deploy: thresholds of a choice, and what constraints leave of them."""
