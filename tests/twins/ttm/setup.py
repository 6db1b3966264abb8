"""The boards that come into play, their stock, and what everybody starts with."""

from collections.abc import Iterable, Sequence

from .names import (
    ALL_EXTERNAL,
    ALL_FISH,
    AQUARIUM,
    AT_SHIPS,
    AUCTION,
    BASE_EXTERNAL,
    BASE_FISH,
    BLUE,
    BLUE_SORT,
    BOARDS,
    EXTRA_EXTERNAL,
    EXTRA_FISH,
    FIRST_MONEY,
    FIRST_OF_SORT,
    FOUR_BARGE,
    FOUR_SLOT,
    JACK,
    LEFT,
    LICENCE_SPACES,
    MACKEREL,
    NEW_AQUARIUM,
    NUMBER,
    ONE_SLOT,
    SHIPS,
    SIX_BARGE,
    THREE_SLOT,
    TWO_SLOT,
)  # fmt: skip
from .state import State


def numbers(names: Iterable[str], allowed: Sequence[int]) -> list[int]:
    """Boards by name, which must be among the allowed ones."""
    found = []
    for name in names:
        board = NUMBER.get(name, -1)
        if board not in allowed:
            raise ValueError(f"no such board here: {name}")
        found.append(board)
    return found


def set_up(
    game: State,
    *,
    fish: Iterable[str] | None,
    external: Iterable[str] | None,
    exclude: Iterable[str],
    main_mackerel: str,
    blue_ship: bool,
    barges: str,
    additional_fish: int,
    additional_external: int,
    start_player: int,
) -> None:
    seats = game.seats
    all_fish = ALL_FISH if game.expansion else BASE_FISH
    all_external = ALL_EXTERNAL if game.expansion else BASE_EXTERNAL
    main = numbers([main_mackerel], [MACKEREL, JACK] if game.expansion else [MACKEREL])[0]
    chosen_fish = None if fish is None else numbers(fish, all_fish)
    chosen_external = None if external is None else numbers(external, all_external)
    out = set(numbers(exclude, range(len(BOARDS)))) - {
        main,
        SHIPS,
        *(chosen_fish or ()),
        *(chosen_external or ()),
    }
    if seats == 2 and AUCTION not in (chosen_external or ()):
        out.add(AUCTION)
    game.box_fish = tuple([board for board in all_fish if board not in out])
    game.box_external = tuple([board for board in all_external if board not in out])

    if not start_player:
        start_player = int(game.chance.pick("start_player", {str(seat): 1 for seat in range(1, seats + 1)}))
    game.start = game.active = start_player

    queues, game.open_knowledge = game.open_knowledge, False  # the first boards are always drawn
    game.bring(main)
    game.bring(SHIPS)
    if chosen_fish is None:
        for _ in range(EXTRA_FISH[seats] + additional_fish):
            game.draw_fish_market()
    else:
        for board in dict.fromkeys(chosen_fish):
            if board != main:
                game.bring(board)
    if chosen_external is None:
        draw_external_markets(game, EXTRA_EXTERNAL[seats] + additional_external)
    else:
        for board in dict.fromkeys(chosen_external):
            if board != SHIPS:
                game.bring(board)
    if queues:
        game.box_fish = queue(game, "fish_queue", game.box_fish)
        game.box_external = queue(game, "external_queue", game.box_external)
        game.open_knowledge = True

    stock_boats(game, blue_ship, barges)
    for seat in range(1, seats + 1):
        game.cash[seat] = FIRST_MONEY
        game.free_spaces[seat] = LICENCE_SPACES
        game.gain_boat(seat, seat - 1, LEFT)
    if game.present >> MACKEREL & 1 and not game.present >> JACK & 1:
        game.licences_left[MACKEREL] = seats + min(seats, 8 - seats)
        for seat in range(1, seats + 1):
            game.take_licence(seat, MACKEREL)


def draw_external_markets(game: State, number: int) -> None:
    """In the expansion both Aquariums or none, and then one board more than the table says."""

    def draw() -> None:
        if game.box_external:
            game.bring(game.draw_board("external_market", game.box_external))

    for _ in range(number):
        draw()
    if not game.expansion:
        return
    drawn = [board for board in (AQUARIUM, NEW_AQUARIUM) if game.present >> board & 1]
    if len(drawn) == 2:
        draw()
    elif drawn:
        other = AQUARIUM + NEW_AQUARIUM - drawn[0]
        if other in game.box_external:
            game.bring(other)


def queue(game: State, what: str, pile: tuple[int, ...]) -> tuple[int, ...]:
    """The rest of a pile in random order, from the head."""
    left, order = list(pile), []
    while left:
        board = NUMBER[game.chance.pick(what, {BOARDS[board]: 1 for board in left})]
        left.remove(board)
        order.append(board)
    return tuple(order)


def stock_boats(game: State, blue_ship: bool, barges: str) -> None:
    """The boats on Ships by number of players; one-slot Ships beyond the players' own come last."""
    seats = game.seats
    counts = {
        ONE_SLOT: min(1, 6 - seats),
        TWO_SLOT: min(seats, 4),
        THREE_SLOT: min(seats - 1, 3),
        FOUR_SLOT: 1,
        SIX_BARGE: 1,
    }
    if game.expansion:
        counts[BLUE_SORT] = int(blue_ship)
        if barges == "four_slot":
            counts[SIX_BARGE], counts[FOUR_BARGE] = 0, 2
        elif barges != "six_slot":
            raise ValueError(f"no such barges: {barges}")
    for sort, count in counts.items():
        first = FIRST_OF_SORT[sort] + (seats if sort == ONE_SLOT else 0)
        for boat in range(first, first + count):
            game.place[boat] = AT_SHIPS


assert BOARDS[MACKEREL] == "mackerel" and FIRST_OF_SORT[BLUE_SORT] == BLUE
