"""Families of pieces: their sorts, how many there are of them, and what is said of each."""
