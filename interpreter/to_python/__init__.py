"""A plan as one Python module."""
