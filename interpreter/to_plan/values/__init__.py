"""Single values: places in the state, entries of tables, what is known of pieces, counts."""
