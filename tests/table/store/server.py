"""A PostgreSQL of the tests' own, in a folder that goes with it. It ends when whoever began it does, however that ends."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60  # seconds, for what takes one


@dataclass
class Server:
    folder: Path
    programs: Path
    process: subprocess.Popen[bytes]

    def url(self, name: str = "postgres") -> str:
        return f"postgresql:///{name}?host={self.folder}&user=ichiba"

    def does(self, statement: str) -> list[tuple[Any, ...]]:
        """As somebody at its own command line."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True, options="-c client_min_messages=error") as connection:
            cursor = connection.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def empty(self) -> None:
        """Without what a store holds; the store itself stays, since to make it anew takes long."""
        if self.does("SELECT to_regclass('ichiba.about')") != [(None,)]:
            self.does("DELETE FROM ichiba.tables")
            self.does("DELETE FROM ichiba.rules")

    def bare(self) -> None:
        self.does("DROP SCHEMA IF EXISTS ichiba CASCADE")


def programs() -> Path | None:
    """Where PostgreSQL's are: Debian has them in no path."""
    on_the_path = shutil.which("initdb")
    folders = [Path(on_the_path).resolve().parent] if on_the_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in folders if (one / "initdb").exists() and (one / "postgres").exists()), None)


@contextmanager
def running() -> Iterator[Server]:
    there = programs()
    if there is None:
        pytest.skip("there is no PostgreSQL here")
    pytest.importorskip("psycopg", reason="there is no PostgreSQL here, or no psycopg to speak with it")
    folder = Path(tempfile.mkdtemp(prefix="ichiba-pg-"))  # a short path, as sockets need it
    somebody: dict[str, Any] = {}
    if os.geteuid() == 0:  # it refuses to run as root
        user = next(one for name in ("postgres", "nobody") for one in pwd.getpwall() if one.pw_name == name)
        os.chown(folder, user.pw_uid, user.pw_gid)
        somebody = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    try:
        subprocess.run(
            [there / "initdb", "-D", folder / "data", "-U", "ichiba", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            check=True, capture_output=True, cwd=folder, **somebody,
        )  # fmt: skip
        server = Server(folder, there, started(folder, there, somebody))
        try:
            yield server
        finally:
            assert server.process.stdin is not None
            server.process.stdin.close()
            server.process.wait(PATIENCE)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def started(folder: Path, there: Path, somebody: dict[str, Any]) -> subprocess.Popen[bytes]:
    """A shell waits for the end of its input, which comes when we end, and ends the server then."""
    command = f'"{there}/postgres" -D "{folder}/data" -k "{folder}" -h "" >"{folder}/log" 2>&1 & read -r _; kill -QUIT $!; wait $!'
    process = subprocess.Popen(["sh", "-c", command], stdin=subprocess.PIPE, cwd=folder, **somebody)
    until = time.monotonic() + PATIENCE
    while subprocess.run([there / "pg_isready", "-q", "-h", folder], cwd=folder).returncode:
        assert time.monotonic() < until and process.poll() is None, (folder / "log").read_text()
        time.sleep(0.05)
    return process
