"""Every expression of a plan in C: as a number, a condition, a list."""
