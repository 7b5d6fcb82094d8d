r"""The contract math-v5.2-dual: the last `\boxed{}`, read and compared by Math-Verify 0.9.0.

Strict: the content of the last complete box, or no candidate. Soft: the same where there is a box, else the
whole stripped text; a diagnostic, never a score. Statuses: correct, incorrect, no_candidate, parse_error,
verification_error. Truncation changes nothing.

Its hash is math-eval's own, and its verdicts are reproduced on Math-Verify's main thread's cases, with two
differences of means: a limit is CPU time and kills, where the original's is an alarm that C code ignores.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from scientific_math_critpt_env.errors import InfrastructureError, RunError
from scientific_math_critpt_env.grading.once import Once
from scientific_math_critpt_env.grading.verdict import presentable
from scientific_math_critpt_env.prompting.boxed import last_boxed
from scientific_math_critpt_env.runs.contracts.contract import Judged
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.runs.workers import SECOND, Workers
from scientific_math_critpt_env.sandbox import Outcome

ID = "math-v5.2-dual"
MATH_VERIFY = "0.9.0"
NORMALISATION_SECONDS = 5
"""CPU time for reading an answer; the contract's own number."""

VERIFICATION_SECONDS = 5
"""CPU time for comparing it with the gold: Math-Verify's own default."""

PAYLOAD: Mapping[str, Any] = {
    "parser_id": ID,
    "math_verify_version": MATH_VERIFY,
    "extraction_config": [
        {
            "boxed_match_priority": 0,
            "normalization_config": {
                "basic_latex": True,
                "boxed": "all",
                "equations": False,
                "malformed_operators": True,
                "nits": True,
                "units": True,
            },
            "try_extract_without_anchor": True,
        },
        {"try_extract_without_anchor": True},
    ],
    "strict_candidate_selection": "last_complete_boxed_only",
    "strict_markers": ["boxed"],
    "strict_brace_matching": "balanced_unescaped_braces",
    "soft_candidate_selection": "strict_candidate_else_full_final_text",
    "truncated_affects_candidate": False,
    "gold_math_environment": True,
    "raise_on_error": True,
    "failure_handling": "timeout_and_normalization_errors_to_verdict",
    "prediction_normalization_timeout_seconds": NORMALISATION_SECONDS,
}
"""What math-eval hashes, to the letter."""

MEMORY_BYTES = 2 << 30
"""Address space of a worker on top of what it maps at rest; honest answers need a hundredth."""

REMEMBERED = 10_000
REMEMBERED_CHARACTERS = 500
"""Findings kept, since samples of a problem often say the same, and the longest text of one: megabytes."""

_FUNCTION = "scientific_math_critpt_env.runs.contracts.verifying:check"
_SELF_TEST = ((r"\frac{2}{4}", "0.5", "correct"), (r"\frac{2}{3}", "0.5", "incorrect"))
_NO_CANDIDATE = {"status": "no_candidate", "prediction": "", "gold": "", "error": ""}


