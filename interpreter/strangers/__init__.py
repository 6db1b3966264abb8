"""Rulesets from elsewhere: looked at from outside, read in a process with limits."""
