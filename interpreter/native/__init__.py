"""Machine code: compiled, kept, loaded."""
