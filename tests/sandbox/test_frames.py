"""The bytes on the wire: what is written is read; what a child writes is one thing or nothing at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scientific_math_critpt_env.sandbox import Limits, Outcome, Program
from scientific_math_critpt_env.sandbox.failures import Failure
from scientific_math_critpt_env.sandbox.frames import (
    LENGTH,
    Status,
    pack_failure,
    pack_program,
    pack_status,
    pack_value,
    unpack_frame,
    unpack_program,
    unpack_status,
)

_TEXT = st.text(st.characters())  # half characters too: models write them


@given(
    code=_TEXT, name=st.text(), calls=st.lists(st.dictionaries(st.text(), st.text(), max_size=2), max_size=2)
)
def test_programs(code: str, name: str, calls: list[dict[str, str]]):
    limits = Limits(
        cpu_seconds=0.25, wall_seconds=3.5, memory_bytes=7, output_bytes=6, nodes=5, depth=4, bits=3
    )
    for kind in ("restricted", "import-only"):
        program = Program(code=code, entry_point=name, calls=tuple(calls), builtins=kind)  # type: ignore[arg-type]
        packed = pack_program(program, limits)
        assert LENGTH.unpack_from(packed)[0] == len(packed) - LENGTH.size
        assert unpack_program(packed[LENGTH.size :]) == (program, limits)


def test_statuses():
    for status in (
        Status("ready", 7),
        Status("exited", -9, 0.5, 1.5, 1 << 40),
        Status("refused", reason="why"),
    ):
        assert unpack_status(pack_status(status)) == status


def test_every_failure_has_a_sentence():
    for failure in Failure:
        outcome = unpack_frame(pack_failure(failure, "Name", 3))
        assert outcome is not None
        assert outcome.status != "ok"
        assert outcome.reason
        assert "{" not in outcome.reason


@given(body=st.binary(max_size=50))
def test_values(body: bytes):
    assert unpack_frame(pack_value(body)) == Outcome(status="ok", value=body)


@given(name=_TEXT)
def test_names_are_shown_only_if_plain(name: str):
    outcome = unpack_frame(pack_failure(Failure.RAISED, name))
    assert outcome is not None
    assert outcome.reason.isascii()
    assert outcome.reason.isprintable()


@given(stream=st.binary(max_size=40))
def test_anything_else_is_refused(stream: bytes):
    outcome = unpack_frame(stream)
    assert outcome is None or pack_value(outcome.value) == stream or outcome.status != "ok"
    for whole in (pack_value(b"x"), pack_failure(Failure.RAISED, "E", 1)):
        assert unpack_frame(whole + stream) is None or stream == b""
        assert unpack_frame(whole[:-1]) is None
