"""The boxed contract: math-eval's verdicts, and what a hostile answer may cost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from scientific_math_critpt_env.errors import InfrastructureError, RunError
from scientific_math_critpt_env.runs.contracts import contract_hash, math_v5_2_dual
from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from tests.runs.processes import descendants

pytestmark = pytest.mark.xdist_group("replay")

CASES = json.loads(Path(__file__).with_name("math_v5_2_cases.json").read_text())
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "math_eval"
TOWER = {"final_text": r"\boxed{9^{9^{9^{9}}}}", "gold": "70000"}
HOSTILE = [case for case in CASES if case.get("slow")]


def _verdicts(contract: MathV52Dual, cases: list[dict[str, str]]) -> list[dict[str, object]]:
    async def judge_all() -> list[dict[str, object]]:
        return await asyncio.gather(*(contract.judge_text(c["final_text"], c["gold"]) for c in cases))

    return asyncio.run(judge_all())


def test_math_evals_verdicts(dual: MathV52Dual) -> None:
    cases = [case for case in CASES if not case.get("slow")]
    wrong = [
        (case, verdict)
        for case, verdict in zip(cases, _verdicts(dual, cases), strict=True)
        if (verdict["status"], verdict["soft"]["status"]) != (case["strict"], case["soft"])  # type: ignore[index]
    ]
    assert not wrong


def test_math_evals_hash(dual: MathV52Dual) -> None:
    assert contract_hash(dual) == "e0b9e40ca45b1844b4a1d31252988bab15083be80615d3e9649b71ffb1f2cc22"
    if not SHARED.exists():
        pytest.skip("the shared cases are not beside this checkout")
    known = json.loads((SHARED / "matheval_parser_hashes.json").read_text())
    assert dual.payload == known["v52_payload"]
    assert contract_hash(dual) == known["hashes"]["math-v5.2-dual"]


def test_a_verdict_says_why(dual: MathV52Dual) -> None:
    wrong, right, none = _verdicts(
        dual,
        [
            {"final_text": r"\boxed{41}", "gold": "42"},
            {"final_text": r"\boxed{\frac{2}{4}}", "gold": "0.5"},
            {"final_text": "42", "gold": "42"},
        ],
    )
    assert wrong["reason"] == "Math-Verify finds 41 different from 42"
    assert (wrong["score"], wrong["method"], wrong["extraction_rule"]) == (
        0.0,
        "math-verify",
        "last_complete_boxed",
    )
    assert (right["normalized_prediction"], right["normalized_gold"], right["score"]) == ("1/2", "1/2", 1.0)
    assert (none["status"], none["candidate_text"]) == ("no_candidate", None)
    assert none["soft"]["status"] == "correct"  # type: ignore[index]
    assert none["soft"]["extraction_rule"] == "full_final_text"  # type: ignore[index]


def test_hostile_answers_meet_the_limit_of_their_stage_and_delay_nobody(
    dual: MathV52Dual, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(math_v5_2_dual, "NORMALISATION_SECONDS", 0.5)
    monkeypatch.setattr(math_v5_2_dual, "VERIFICATION_SECONDS", 0.5)
    finished: list[str] = []

    async def judge(text: str, gold: str) -> str:
        verdict = await dual.judge_text(text, gold)
        finished.append(text)
        return str(verdict["soft"]["status"])

    async def judge_all() -> list[str]:
        harmless = [judge(rf"\boxed{{{n}}}", "1000") for n in range(30)]
        return await asyncio.gather(*(judge(c["final_text"], c["gold"]) for c in HOSTILE[:1]), *harmless)

    statuses = asyncio.run(judge_all())
    assert statuses[0] == "parse_error"
    assert set(statuses[1:]) == {"incorrect"}
    assert finished[-1] == HOSTILE[0]["final_text"]  # the worker beside it did all the others meanwhile
    verdicts = _verdicts(dual, HOSTILE[1:])
    assert [verdict["status"] for verdict in verdicts] == ["verification_error"] * len(verdicts)
    assert "took more than 0.5 s" in str(verdicts[0]["reason"])
    assert verdicts[0]["normalized_gold"] == "3"


@pytest.mark.slow
def test_nested_powers_cost_one_parse_error_at_five_seconds(dual: MathV52Dual) -> None:
    dual._remembered.clear()
    started = time.monotonic()
    (verdict,) = _verdicts(dual, [TOWER])
    taken = time.monotonic() - started
    assert (verdict["status"], verdict["normalized_gold"]) == ("parse_error", "70000")
    assert "reading the answer: took more than 5 s" in str(verdict["reason"])
    assert 4.5 < taken < 60  # CPU time: on a crowded machine the wall clock shows more


def test_powers_that_have_a_value_are_compared(dual: MathV52Dual) -> None:
    texts = [r"2^{2^{2^{2}}}", r"9^{9^{9^{9}}}", r"x^{2^{-1}}", r"\sqrt{2}^{3^{2}}"]
    golds = ["65536", r"9^{9^{9^{9}}}", r"\sqrt{x}", r"16\sqrt{2}"]
    cases = [{"final_text": rf"\boxed{{{t}}}", "gold": g} for t, g in zip(texts, golds, strict=True)]
    assert [verdict["status"] for verdict in _verdicts(dual, cases)] == ["correct"] * 4


def test_memory_has_a_limit(dual: MathV52Dual, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math_v5_2_dual, "MEMORY_BYTES", 4 << 20)
    (verdict,) = _verdicts(dual, [{"final_text": r"\boxed{" + "1" * 10_000_000 + "}", "gold": "1"}])
    assert (verdict["status"], verdict["error"]) == ("parse_error", "took more memory than its limit")


def test_it_works_off_the_main_thread_where_math_verify_itself_raises(dual: MathV52Dual) -> None:
    found: list[dict[str, object]] = []
    cases = [{"final_text": r"\boxed{x^2-1}", "gold": "(x-1)(x+1)"}]
    thread = threading.Thread(target=lambda: found.extend(_verdicts(dual, cases)))
    thread.start()
    thread.join(60)
    assert found[0]["status"] == "correct"


def test_killed_workers_are_replaced(dual: MathV52Dual) -> None:
    async def judged(number: int) -> str:
        verdict = await dual.judge_text(rf"\boxed{{{number}}}", str(number))
        return str(verdict["status"])

    assert asyncio.run(judged(1001)) == "correct"
    started = descendants(os.getpid())
    children = {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
    assert started - children
    for pid in started - children:  # all that the zygotes have forked
        os.kill(pid, signal.SIGKILL)
    assert asyncio.run(judged(1002)) == "correct"


@pytest.mark.parametrize("text", ["\ud800 \\boxed{1}", "\x00\\boxed{1}", "\\boxed{1\ud800}"])
def test_text_that_is_no_unicode_is_judged(dual: MathV52Dual, text: str) -> None:
    (verdict,) = _verdicts(dual, [{"final_text": text, "gold": "1"}])
    assert verdict["status"] in ("correct", "incorrect", "parse_error")


def test_a_gold_that_cannot_be_read_is_not_the_answers_fault_to_be_called_wrong(dual: MathV52Dual) -> None:
    (verdict,) = _verdicts(dual, [{"final_text": r"\boxed{1}", "gold": ""}])
    assert verdict["status"] == "verification_error"
    assert "gold" in str(verdict["error"])


def test_another_math_verify_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math_v5_2_dual, "version", lambda name: "0.8.1")
    with pytest.raises(RunError, match=r"Math-Verify 0\.8\.1 is installed.*pip install math-verify==0\.9\.0"):
        MathV52Dual()


def test_a_contract_that_judges_wrongly_refuses_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    contract = MathV52Dual(workers=1)

    async def always_correct(text: str, gold: str) -> dict[str, str]:
        return {"status": "correct", "prediction": "", "gold": "", "error": ""}

    monkeypatch.setattr(contract, "_find", always_correct)
    with pytest.raises(InfrastructureError, match="self-test"):
        asyncio.run(contract.judge_text("1", "2"))
    contract.close()
