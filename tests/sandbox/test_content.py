"""Where content is not: code and golds pass by the zygotes, which are what children inherit."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from scientific_math_critpt_env.sandbox import Limits, Program, Sandbox
from scientific_math_critpt_env.sandbox.codec import decode
from tests.sandbox.test_lifecycle import zygotes

# Looks through its own memory, page by page: what the kernel can show (MADV_POPULATE_READ) of every megabyte
# in which the collector knows an object.
SCAN = """
import builtins, ctypes, gc
libc = ctypes.CDLL(None)
def pages():
    gc.unfreeze()
    things = gc.get_objects()
    tables = [thing for thing in things if builtins.type(thing) is builtins.dict]
    blocks = {builtins.id(thing) >> 20 for thing in things}
    blocks |= {builtins.id(key) >> 20 for table in tables for key in table}
    for block in blocks:
        for page in builtins.range(block << 8, block + 1 << 8):
            if libc.madvise(ctypes.c_void_p(page << 12), ctypes.c_size_t(4096), 22) == 0:
                yield ctypes.string_at(page << 12, 4096)
def model_answer():
    planted = b"MARKER-" + b"PLANTED"
    shift = builtins.bytes((k + 1) % 256 for k in builtins.range(256))  # so that it does not find itself
    markers = [b"NBSLFS.QMBOUFE", builtins.bytes.fromhex("WANTED")]
    seen, found = 0, [0, 0]
    for page in pages():
        seen += 1
        page = page.translate(shift)
        found = [count + page.count(marker) for count, marker in builtins.zip(found, markers)]
    return [seen, found]
"""


def memory_of(pid: int) -> bytes:
    parts = []
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            bounds, permissions = line.split()[:2]
            if not permissions.startswith("rw"):
                continue
            start, end = (int(bound, 16) for bound in bounds.split("-"))
            try:
                memory.seek(start)
                parts.append(memory.read(end - start))
            except OSError:
                continue  # not populated
    return b"".join(parts)


@pytest.mark.skipif(os.getuid() != 0, reason="reading another process's memory takes root")
async def test_zygotes_never_hold_content(sandbox: Sandbox):
    marker = secrets.token_hex(16)
    code = f"def model_answer(): return '{marker}'"
    for _ in range(5):
        outcome = await sandbox.run(Program(code=code))
        assert (await sandbox.check(b"read " + outcome.value)).value == f"[{marker!r}]".encode()
    for name, pid in zygotes(sandbox).items():
        memory = memory_of(pid)
        assert len(memory) > 50 << 20
        assert b"sympy" in memory
        assert marker.encode() not in memory, name


async def test_a_program_finds_no_gold_and_no_other_program(sandbox: Sandbox):
    wanted = secrets.token_hex(8)
    secret = f"MARKER-{wanted}".encode()
    for _ in range(3):
        assert (await sandbox.check(b"echo " + secret)).value == secret
        await sandbox.run(Program(code=f"def model_answer(): return {secret.decode()!r}"))
    scan = SCAN.replace("WANTED", bytes(byte + 1 for byte in secret).hex())
    outcome = await sandbox.run(Program(code=scan, builtins="import-only"), Limits(cpu_seconds=20.0))
    assert outcome.status == "ok", outcome
    ((seen, (planted, found)),) = decode(outcome.value)  # type: ignore[misc]
    assert seen > 5000
    assert planted >= 1  # what is there it does find
    assert found == 0
