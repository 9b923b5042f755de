"""How often 95 % intervals and bands cover the population's value, which is known exactly."""
