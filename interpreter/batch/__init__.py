"""Many games, and many tables, at once."""
