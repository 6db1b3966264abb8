"""A process that begins servers, of which each is killed: python -m tests.table.web.beginning STORE FOLDER

It has imported all that they need, so that one more costs a fork. It says its port, then, for each line that it reads, the id of a
new server; the one before is dead by then. All listen at the same port; who comes while none is there waits."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from socket import socket

import uvicorn

from ichiba import load
from ichiba.table.sitting.house import House
from ichiba.table.store.store import open_store
from ichiba.table.web.server import Server
from tests.table.web.clients import HERE

GAMES = (("goofspiel", 3), ("no_thanks", 3))


def serve(where: str, folder: Path, listening: socket) -> None:
    server = Server(House(open_store(where), folder / "rules"), [HERE], clock=lambda: 0.0)
    server.rates.take = lambda *given: None  # type: ignore[method-assign]
    uvicorn.Server(uvicorn.Config(server.app(), log_config=None, access_log=False)).run(sockets=[listening])


def main(where: str, folder: Path) -> None:
    for game, seats in GAMES:
        load(game, seats)
    listening = socket()
    listening.bind((HERE, 0))
    listening.listen(128)
    print(listening.getsockname()[1], flush=True)
    server = 0
    for _ in sys.stdin:
        if server:
            os.waitpid(server, 0)
        server = os.fork()
        if not server:
            try:
                serve(where, folder, listening)
            finally:
                os._exit(1)
        print(server, flush=True)
    if server:
        os.kill(server, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
