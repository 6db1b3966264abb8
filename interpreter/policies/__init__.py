"""Policies of a ruleset as functions of the plan: what speaks for each answer, worked out from numbers."""
