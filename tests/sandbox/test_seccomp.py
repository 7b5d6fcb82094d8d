"""The system-call filter, run on paper: what it answers to every call there could be."""

from __future__ import annotations

import errno
import platform
import struct
import sys

import pytest

from scientific_math_critpt_env.sandbox import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
PERM, NOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def answer(filter: bytes, number: int, arch: int, arguments: tuple[int, ...] = ()) -> int:
    """Interpret classic BPF over struct seccomp_data { int nr; u32 arch; u64 ip; u64 args[6]; }."""
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, arch, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    code = list(struct.iter_unpack("<HBBI", filter))
    accumulator, position = 0, 0
    while True:
        operation, if_true, if_false, value = code[position]
        position += 1
        match operation:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, value)[0]
            case 0x54:
                accumulator &= value
            case 0x15:
                position += if_true if accumulator == value else if_false
            case 0x35:
                position += if_true if accumulator >= value else if_false
            case 0x45:
                position += if_true if accumulator & value else if_false
            case 0x06:
                return value
            case other:
                raise AssertionError(f"instruction {other:#x}")


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


@pytest.mark.parametrize("role", ["program", "checker"])
def test_only_the_list_is_allowed(machine: str, role: seccomp.Role):
    filter, arch = seccomp.assemble(role), ARCHITECTURES[machine]
    numbers = seccomp._MACHINES[machine].numbers
    names = {number: name for name, number in numbers.items()}
    listed = {*seccomp._COMPUTE, *(seccomp._ACCOUNT if role == "checker" else ())}
    assert len(names) == len(numbers)
    for number in range(1100):
        name = names.get(number)
        expected = ALLOW if name in listed else NOSYS if name == "clone3" else PERM
        arguments = (0, 1) if name == "futex" else ()  # to wake
        assert answer(filter, number, arch, arguments) == expected, name or number


def test_other_calling_conventions_are_killed(machine: str):
    filter, arch = seccomp.assemble("program"), ARCHITECTURES[machine]
    for foreign in (0x40000003, 0xC000003E, 0xC00000B7, 0x40000028, 0):  # i386, x86-64, arm64, arm
        if foreign != arch:
            assert all(answer(filter, number, foreign) == KILL for number in range(500))
    if machine == "x86_64":
        assert all(answer(filter, 0x40000000 | number, arch) == KILL for number in range(600))
        assert answer(filter, -1, arch) == KILL
    else:
        assert answer(filter, -1, arch) == PERM


def test_arguments(machine: str):
    arch, numbers = ARCHITECTURES[machine], seccomp._MACHINES[machine].numbers
    program, checker = seccomp.assemble("program"), seccomp.assemble("checker")
    for name in ("mmap", "mprotect"):
        for protection in range(8):
            expected = PERM if protection & 4 else ALLOW
            assert answer(program, numbers[name], arch, (0, 4096, protection)) == expected
    for operation in range(14):
        for flags in (0, 128, 256, 384):
            expected = ALLOW if operation in (1, 10) else NOSYS
            assert answer(program, numbers["futex"], arch, (0, operation | flags)) == expected
    assert answer(checker, numbers["prlimit64"], arch, (0, 7)) == ALLOW
    for pid in (1, 1 << 32, 12345):
        assert answer(checker, numbers["prlimit64"], arch, (pid, 7)) == PERM
    assert answer(program, numbers["prlimit64"], arch, (0, 7)) == PERM


def test_a_machine_without_a_table_is_told(monkeypatch: pytest.MonkeyPatch):
    assert seccomp.unsupported() == "" or platform.machine() not in ARCHITECTURES
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "riscv64" in seccomp.unsupported()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="compares with the headers' numbers of x86-64")
def test_numbers_are_those_of_the_c_library():
    """By behaviour, for those that Python can call: a wrong number would answer something else."""
    import ctypes
    import os
    import threading

    libc = ctypes.CDLL(None)
    numbers = seccomp._X86_64
    assert libc.syscall(numbers["getpid"]) == os.getpid()
    assert libc.syscall(numbers["gettid"]) == threading.get_native_id()
    assert sys.byteorder == "little"
