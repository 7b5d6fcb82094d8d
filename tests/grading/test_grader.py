"""The whole way of one completion, through the real sandbox."""

import asyncio
import json
import threading

import pytest

from scientific_math_critpt_env import Grader, Policy, Problem, Verdict, agrade, grade
from scientific_math_critpt_env.errors import InfrastructureError, ProblemError
from scientific_math_critpt_env.grading.once import Once
from scientific_math_critpt_env.sandbox import Limits

EXPANDED = Problem(id="square", prompt="Expand (x + 1)**2.", answer_fn="x**2 + 2*x + 1")


def block(expression: str, preamble: str = "x = sp.Symbol('x')") -> str:
    return f"```python\nimport sympy as sp\n{preamble}\n\ndef model_answer():\n    return {expression}\n```"


@pytest.fixture(scope="module")
def grader():
    with Grader(workers=2) as one:
        yield one


@pytest.mark.parametrize(
    ("completion", "status", "score"),
    [
        (block("(x + 1)**2"), "correct", 1.0),
        (block("(x + 1)**2 + 1"), "incorrect", 0.0),
        (block("(x - 1)**2"), "incorrect", 0.0),
        ("The answer is x**2 + 2*x + 1.", "no_answer", 0.0),
        (block("1/0"), "code_error", 0.0),
        (block("open('/etc/passwd').read()"), "code_error", 0.0),
        (block("undefined_name"), "code_error", 0.0),
        (block("None"), "invalid_answer", 0.0),
        (block("lambda t: t"), "invalid_answer", 0.0),
        (block("{x**2 + 2*x + 1}"), "incorrect", 0.0),
    ],
)
def test_statuses(grader: Grader, completion: str, status: str, score: float) -> None:
    verdict = grader.grade(problem=EXPANDED, completion=completion)
    assert (verdict.status, verdict.score) == (status, score), verdict
    assert verdict.reason or verdict.status == "correct", "every failure says why"
    assert verdict.grader == "scientific-v1"


def test_limits_are_named() -> None:
    limits = Limits(cpu_seconds=0.5, memory_bytes=256 << 20, output_bytes=10_000)
    with Grader(workers=2, limits=limits) as grader:
        verdicts = grader.grade_many(
            [
                (EXPANDED, block("f()", "def f():\n    while True:\n        pass")),
                (EXPANDED, block("len([0] * (1 << 28))")),
                (EXPANDED, block("'x' * 100_000")),
                (EXPANDED, block("(x + 1)**2")),
            ]
        )
    statuses = [verdict.status for verdict in verdicts]
    assert statuses == ["timeout", "resource_limit", "resource_limit", "correct"], verdicts
    assert "cpu" in verdicts[0].reason.lower()
    assert "memory" in verdicts[1].reason.lower()
    assert "output" in verdicts[2].reason.lower() or "bytes" in verdicts[2].reason.lower()


def test_a_problem_may_ask_for_more_time(grader: Grader) -> None:
    spin = "def f():\n    for _ in range(120_000_000): pass\n    return 1"
    patient = Problem(id="slow", prompt="One.", answer_fn="1", cpu_seconds=60)
    hasty = Problem(id="hasty", prompt="One.", answer_fn="1", cpu_seconds=0.5)
    assert grader.grade(problem=patient, completion=block("f()", spin)).status == "correct"
    assert grader.grade(problem=hasty, completion=block("f()", spin)).status == "timeout"


def test_function_at_test_points(grader: Grader) -> None:
    problem = Problem(
        id="f",
        prompt="f(a, n)",
        answer_type="function",
        answer_fn="a**n",
        parameters=["a", "n"],
        test_points=[{"a": "2", "n": "3"}, {"a": "Rational(1, 2)", "n": "4"}],
    )
    code = "```python\ndef model_answer(a, n):\n    return {}\n```"
    assert grader.grade(problem=problem, completion=code.format("a**n")).status == "correct"
    wrong = grader.grade(problem=problem, completion=code.format("a**3"))
    assert (wrong.status, wrong.partial) == ("incorrect", 0.5)


def test_function_in_symbols(grader: Grader) -> None:
    problem = Problem(
        id="g",
        prompt="g",
        answer_type="function",
        answer_fn="sqrt(a)",
        parameters=["a"],
        symbols={"a": {"positive": True}},
    )
    code = "```python\nimport sympy as sp\ndef model_answer(a):\n    return {}\n```"
    assert grader.grade(problem=problem, completion=code.format("sp.sqrt(a)")).status == "correct"
    assert grader.grade(problem=problem, completion=code.format("-sp.sqrt(a)")).status == "incorrect"


def test_partial_credit_is_told_not_earned(grader: Grader) -> None:
    problem = Problem(id="pair", prompt="pair", answer_type="tuple", answer_fn="(1, 2, 3, 4)")
    verdict = grader.grade(problem=problem, completion=block("(1, 2, 3, 5)"))
    assert (verdict.status, verdict.score, verdict.partial) == ("incorrect", 0.0, 0.75)


def test_a_bad_gold_is_raised_not_scored(grader: Grader) -> None:
    for source in ("1/", "undefined_function_call(", "sqrt(1, 2, 3)", "().__class__"):
        bad = Problem(id="bad", prompt="bad", answer_fn=source)
        with pytest.raises(ProblemError, match="bad"):
            grader.grade(problem=bad, completion=block("1"))
        assert [problem.id for problem, _ in grader.check_golds([bad, EXPANDED])] == ["bad"]


