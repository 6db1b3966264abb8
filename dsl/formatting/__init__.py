"""Canonical text: the same rules and the same YAML, laid out in the one way of the house."""
