"""Games written by hand in plain Python: the second opinion on the rules engine, and its mark for speed."""
