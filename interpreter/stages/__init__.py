"""One rule as it stands at each stage of compiling: as written, as a tree, as rules, flow, plan, Python and C."""
