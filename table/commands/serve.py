"""`ichiba serve`: the table in the browser, for friends and bots."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import logging
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    import uvicorn

    from ichiba.table.sitting.house import House
    from ichiba.table.web.server import Server

HELP = "the table in the browser: friends by links of their own, and bots"
EXAMPLES = (
    "ichiba serve                                  on this machine alone; the address is printed",
    "ichiba serve --play my_game --config first_game   and a table of this game is open already",
    "ichiba serve ~/rulesets/my_game               with a ruleset of yours (read as a stranger's)",
    "ichiba serve --host 0.0.0.0 --name games.local   for others in your network, too",
    "ichiba serve --store postgresql://me@host/ichiba   games in PostgreSQL (pip install 'ichiba[postgres]')",
)
PORT = 8008
QUEUE = 1_024
MISSING = "ichiba serve: the table in the browser needs a few packages more: pip install 'ichiba[web]'"
LOCAL = ("localhost", "127.0.0.1", "[::1]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "places", metavar="PATH", nargs="*", help="folders of rulesets to offer besides those that are installed"
    )
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1, this machine alone)")
    parser.add_argument("--port", type=_port, default=None, help=f"default: {PORT}, or the next that is free")
    parser.add_argument(
        "--name", action="append", default=[], help="a name under which others reach this machine; with --host"
    )
    parser.add_argument(
        "--store", metavar="FILE|URL", help="where games are kept (default: tables.sqlite beside kept games)"
    )
    parser.add_argument("--patience", type=arguments.whole_or_none, default=0, metavar="MINUTES",
                        help="after so long a bot plays for somebody who is waited for and not there (default: never)")  # fmt: skip
    parser.add_argument(
        "--forget", type=arguments.whole, metavar="DAYS", help="first forget tables that nobody has touched for so long"
    )
    parser.add_argument("--play", metavar="GAME", help="open a table of this game at once: you and bots")
    parser.add_argument("--config", metavar="NAME", help="with --play: as a preset of the game says")
    parser.add_argument("--seats", type=arguments.whole, help="with --play: how many play")
    parser.add_argument("--proxy", action="store_true", help="a proxy at this machine passes requests on: believe it who asks, and whether by https")
    parser.add_argument("--no-browser", action="store_true", help="only say the address, open no browser")


def run(args: argparse.Namespace) -> int:
    try:
        import uvicorn  # noqa: F401

        from ichiba.table.web.server import Server
    except ImportError:
        raise Refusal(MISSING) from None
    few_heaps()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    named = _named(args.places)
    house = _house(args)
    try:
        with _listening(args) as listening:
            port = listening.getsockname()[1]
            hosts = [*LOCAL, *args.name, *([] if args.host in ("0.0.0.0", "::") else [args.host])]
            server = Server(house, hosts, named, args.patience * 60)
            address = f"http://{_shown(args)}:{port}/"
            first = _first_table(args, house, address) if args.play else address
            _welcome(args, address, first)
            return _serve(server, listening, args.proxy)
    finally:
        house.store.close()


def _house(args: argparse.Namespace) -> House:
    from ichiba.table.saves import home
    from ichiba.table.sitting.house import House
    from ichiba.table.store.store import StoreFault, open_store

    kept = home().parent / "web"
    try:
        store = open_store(args.store or str(kept / "tables.sqlite"))
        if args.forget:
            print(f"{store.forget(args.forget)} tables are forgotten.")
    except StoreFault as fault:
        raise Refusal(f"ichiba serve: {fault}") from None
    return House(store, kept / "rules")


def _named(places: list[str]) -> dict[str, Path]:
    """Rulesets that are offered besides the installed ones. What cannot be played is refused now, not when somebody has chosen it."""
    from ichiba.interpreter.api import load

    found = {folder.name: folder.resolve() for place in places for folder in arguments.ruleset_folders(place)}
    for folder in found.values():
        load(folder)
    return found


def _first_table(args: argparse.Namespace, house: House, address: str) -> str:
    """A table of one's own; the link to one's seat there."""
    from ichiba.interpreter.api import load
    from ichiba.interpreter.run.table import new_seed
    from ichiba.lab.policies import policies
    from ichiba.table.sitting.setup import Setup

    game = load(args.play, args.seats, config=args.config)
    usual = policies(game)[0]
    given = (
        game.configuration.policies(game.seats)
        if game.configuration is not None and game.configuration.bots is not None
        else {}
    )
    bots = given or dict.fromkeys(range(2, game.seats + 1), usual)
    people = [seat for seat in range(1, game.seats + 1) if seat not in bots]
    config = game.config
    setup = Setup(
        args.play, game.seats, new_seed(), tuple(map(str, config.modules)), tuple(config.variants), tuple(config.options),
        tuple(config.assumptions), game.lang, tuple(sorted(bots.items())),
    )  # fmt: skip
    live, secrets = house.open(setup, [(seat,) for seat in people])
    return f"{address}t/{live.name}/{live.setup.host}/#{secrets[live.setup.host]}"


def _shown(args: argparse.Namespace) -> str:
    """The name that stands in the address."""
    if args.host in ("0.0.0.0", "::"):
        return args.name[0] if args.name else "localhost"
    return f"[{args.host}]" if ":" in args.host else args.host


@contextlib.contextmanager
def _listening(args: argparse.Namespace) -> Iterator[socket.socket]:
    """A port of one's own; the next one, where nobody has said which."""
    wanted = [args.port] if args.port is not None else [*range(PORT, PORT + 20), 0]
    for port in wanted:
        try:
            made = listening_at(args.host, port)
        except OSError as fault:
            if port == wanted[-1]:
                raise Refusal(
                    f"ichiba serve: nobody can listen at {args.host}:{port}: {(fault.strerror or str(fault)).lower()}"
                ) from None
            continue
        with made:
            yield made
        return


