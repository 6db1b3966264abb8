"""Rows into a file that other programs read: CSV, JSON lines or Parquet, as they come, so that memory stays flat."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from ichiba.table.refusal import FAULT, Refusal

Row = dict[str, Any]
FORMS = (".csv", ".jsonl", ".parquet")
AT_ONCE = 20_000  # rows that are turned into columns together
INSTALL = "ichiba export: Parquet needs pyarrow: pip install 'ichiba[lab]'"


def write_rows(path: Path, columns: Mapping[str, str], rows: Iterator[Row]) -> int:
    """How many there were. The file is there whole, or not at all."""
    with _whole(path) as made:
        if path.suffix == ".parquet":
            return _parquet(made, columns, rows)
        with open(made, "w", encoding="utf-8", newline="") as file:
            return _csv(file, columns, rows) if path.suffix == ".csv" else _lines(file, rows)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Where it is written until it is done."""
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield made
        os.replace(made, path)
    except OSError as fault:
        raise Refusal(f"ichiba export: {path}: {(fault.strerror or 'it cannot be written').lower()}; nothing was written", FAULT) from None
    finally:
        with suppress(OSError):
            made.unlink()


def _csv(file: Any, columns: Mapping[str, str], rows: Iterator[Row]) -> int:
    many = 0
    writer = csv.DictWriter(file, list(columns), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(row)
        many += 1
    return many


def _lines(file: Any, rows: Iterator[Row]) -> int:
    many = 0
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        many += 1
    return many


def _parquet(path: Path, columns: Mapping[str, str], rows: Iterator[Row]) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise Refusal(INSTALL) from None
    forms = {"int": pa.int64(), "number": pa.float64(), "text": pa.string()}
    schema = pa.schema([(name, forms[form]) for name, form in columns.items()])
    many = 0
    with parquet.ParquetWriter(path, schema) as writer:
        while some := list(islice(rows, AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(some, schema))
            many += len(some)
    return many


__all__ = ["FORMS", "write_rows"]