class MathV52Dual:
    """Works from one event loop at a time, and from the next one as well."""

    id = ID
    payload = PAYLOAD
    packages = ("math-verify", "latex2sympy2_extended", "antlr4-python3-runtime", "sympy", "mpmath")

    def __init__(self, *, workers: int | None = None) -> None:
        """Raises RunError where another Math-Verify than the contract's is installed, or none."""
        _require_math_verify()
        self._workers = Workers(_FUNCTION, workers=workers)
        self._tests: Once[bool] = Once()
        self._remembered: OrderedDict[tuple[str | None, str], dict[str, str]] = OrderedDict()

    @property
    def workers(self) -> int:
        return self._workers.workers

    def start(self) -> None:
        self._workers.start()

    def refusal(self, sample: Sample) -> str:
        return "" if sample.gold_answer.strip() else "it has no gold answer"

    async def judge(self, sample: Sample) -> Judged:
        return await self.judge_text(sample.final_text, sample.gold_answer)

    async def judge_text(self, text: str, gold: str) -> Judged:
        """The verdict on a reply, its reasoning removed. Raises InfrastructureError."""
        await self.self_test()
        box, whole = last_boxed(text), text.strip()
        if box is not None:
            strict = _side(box, "last_complete_boxed", await self._found(f"${box}$", gold))
            return {**strict, "soft": strict}
        strict = _side(None, "none", _NO_CANDIDATE)
        if not whole:
            return {**strict, "soft": strict}
        return {**strict, "soft": _side(whole, "full_final_text", await self._found(whole, gold))}

    async def self_test(self) -> None:
        """Judge a known right and a known wrong answer, once; raises InfrastructureError where that fails."""
        await self._tests.get("", self._test)

    def clustering(self, samples: Iterable[Sample]) -> None:
        """By text: the normalised answers are SymPy's prints of what was read, where 0.5 is 1/2."""

    def close(self) -> None:
        self._workers.close()

    async def _found(self, text: str | None, gold: str) -> dict[str, str]:
        known = self._remembered.get((text, gold))
        if known is None:
            known = await self._find(text, gold)
            if text is not None and not known["gold"]:
                # The answer ended before the gold was read, which says nothing against the gold.
                known = {**known, "gold": (await self._found(None, gold))["gold"]}
            if len(text or "") <= REMEMBERED_CHARACTERS:
                self._remembered[text, gold] = known
            if len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return known

    async def _find(self, text: str | None, gold: str) -> dict[str, str]:
        request = {"text": text, "gold": gold, "verification_seconds": VERIFICATION_SECONDS}
        outcome = await self._workers.apply(
            json.dumps(request).encode(), cpu_seconds=NORMALISATION_SECONDS, memory_bytes=MEMORY_BYTES
        )
        if outcome.status == "ok":
            found: dict[str, str] = json.loads(outcome.value)
            return found
        return {**_NO_CANDIDATE, **_failed(outcome)}

    async def _test(self) -> bool:
        for text, gold, expected in _SELF_TEST:
            found = await self._find(f"${text}$", gold)
            if found["status"] != expected:
                raise InfrastructureError(
                    f"self-test of {ID} failed: {text} against {gold} is {found['status']}, not {expected} "
                    f"({found['error'] or 'no error'}); refusing to judge"
                )
        return True


def _side(candidate: str | None, rule: str, found: Mapping[str, str]) -> dict[str, Any]:
    """One of the two readings, as fields of a verdict row."""
    status = found["status"]
    judged = status in ("correct", "incorrect")
    return {
        "status": status,
        "is_correct": status == "correct",
        "score": float(status == "correct"),
        "candidate_text": candidate,
        "normalized_prediction": presentable(found["prediction"]),
        "normalized_gold": presentable(found["gold"]),
        "extraction_rule": rule,
        "method": "math-verify" if judged else "",
        "reason": "" if status == "correct" else _reason(status, found),
        "error": presentable(found["error"]),
    }


def _reason(status: str, found: Mapping[str, str]) -> str:
    if status == "no_candidate":
        return r"the reply has no complete \boxed{}"
    if status == "incorrect":
        return presentable(f"Math-Verify finds {found['prediction']} different from {found['gold']}")
    stage = "reading the answer" if status == "parse_error" else "comparing it with the gold"
    return presentable(f"{stage}: {found['error']}")


def _failed(outcome: Outcome) -> dict[str, str]:
    """What a killed worker means. Which part crashed or filled the memory is unknown: the first is blamed."""
    if outcome.limit == SECOND:
        return {
            "status": "verification_error",
            "error": f"took more than {VERIFICATION_SECONDS} s of CPU time",
        }
    if outcome.limit == "cpu":
        error = _slow(NORMALISATION_SECONDS)
    elif outcome.status == "resource_limit":
        error = "took more memory than its limit"
    else:
        error = outcome.reason
    return {"status": "parse_error", "error": error}


def _slow(seconds: float) -> str:
    return f"took more than {seconds:g} s of CPU time"


def _require_math_verify() -> None:
    advice = f"{ID} is defined with Math-Verify {MATH_VERIFY}; run: pip install math-verify=={MATH_VERIFY}"
    try:
        installed = version("math-verify")
    except PackageNotFoundError:
        raise RunError(f"Math-Verify is not installed; {advice}") from None
    if installed != MATH_VERIFY:
        raise RunError(f"Math-Verify {installed} is installed; {advice}")
