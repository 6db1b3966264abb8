"""YAML read with the place of every word, and what a ruleset declares in it."""
