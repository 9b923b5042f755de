"""Score sources: what threshold choice methods ask, and what answers them."""
