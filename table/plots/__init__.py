"""Figures as pictures."""
