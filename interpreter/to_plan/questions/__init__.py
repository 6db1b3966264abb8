"""Questions: their options as numbers, and their answers."""