def listening_at(host: str, port: int) -> socket.socket:
    """Raises `OSError`."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(QUEUE)  # who comes before everything is ready waits
    except OSError:
        made.close()
        raise
    return made


def _welcome(args: argparse.Namespace, address: str, first: str) -> None:
    print(f"The table is at  {first}")
    if args.host in ("127.0.0.1", "localhost", "::1"):
        print("Only this machine can reach it. For others: --host 0.0.0.0, and --name with the name they call it by.")
    else:
        print("Whoever can reach this machine can open tables here. Seats are safe: each has a secret link of its own.")
        print("What is sent can be read on the way; where that matters, put a proxy with https before it.")
    print("Ctrl-C stops it; no game is lost.", flush=True)
    if not args.no_browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=(first,), daemon=True).start()


def _has_screen() -> bool:
    """Whether a browser could show anything to anybody."""
    return sys.stdout.isatty() and (
        sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )


def settings(server: Server, proxy: bool = False) -> uvicorn.Config:
    """What a connection may cost us, and (`proxy`) whether we believe what says for whom it stands. Messages are short, so that packing them
    would cost more than it saves."""
    import uvicorn

    return uvicorn.Config(
        server.app(), log_config=None, access_log=False, ws_max_size=1_024, ws="websockets-sansio", timeout_graceful_shutdown=2, server_header=False,
        h11_max_incomplete_event_size=32_768, limit_concurrency=2_000, log_level="warning", ws_per_message_deflate=False,
        proxy_headers=proxy, forwarded_allow_ips="127.0.0.1,::1",
    )  # fmt: skip


M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3  # as malloc.h calls them
LARGE = 128 * 1024


def few_heaps() -> bool:
    """The C library keeps a heap for each of many threads, and what one has let go the others cannot use: with two of them memory grows half
    as fast. What is large lies outside of them, and goes back to the system when it is let go. Whether it could be told."""
    try:
        library = ctypes.CDLL(None)
        return bool(library.mallopt(M_ARENA_MAX, 2) and library.mallopt(M_MMAP_THRESHOLD, LARGE))
    except (OSError, AttributeError, TypeError):  # another library
        return False


def _serve(server: Server, listening: socket.socket, proxy: bool) -> int:
    import uvicorn

    running = uvicorn.Server(settings(server, proxy))
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(running.serve(sockets=[listening]))
    return 0


def _port(text: str) -> int:
    if text.isdigit() and 0 <= int(text) < 65_536:
        return int(text)
    raise argparse.ArgumentTypeError(f"`{text}` is no port (0 to 65535)")
