"""Files of a run, plain or packed; the suffix says which. Packing the same bytes gives the same file."""

from __future__ import annotations

import gzip
import io
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

import zstandard

from scientific_math_critpt_env.errors import RunError

Compression = Literal["none", "gzip", "zstd"]

SUFFIXES: dict[Compression, str] = {"none": "", "gzip": ".gz", "zstd": ".zst"}

GZIP_LEVEL = 6
"""gzip's own default: 9 takes twice the time for a per cent of the size."""

ZSTD_LEVEL = 10
"""Smaller than gzip -9 on model text, and three times as fast."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The unpacked content, to read. Raises RunError where a packed file is damaged or cut off."""
    try:
        if path.name.endswith(SUFFIXES["gzip"]):
            with gzip.open(path, "rb") as packed:
                yield cast(BinaryIO, packed)
        elif path.name.endswith(SUFFIXES["zstd"]):
            with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
                yield cast(BinaryIO, io.BufferedReader(stream))
        else:
            with path.open("rb") as file:
                yield file
    except (gzip.BadGzipFile, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise RunError(f"{path}: cannot be unpacked ({error}); the file was damaged or cut off") from None


def pack(source: Path, target: BinaryIO, compression: Compression) -> None:
    """Write the file's content, packed, to `target`."""
    with source.open("rb") as file:
        if compression == "gzip":
            # No name and no time in the header: equal content gives equal files.
            with gzip.GzipFile(
                filename="", mode="wb", fileobj=target, compresslevel=GZIP_LEVEL, mtime=0
            ) as packed:
                shutil.copyfileobj(file, packed)
        elif compression == "zstd":
            packer = zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
            packer.copy_stream(file, target, size=source.stat().st_size)
        else:
            shutil.copyfileobj(file, target)
