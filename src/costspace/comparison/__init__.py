"""Several models beside each other, and models made of several."""
