"""Math-Verify, called in a confined process: it parses a model's text, and SymPy may hang or explode on it.

request   {"text": what to parse as the answer, "gold": text, "verification_seconds": CPU time to compare}
          or, to read the gold alone, with null as text
reply     {"status": "correct" | "incorrect" | "parse_error" | "verification_error" | "" for a gold alone,
           "prediction": printed, "gold": printed, "error": text}

Math-Verify's own timeouts are off: they are alarms, which fail outside the main thread and do not stop C
code. The kernel's timers kill this process instead, and the signal tells which part was too slow: SIGPROF
while the answer was normalised (the limit of the check), SIGVTALRM while it was verified.

Importing this module imports Math-Verify; only the workers do.
"""

from __future__ import annotations

import gc
import json
import logging
import random
import signal
from functools import lru_cache
from typing import Any

from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify
from sympy import Add, Mul, Number, Pow, factorial, preorder_traversal
from sympy.core.random import seed as seed_sympy

PRINTED_CHARACTERS = 1000
"""What is kept of a printed value: enough to read it, little enough for a million rows."""

GOLDS = 1024
"""Golds kept parsed, for the other samples of the problem."""

JOBS_BETWEEN_COLLECTIONS = 100
"""The parser makes and drops so many objects that the collector would take a tenth of the time."""

_CONFIGS = (LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig())
_Parsed = list[Any]
_jobs = 0


def check(payload: bytes) -> bytes:
    """Answer one request; only a `MemoryError` of the answer's making is an answer as well."""
    request = json.loads(payload)
    reply = {"prediction": "", "gold": "", "error": ""} | _judged(**request)
    _tidy_up()
    return json.dumps(reply).encode()


def _judged(text: str | None, gold: str, verification_seconds: float) -> dict[str, str]:
    random.seed(0)  # SymPy tries random points: the same ones, whatever was checked before
    seed_sympy(0)
    if text is None:
        return {"status": "", "gold": _read_gold(gold)}
    try:
        prediction = _parse(text)
        printed = _printed(prediction)
        if prediction and prediction[-1] != gold.strip():
            _evaluate_exponents(prediction[0])
    except Exception as error:  # noqa: BLE001 - the contract: whatever normalising raises is a parse_error
        return {"status": "parse_error", "error": _named(error)}
    if not prediction:
        return {"status": "parse_error", "error": "Math-Verify finds nothing to parse in it"}
    _begin_verification(verification_seconds)
    found = {"status": "verification_error", "prediction": printed}
    try:
        wanted = _parsed_gold(gold)
        found["gold"] = _printed(wanted)
        equal = verify(wanted, prediction, timeout_seconds=None, raise_on_error=True)
    except Exception as error:  # noqa: BLE001 - the contract: whatever verifying raises is a verification_error
        return {**found, "error": _named(error)}
    if not wanted:
        return {**found, "error": "Math-Verify finds nothing to parse in the gold"}
    return {**found, "status": "correct" if equal else "incorrect"}


def _parse(text: str) -> _Parsed:
    parsed: _Parsed = parse(text, _CONFIGS, parsing_timeout=None, raise_on_error=True)
    return parsed


@lru_cache(GOLDS)
def _parsed_gold(text: str) -> _Parsed:
    return _parse(f"${text}$")


def _read_gold(gold: str) -> str:
    try:
        return _printed(_parsed_gold(gold))
    except Exception:  # noqa: BLE001 - whatever Math-Verify raises: it is told where the gold is compared with
        return ""


def _evaluate_exponents(value: Any) -> None:
    """Part of reading a number: the exponents in it have values.

    One that has none within the limit - in a tower of four, of some hundred million digits - leaves nothing
    to compare with anything, so that it is a `parse_error`; a power that is merely large is compared.
    """
    for part in preorder_traversal(value):
        if isinstance(part, Pow) and part.exp.has(Pow, factorial) and _is_arithmetic(part.exp):
            part.exp.doit()


def _is_arithmetic(value: Any) -> bool:
    return all(isinstance(part, _ARITHMETIC) for part in preorder_traversal(value))


_ARITHMETIC = (Number, Add, Mul, Pow, factorial)


def _begin_verification(seconds: float) -> None:
    """From the check's CPU limit to the second one, whose signal tells them apart."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _printed(parsed: _Parsed) -> str:
    """The value as SymPy prints it; where it has none, or too many digits, the text that it was read from."""
    if not parsed:
        return ""
    try:
        printed = str(parsed[0])
    except ValueError:  # Python prints no integer of more than 4300 digits
        printed = str(parsed[-1])
    return printed[:PRINTED_CHARACTERS]


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:PRINTED_CHARACTERS]


def _tidy_up() -> None:
    global _jobs
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    _jobs += 1
    if _jobs % JOBS_BETWEEN_COLLECTIONS == 0:
        gc.collect()


def _warm_up() -> None:
    """Have the grammars and SymPy's lazily made parts made before the processes are forked."""
    for text, gold in _REHEARSAL:
        _judged(f"${text}$", gold, _REHEARSAL_SECONDS)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


_REHEARSAL_SECONDS = 60.0
_REHEARSAL = (
    (r"\frac{2\sqrt{x}}{3x^2} + \sin(x) - e^{-x/2}", r"\frac{2}{3} x^{-3/2} + \sin x - \exp(-x/2)"),
    (r"x=7", "7"),
    (r"\{1, \frac{1}{2}\}", "0.5, 1"),
    (r"(-\infty, 3] \cup [4, 5)", r"(-\infty, 3]"),
    (r"\begin{pmatrix}1 & 2 \\ 3 & \pi\end{pmatrix}", r"\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}"),
    (r"12\%", "0.13"),
    (r"6-5i", "6 - 4i"),
    (r"(x-1)(x+1)", "x^2-1"),
    (r"0.333", r"\frac{1}{3}"),
)

gc.disable()
logging.getLogger("math_verify").disabled = True  # it would warn, in every process, that its timeouts are off
_warm_up()
