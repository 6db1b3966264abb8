"""Saves, replays and logs."""
