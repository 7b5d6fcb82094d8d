"""Files of a run, plain or packed; the suffix says which. Packing the same bytes gives the same file."""

from __future__ import annotations

import gzip
import io
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import zstandard

from scientific_math_critpt_env.errors import RunError

Compression = Literal["none", "gzip", "zstd"]

SUFFIXES: dict[Compression, str] = {"none": "", "gzip": ".gz", "zstd": ".zst"}

GZIP_LEVEL = 6
"""gzip's own default: 9 takes twice the time for a per cent of the size."""

ZSTD_LEVEL = 10
"""Smaller than gzip -9 on model text, and three times as fast."""


BLOCK = 1 << 17
"""Bytes read of a packed file at a time."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The unpacked content, to read. Raises RunError where a packed file is damaged or cut off."""
    try:
        if path.name.endswith(SUFFIXES["gzip"]):
            with gzip.open(path, "rb") as packed:
                yield cast(BinaryIO, packed)
        elif path.name.endswith(SUFFIXES["zstd"]):
            with path.open("rb") as file:
                yield cast(BinaryIO, io.BufferedReader(_Frames(file), BLOCK))
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


class _Frames(io.RawIOBase):
    """zstd frames to the file's end, unpacked.

    One that is cut off, or what is no frame, is an error; zstandard's own stream hides the first and stops
    before the second.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            block = self._packed or self._file.read(BLOCK)
            if not block and not self._frame.eof:
                raise EOFError("it ends too early")
            if not block:
                return 0
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(self._frame.decompress(block))
            self._packed = self._frame.unused_data
        taken = min(len(buffer), len(self._ready))
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken
