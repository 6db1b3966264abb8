"""How fast the engine is, beside other engines."""