def test_verdicts_come_in_order(grader: Grader) -> None:
    expressions = ["(x + 1)**2", "x", "1/0", "x**2 + 2*x + 1"] * 5
    verdicts = grader.grade_many([(EXPANDED, block(expression)) for expression in expressions])
    assert [verdict.status for verdict in verdicts] == ["correct", "incorrect", "code_error", "correct"] * 5


def test_the_same_verdict_every_time(grader: Grader) -> None:
    def substance(verdict: Verdict) -> tuple[object, ...]:
        return verdict.status, verdict.method, verdict.reason, verdict.partial, verdict.answer

    completions = [block("(x + 1)**2"), block("x**2 + 2*x + sp.sin(x)/10**30"), block("[1]/2")]
    for completion in completions:
        found = {substance(v) for v in grader.grade_many([(EXPANDED, completion)] * 5)}
        assert len(found) == 1, found


def test_from_threads_and_from_inside_a_loop(grader: Grader) -> None:
    found: list[str] = []

    def work() -> None:
        found.append(grader.grade(problem=EXPANDED, completion=block("(x + 1)**2")).status)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def synchronous_call_in_a_loop() -> str:
        return grader.grade(problem=EXPANDED, completion=block("(x + 1)**2")).status

    found.append(asyncio.run(synchronous_call_in_a_loop()))
    assert found == ["correct"] * 5


def test_module_functions() -> None:
    assert grade(problem=EXPANDED, completion=block("(x + 1)**2")).status == "correct"
    assert asyncio.run(agrade(problem=EXPANDED, completion=block("x"))).status == "incorrect"


def test_block_and_truncation(grader: Grader) -> None:
    both = block("(x + 1)**2") + "\nand then\n" + block("x")
    assert grader.grade(problem=EXPANDED, completion=both).status == "incorrect"
    assert grader.grade(problem=EXPANDED, completion=both, block="first").status == "correct"
    cut = grader.grade(problem=EXPANDED, completion=block("(x + 1)**2"), truncated=True)
    assert (cut.status, cut.truncated) == ("correct", True)


def test_original_contract() -> None:
    numeric = Problem(id="n", prompt="n", answer_type="numeric", answer_fn="pi")
    with Grader(grader="critpt-v1", workers=1) as original:
        close = original.grade(problem=numeric, completion=block("sp.pi + sp.Float('1e-7')"))
        assert (close.status, close.grader) == ("correct", "critpt-v1")
        # The original gives the code no builtin but __import__, so `sum` does not exist there.
        assert original.grade(problem=numeric, completion=block("sum([1, 2])")).status == "code_error"


def test_policy_decides_what_undecided_earns() -> None:
    with pytest.raises(ValueError, match="scientific-v1"):
        Grader(grader="scientific-v0")
    policy = Policy(float_answers="reject")
    third = Problem(id="third", prompt="1/3", answer_type="numeric", answer_fn="Rational(1, 3)")
    with Grader(workers=1, policy=policy) as strict:
        assert strict.grade(problem=third, completion=block("1/3")).status == "incorrect"
        assert strict.grade(problem=third, completion=block("sp.Rational(1, 3)")).status == "correct"


def test_a_grader_that_would_call_everything_right_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scientific_math_critpt_env.grading.grader.CHECKER", "tests.grading.generous:check")
    with Grader(workers=1) as generous, pytest.raises(InfrastructureError, match="self-test failed"):
        generous.grade(problem=EXPANDED, completion=block("x"))


@pytest.mark.parametrize("hostile", [r"\ud800", r"\x1b[2J", r"\x00", r"\u202e"])
def test_hostile_names_are_escaped(grader: Grader, hostile: str) -> None:
    for expression in (f"sp.Symbol('{hostile}')", f"'{hostile}'", f"{{'{hostile}': 1}}"):
        verdict = grader.grade(problem=EXPANDED, completion=block(expression))
        assert verdict.score == 0
        assert (verdict.reason + verdict.answer).isprintable()
    raised = grader.grade(problem=EXPANDED, completion=block(f"int('{hostile}')"))
    assert (raised.status, raised.reason.isprintable()) == ("code_error", True)


def test_row_is_json(grader: Grader) -> None:
    row = grader.grade(problem=EXPANDED, completion=block("(x + 1)**2")).row()
    assert json.loads(json.dumps(row)) == row
    assert list(row) == ["status", "score", "method", "reason", "partial", "answer", "cpu_seconds", "grader"]


async def test_once_computes_once_and_retries_failures() -> None:
    calls = 0

    async def compute() -> int:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.01)
        if calls == 1:
            raise ValueError("first")
        return calls

    once: Once[int] = Once()
    first = await asyncio.gather(*(once.get("k", compute) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(result, ValueError) for result in first)
    assert await asyncio.gather(*(once.get("k", compute) for _ in range(3))) == [2, 2, 2]


async def test_once_forgets_what_was_not_asked_for_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scientific_math_critpt_env.grading.once.KEPT", 3)
    computed: list[str] = []

    async def ask(once: Once[str], key: str) -> None:
        async def compute() -> str:
            computed.append(key)
            return key

        assert await once.get(key, compute) == key

    once: Once[str] = Once()
    for key in "abcadbac":  # d displaces b, b displaces c, c displaces d
        await ask(once, key)
    assert computed == ["a", "b", "c", "d", "b", "c"]
