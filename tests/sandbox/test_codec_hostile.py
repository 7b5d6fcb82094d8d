"""The decoder against bytes that `encode` never wrote: DecodeError, soon, and nothing else."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.sandbox.codec import DecodeError, EncodeError, decode, encode
from scientific_math_critpt_env.sandbox.codec.decoding import _BUILDERS
from scientific_math_critpt_env.sandbox.codec.heads import HEADS
from scientific_math_critpt_env.sandbox.limits import Limits

REFUSED: list[Any] = [
    [], {}, 1, "x", [1], [[]], [["int"]], [[1, 2]], [["nothing", 1]], [["__import__", "os"]], [["eval", 0]],
    [["os.system"]],
    [["int", 5]], [["int", ""]], [["int", "-"]], [["int", "0x5"]], [["int", " 5"]], [["int", "5_0"]],
    [["int", "F"]], [["int", "٣"]],
    [["bool", 2]], [["bool", True]], [["bool", "1"]], [["float", "1.5"]], [["float", "0x1p5"]],
    [["float", "NaN"]], [["float", 1.5]],
    [["rational", "1", "0"]], [["rational", "1", "-2"]], [["rational", "1"]], [["str", 5]],
    [["str", "\ud800"]],
    [["symbol", "x"]], [["symbol", "os.system('x')", ""]], [["symbol", "x", "+positive +nonsense"]],
    [["symbol", "x", "positive"]],
    [["symbol", "x", "+positive +negative"]], [["symbol", ["x"], ""]], [["symbol", "x", {"positive": True}]],
    [["symbol", "x", " "]],
    [["function", "eval", ""]], [["function", "__class__", ""]], [["apply", "open", ""]],
    [["list", 0]], [["list", -1]], [["list", True]], [["int", "1"], ["list", 0.0]],
    [["int", "1"], ["list", "0"]], [["int", "1"], ["list", 1]],
    [["int", "1"], ["dict", 0]], [["int", "1"], ["dict", 0, 0, 0, 0]], [["list"], ["set", 0]],
    [["list"], ["dict", 0, 0]],
    [["int", "1"], ["Add", 0]], [["str", "__import__('os')"], ["Symbol", 0]], [["str", "x"], ["sin", 0]],
    [["list"], ["Tuple", 0]],
    [["symbol", "x", ""], ["sin", 0, 0, 0]], [["integer", "1"], ["Integral", 0, 0]], [["Pow"]],
    [["symbol", "x", ""], ["Pow", 0]],
    [["real", "1", 0, 0]], [["real", "1", 0, 10**9]], [["real", "1", 10**30, 53]], [["real", "1", "0", 53]],
    [["real", "1", 0.0, 53]],
    [["constant", "__class__"]], [["constant", "os"]], [["unit", "convert_to"]], [["unit", "__name__"]],
    [["matrix", 1, 1]], [["matrix", -1, 0]], [["matrix", 10**9, 10**9]],
    [["str", "__import__('os')"], ["matrix", 1, 1, 0]],
    [["array", ""]], [["array", "2 2 2"]], [["array", "-1 1 1"]], [["array", "99999999999 1 1"]],
    [["array", " ".join(["1"] * 100)]],
    [["permutation", "0 0"]], [["permutation", "5"]], [["permutation", "x"]], [["text", "a(b)"]],
    [["dummy", "x", ""]],
    [["wild", "w", ""], ["wild", "(", "", 0]], [["Integer", 0]], [["Poly", 0]],
    [["symbol", "x", ""], ["Poly", 0, 0, 0]], [["exec"]],
    [["integer", "1"], ["Lambda", 0, 0, 0]], [["integer", "1"], ["Interval", 0]],
    [["integer", "1"], ["MatrixSymbol", 0, 0, 0]],
]  # fmt: skip


@pytest.mark.parametrize("nodes", REFUSED, ids=lambda nodes: json.dumps(nodes)[:50])
def test_refused(nodes: Any):
    with pytest.raises(DecodeError):
        decode(json.dumps(nodes).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"nan", b"[" * 100_000, b'[["int","1"]] ', b"[[NaN]]", b'[["int","1"]' * 2, b"1" * 5000],
)
def test_not_even_json(data: bytes):
    if data.strip() != data and decode(data) == 1:
        return  # white space around it is JSON's
    with pytest.raises(DecodeError):
        decode(data)


def test_limits_hold_for_forged_bytes_too():
    limits = Limits(nodes=10, depth=5, bits=64, output_bytes=500)
    deep = [["list"], *(["list", k] for k in range(6))]
    for nodes in (
        [["int", "1"]] * 11,
        [["int", "1"], ["list", *[0] * 90]],
        deep,
        [["int", "f" * 20]],
        [["real", "1", 0, 65]],
        [["str", "x" * 600]],
    ):
        with pytest.raises(DecodeError):
            decode(json.dumps(nodes).encode(), limits)


def test_a_forged_graph_costs_no_more_than_its_nodes():
    nodes: list[Any] = [["symbol", "x", ""]]
    for k in range(48):
        nodes += [["Mul", 2 * k, 2 * k], ["Add", 2 * k, 2 * k + 1]]
    start = time.process_time()
    decode(json.dumps(nodes).encode())
    assert time.process_time() - start < 1.0


def test_nothing_that_runs_is_a_head():
    refused = {
        "Function",
        "Basic",
        "Expr",
        "lambdify",
        "sympify",
        "parse_expr",
        "Predicate",
        "DeferredVector",
    }
    assert refused.isdisjoint(HEADS)
    assert all(isinstance(head, type) and issubclass(head, sympy.Basic) for head in HEADS.values())
    assert set(_BUILDERS).isdisjoint(HEADS)


_FIELD = st.one_of(
    st.integers(-2, 6),
    st.sampled_from(["", "1", "-f", "x", "+positive", "Pi", "meter", "2 1 1", "0x1.8p+0", "open"]),
    st.text(max_size=3),
    st.none(), st.booleans(), st.floats(),
)  # fmt: skip
_NODES = st.lists(
    st.builds(
        lambda tag, fields: [tag, *fields],
        st.sampled_from(sorted([*HEADS, *_BUILDERS])),
        st.lists(_FIELD, max_size=4),
    ),
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@given(nodes=_NODES)
def test_any_nodes_either_decode_or_are_refused(nodes: Any):
    leaves = [["symbol", "x", ""], ["integer", "2"], ["real", "3", -1, 53], ["int", "1"], ["str", "a"]]
    try:
        value = decode(json.dumps([*leaves, *nodes]).encode())
    except DecodeError:
        return
    with suppress(EncodeError):  # what decodes is a value again, or what a constructor made of it: MatAdd()
        encode(value, Limits(depth=10**6))


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=60))
def test_any_bytes_either_decode_or_are_refused(data: bytes):
    try:
        decode(data)
    except DecodeError:
        return
