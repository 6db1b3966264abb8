"""Patterns: rules with names left open, and what `use` makes of them."""
