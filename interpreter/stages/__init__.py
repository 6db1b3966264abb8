"""One rule as it stands on each floor of the house: as written, as a tree, as rules, flow, plan, Python and C."""
