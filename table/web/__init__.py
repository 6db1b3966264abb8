"""The table in the browser: one table of routes, one door."""
