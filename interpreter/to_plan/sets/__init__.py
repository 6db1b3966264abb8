"""Sets: as lists, as clauses of comprehensions, or found in a table."""
