"""The rules language: from text to a typed tree and to moves an engine knows, without knowing of play."""
