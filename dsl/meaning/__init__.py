"""From sentences to moves: names, kinds, units, expressions, costs and statements."""
