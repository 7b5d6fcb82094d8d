"""The CritPt texts, in our own words, for both protocols.

One turn: problem, rules and template in one message; one completion holds the reasoning and the code.
Two turns, faithful to CritPt: turn 1 is the problem and asks for a "Final Answer:" line, without a word of
code; turn 2 shows the template and asks only to fill it in.
"""

from __future__ import annotations

import re

from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.templates import code_template

PACKAGES = (
    *("sympy", "numpy", "scipy", "mpmath", "math", "cmath", "fractions", "decimal", "itertools", "functools"),
    *("collections", "operator", "statistics", "random", "typing", "dataclasses", "re"),
)
"""What an answer may import: the documented allow-list of the sandbox."""

ABSENT_BUILTINS = ("open", "input", "eval", "exec", "compile")
"""The best known of the builtins an answer does not have."""

CPU_SECONDS = 2.0
"""CPU limit told where the problem sets none: the default of the sandbox."""

_UP_TO = {
    "constant": "An additive constant of integration is free.",
    "sign": "The overall sign is free.",
    "scale": "A constant overall factor is free.",
}

_SYSTEM = """\
You are an expert in mathematics and theoretical physics, and you are given a research-level problem. Work \
it out step by step: state the method, carry out the derivation, and check the result (limiting cases, \
units, signs, special values) before you settle on it. Give one final answer, not several candidates. Keep \
results exact, with rational numbers, roots, pi and the like; where only a number can be given, give at \
least 12 significant digits."""

_ONE_TURN = """\
{prompt}

---

Reply in two parts, both in this one reply. First reason freely, in words and LaTeX, until you have the \
final answer. Then end with one fenced Python code block: the template below with the answer filled in.

{template}

Rules for the code block:
- Keep the name `{entry_point}` and its {signature}. The function is called once it is defined, and what it \
returns is your answer; printed text is not read, so print nothing.
- {result}
- {symbols}
- Write values exactly or with at least 12 significant digits. Helper functions and constants may stand \
beside the function.
- Available packages: {packages}. Import nothing else. The usual builtins are there, but not those \
that reach outside ({absent} and the like); there are no files, network or processes.
- The code may take {seconds} of CPU time.
- If you write several blocks, the last one that defines `{entry_point}` counts."""

_FIRST_TURN = """\
{prompt}

---

Derive the answer step by step, in words and LaTeX. Give exact values where you can, otherwise at least 12 \
significant digits. Close your reply with a line that starts with "Final Answer:" and states the complete \
answer."""

_SECOND_TURN = """\
Now put the final answer of your previous reply into this template:

{template}

Fill in the marked place of `{entry_point}` and keep everything else: the name, the {signature}, the imports \
and the symbols. Import nothing that the template does not import. Do not derive anything anew, do not \
reason further and do not print. Reply with the completed template as one ```python code block and nothing \
else; the first such block is graded, and running it may take {seconds} of CPU time."""


def system_prompt() -> str:
    """The default system message of both protocols; says nothing of code, as turn 1 of CritPt does not."""
    return _SYSTEM


def one_turn(problem: Problem) -> str:
    """The user message of the one-turn protocol: the problem, the rules and the template."""
    return _ONE_TURN.format(
        prompt=problem.prompt.strip(),
        template=fenced(code_template(problem)),
        entry_point=problem.entry_point,
        signature=_signature(problem),
        result=_result(problem),
        symbols=_symbols(problem),
        packages=", ".join(PACKAGES),
        absent=", ".join(ABSENT_BUILTINS),
        seconds=_seconds(problem),
    )


def first_turn(problem: Problem) -> str:
    """The first user message of the two-turn protocol: the problem alone, and how to close the reply."""
    return _FIRST_TURN.format(prompt=problem.prompt.strip())


def second_turn(problem: Problem) -> str:
    """The second user message of the two-turn protocol: fill in the template, nothing else."""
    return _SECOND_TURN.format(
        template=fenced(code_template(problem)),
        entry_point=problem.entry_point,
        signature=_signature(problem),
        seconds=_seconds(problem),
    )


def fenced(code: str) -> str:
    """`code` as a Python block, between fences longer than any backticks in it."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code}\n{fence}"


def _signature(problem: Problem) -> str:
    if not problem.parameters:
        return "empty list of arguments"
    return f"arguments ({', '.join(problem.parameters)})"


def _result(problem: Problem) -> str:
    """What the returned value has to be, beyond what the template's docstring says."""
    rules = ["Return the one final answer, of the type the template names, never a choice of candidates."]
    if problem.parameters:
        rules.append(
            "It is called with SymPy symbols or exact numbers as arguments; do not convert them to floats."
        )
    if problem.unordered:
        rules.append("The order of the components does not matter.")
    if problem.up_to:
        rules.append(_UP_TO[problem.up_to])
    return " ".join(rules)


def _symbols(problem: Problem) -> str:
    if problem.symbols or problem.parameters:
        return "Use the template's symbols as they are declared; name any other symbol as the problem does."
    return "Name symbols exactly as the problem does, Greek letters in words (`alpha`), subscripts as `x_1`."


def _seconds(problem: Problem) -> str:
    seconds = CPU_SECONDS if problem.cpu_seconds is None else problem.cpu_seconds
    return f"{seconds:g} second" + ("" if seconds == 1 else "s")
