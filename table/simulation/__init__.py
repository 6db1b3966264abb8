"""Many games by many processes."""
