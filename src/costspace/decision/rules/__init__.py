"""What a rule does: thresholds on scores or shares, and how they follow the condition."""
