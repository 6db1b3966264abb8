"""Pickles that are read quickly hold what usual ones hold."""

import gc
import pickle
from dataclasses import dataclass, field

import pytest

from ichiba.dsl.files.pickling import pickled, unpickled


@dataclass(frozen=True, slots=True)
class Coin:
    worth: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """The constructor works something out: it is not called again."""

    coins: tuple[Coin, ...]
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(coin.worth for coin in self.coins))


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    kin: "Kin"


@dataclass(eq=False)
class Kin:
    """Changeable, so that two can know each other."""

    all: list[Named] = field(default_factory=list)


def test_what_was_put_away_comes_back_the_same_and_once() -> None:
    coin = Coin(3, "sen")
    found = unpickled(pickled({"coins": [coin, coin], "counted": Counted((coin, Coin(4))), "by coin": {coin: 1}}))
    assert found == {"coins": [coin, coin], "counted": Counted((coin, Coin(4))), "by coin": {coin: 1}}
    assert found["coins"][0] is found["coins"][1] is found["counted"].coins[0]
    assert found["counted"].total == 7


def test_what_leads_back_to_itself_does_so_again() -> None:
    kin = Kin()
    kin.all = [Named("a", kin), Named("b", kin)]
    found = unpickled(pickled(kin.all[0]))
    assert isinstance(found, Named) and [one.name for one in found.kin.all] == ["a", "b"]
    assert found.kin.all[0] is found and found.kin.all[1].kin is found.kin


def test_anybody_can_read_it() -> None:
    assert pickle.loads(pickled(Coin(1))) == Coin(1)


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_afterwards_as_it_was_before(collecting: bool) -> None:
    before = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        with pytest.raises(pickle.UnpicklingError):
            unpickled(b"no pickle")
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if before else gc.disable)()
