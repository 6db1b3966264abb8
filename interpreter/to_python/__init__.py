"""From the cut program to one Python module."""
