"""Claims about kinds that are kinds of others: what only some of them have is theirs alone, whoever asks for it."""

from pathlib import Path

from tests.language.tiny import check

SPOTS = """
# game.yaml
things:
  farm: {count: 2}
  inn: {count: 2}
# spots.rules
kind spot is thing:
    flag old
kind farm is spot:
    counter cows: 0 .. 9
kind inn is spot:
    counter beds: 0 .. 9
    zone guests of gem
    field rooms: number = 3
    value cosy: board_free
    procedure open_up: nothing
value board_free -> flag: true
"""


def test_a_member_of_some_spots_is_no_member_of_all(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
procedure turn:
    for each p in spots: raise p.beds by 1                        ### E210: only `inn` has one: ask first, as in `where x is inn`
    for each p in spots: raise p.cows by 1                        ### E210
    for each p in spots: move all p.guests to bag                 ### E210
    for each p in inns: raise p.beds by 1
    if any (p in spots where p.beds > 2): nothing                 ### E210
    if sum of (p.rooms for p in spots) > 2: nothing               ### E210
    choose p in spots where p.beds > 2                            ### E210
""")  # fmt: skip


def test_a_value_is_narrowed_wherever_its_kind_was_asked_for(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
value a: count of (p in spots where p is inn and p.beds > 2)
value b: sum of (p.rooms for p in spots where p is inn)
value c: sum of (p.rooms for p in (q in spots where q is inn))
value d: highest of (p.beds for p in (q in (r in spots where r is inn) with highest q.beds))
value e(p: spot): if p is inn then p.beds else 0
value f(p: spot): if p is not inn then 0 else p.beds
value g(p: spot): p is not inn or p.beds > 2
value h(p: spot): not (p is not inn or p.beds < 2)
value i(p: spot) -> number:
    if p is not inn: give 0
    give p.beds

procedure turn:
    for each p in spots where p is inn: raise p.beds by 1
    for each p in spots:
        if p is inn: raise p.beds by 1
    for each p in spots:
        if p is not inn: nothing
        else: raise p.beds by 1
    choose p in spots where p is inn
    raise p.beds by 1
    menu visit:
        option stay for q in spots where q is inn: raise q.beds by 1
        option rest for q in spots when q is inn: raise q.beds by 1
        option eat for q in spots:
            require q is inn
            raise q.beds by 1
""")  # fmt: skip


def test_what_is_left_when_it_is_none_of_the_others_is_known_too(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
value a(p: spot): if p is farm then p.cows else p.beds
value b(p: spot): p is farm or p.beds > 2
value c(p: spot): if p is farm then p.beds else 0                 ### E210: a farm has no `beds`

procedure turn:
    for each p in spots:
        if p is farm: raise p.cows by 1
        else: raise p.beds by 1
""")  # fmt: skip


def test_of_three_kinds_two_must_be_ruled_out(tmp_path: Path) -> None:
    files = SPOTS.replace("  inn: {count: 2}\n", "  inn: {count: 2}\n  mill: {count: 1}\n")
    check(tmp_path, files + """
kind mill is spot:
    counter flour: 0 .. 9
value a(p: spot): if p is farm then p.cows else p.beds            ### E210: only `inn` has one: ask first, as in `where x is inn`
value b(p: spot): if p is farm then p.cows else if p is mill then p.flour else p.beds
""")  # fmt: skip


def test_a_flag_of_the_same_name_narrows_nothing(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
value a(p: spot): if p is old then p.beds else 0                  ### E210: only `inn` has one: ask first, as in `where x is inn`
""")  # fmt: skip


def test_a_wider_kind_is_not_handed_over_for_a_narrower_one(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
table:
    remember best: inn or none
procedure air(p: inn): raise p.beds by 1

procedure turn:
    for each p in spots:
        air(p)                                                    ### E301: an inn is needed
        set best to p                                             ### E301: an inn is needed
        if p is inn:
            air(p)
            set best to p
        if p in inns: nothing
        if p is best: nothing
    let q = first of spots
    if q is inn: air(q)
""")  # fmt: skip


def test_a_memory_is_no_longer_narrowed_when_it_has_changed(tmp_path: Path) -> None:
    check(tmp_path, SPOTS + """
procedure turn:
    remember here: spot = first of spots
    if here is inn:
        raise here.beds by 1
        set here to first of farms
        raise here.beds by 1                                      ### E210: only `inn` has one: ask first, as in `where x is inn`
    if here is inn:
        repeat 2 times:
            raise here.beds by 1                                  ### E210: only `inn` has one: ask first, as in `where x is inn`
            set here to first of farms
    if here is inn:
        repeat 2 times: raise here.beds by 1
""")  # fmt: skip


def test_a_piece_is_narrowed_by_its_sort(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
pieces:
  gem: {is: stone, sorts: [red, green], count: 4, in: bag}
  axe: {is: tool, individual: true, sorts: {big: {count: 2}, small: {count: 1}}, in: rack}
  rope: {is: tool, individual: true, count: 2, in: rack}
# play.rules
kind axe is tool:
    counter cuts: 0 .. 9
kind tool is piece:
    flag worn
table:
    zone rack of tool

procedure turn:
    for each x in rack: mark x.worn
    for each x in rack: raise x.cuts by 1                         ### E210: a tool has no `cuts`
    for each x in rack where x is axe: raise x.cuts by 1
    for each x in rack where x is big: raise x.cuts by 1
""")  # fmt: skip


def test_what_never_lies_in_a_zone_is_not_looked_for_there(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
pieces:
  gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}
  tile: {sorts_for: {cell: cell}, in: pile}
  axe: {individual: true, count: 2, in: rack}
things: {stall: {count: 3}, cell: {each: {a1: {}, a2: {}}}}
# play.rules
kind cell is thing:
    flag built
kind axe is piece:
    flag worn
table:
    zone pile of tile
    zone dead_tiles of tile
    zone rack of axe

value a: a1 in dead_tiles                                         ### E304: did you mean `tile of a1`?
value b: tile of a1 in dead_tiles
value c: any (c in cells where c in dead_tiles)                   ### E304: did you mean `tile of c`?
value d: any (c in cells where tile of c in dead_tiles)
value e: any (s in stalls where s in bag)                         ### E304: a stall never lies in a zone of gem
value f: any (x in rack where x in bag)                           ### E304: an axe never lies in a zone of gem
value g: any (x in rack where x in rack)
value h: me in stalls                                             ### E301
value i: a1 in cells
value j: a1 in stalls                                             ### E301
""")  # fmt: skip
