"""Tokyo Tsukiji Market by hand, base game and expansion; README.md says how to talk to it."""

from .game import TokyoTsukijiMarket

__all__ = ["TokyoTsukijiMarket"]
