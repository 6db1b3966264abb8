"""A store for servers, in each database; and one server for a file of tests, whose tables do not know of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ichiba.table.store.store import Store, open_store
from tests.table.store.server import Server, running
from tests.table.web.browsers import PHONE, Window, browser_or_skip, started
from tests.table.web.harness import Web, served


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Its clock leaps, so that nobody asks too often."""
    hours = count(0, 3600)
    with served(tmp_path_factory.mktemp("web"), clock=lambda: float(next(hours))) as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browser_or_skip() as playwright:
        chromium = started(playwright)
        yield chromium
        chromium.close()


@pytest.fixture
def window(browser: Any) -> Iterator[Callable[..., Window]]:
    made: list[Window] = []

    def new(size: dict[str, int] = PHONE, **chosen: Any) -> Window:
        made.append(Window(browser, size, bypass_csp=True, **chosen))
        return made[-1]

    yield new
    for one in made:
        one.context.close()
        assert one.wrong == []


@pytest.fixture(scope="session")
def postgres_of_the_web() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store will be."""
    if request.param == "sqlite":
        return str(tmp_path / "all.sqlite")
    server: Server = request.getfixturevalue("postgres_of_the_web")
    server.empty()
    return server.url()


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    store = open_store(where)
    yield store
    store.close()
