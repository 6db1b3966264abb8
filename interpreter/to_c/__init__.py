"""A generated module said in C."""
