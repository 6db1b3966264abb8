"""The course of rules that ask: their pieces, and where their variables live."""
