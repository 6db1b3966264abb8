"""How the set of all of a kind is called."""


def plural(word: str) -> str:
    """`stall` to `stalls`, `city` to `cities`, `box` to `boxes`."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"
