"""What models save against each other."""
