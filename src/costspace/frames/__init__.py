"""Data in: whatever holds predictions becomes validated rows or a score source."""
