"""From the cut program to a plan: every function of the module."""
