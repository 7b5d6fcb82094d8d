"""Small files in the formats of the public sets; every text here is our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HARDMATH2 = r"""meta:
  name: Layers
type: boundary_layers
problems:
- prompt: Approximate the solution of $\epsilon y'' + y' = 0$ with $y(0)=1, y(1)=0$ for $\epsilon \to 0^+$.
  solution: $\boxed{y(x) \approx e^{-x/\epsilon}}$
  parameters: $x; \epsilon$
- prompt: Give the leading term of $\int_x^\infty e^{-t} dt$ as $x \to \infty$, with a factor $0.3$.
  solution: $$\boxed{I(x) = 0.3 e^{-x} (1 - 0.5 x)}$$
  parameters: $x; t$
- prompt: Two waves solve this equation; name both.
  solution: $\boxed{u = \tanh(x); u = -\tanh(x)}$
  parameters: $x$
- prompt: Fit a decaying wave.
  solution: $\boxed{y = 0.737 e^{-x}}$
  parameters: $x$
- prompt: What is the speed of the front?
  solution: $\boxed{c x}$
  parameters: $x$
"""

THEOREMQA: list[dict[str, Any]] = [
    {"id": "a/one.json", "Question": "How many edges has a cube?", "Answer": 12, "Answer_type": "integer"},
    {"id": "a/two.json", "Question": "What is 1/7?", "Answer": 0.143, "Answer_type": "float"},
    {"id": "a/three.json", "Question": "Is 7 prime?", "Answer": True, "Answer_type": "bool"},
    {"id": "a/four.json", "Question": "Even? (a) 1 (b) 2", "Answer": "(b)", "Answer_type": "option"},
    {
        "id": "a/five.json",
        "Question": "Return the vector (1, 0) turned left, as a list.",
        "Answer": [0, 1],
        "Answer_type": "list of integer",
    },
    {
        "id": "a/six.json",
        "Question": "Which roots has x**2 - x - 2?",
        "Answer": [2, -1],
        "Answer_type": "list of integer",
    },
    {
        "id": "a/seven.json",
        "Question": "And here?",
        "Answer": 1,
        "Answer_type": "integer",
        "Picture": "p.png",
    },
    {"id": "a/eight.json", "Question": "Slope of a constant?", "Answer": 0.0, "Answer_type": "float"},
]
for _row in THEOREMQA:
    _row.setdefault("Picture", None)
    _row |= {"field": "Math", "subfield": "Arithmetic"}

_EMPTY = dict.fromkeys(
    f"{side}_{what}" for side in ("small", "large") for what in ("eval_point", "analytical", "numerical")
)
HARDMATH: dict[str, dict[str, Any]] = {
    "0": _EMPTY
    | {
        "question": "Scale $a_1 x^4 + a_2 x^2 + a_3$ to $\\\\epsilon y^4 + y^2 + 1$.",
        "solution": r"We find $\boxed{\epsilon=\frac{a_{1} a_{3}}{a_{2}^{2}}}.$",
        "question_type": "nondimensionalization_symbolic",
        "answer_type": "math_expression",
        "answer_val": r"a_{1} a_{3}}{a_{2}^{2}}",
    },
    "1": _EMPTY
    | {
        "question": "Scale $2 x^4 + 3 x^2 + 1$.",
        "solution": r"So $ \epsilon=\frac{2}{9}\implies \boxed{\epsilon \approx0.22}.$",
        "question_type": "nondimensionalization_numeric",
        "answer_type": "float",
        "answer_val": "0.22",
    },
    "2": _EMPTY
    | {
        "question": "Scale $2 x^4 + 3 x^2 + 2$.",
        "solution": r"So $ \epsilon=\frac{2}{9}\implies \boxed{\epsilon \approx0.44}.$",
        "question_type": "nondimensionalization_numeric",
        "answer_type": "float",
        "answer_val": "0.44",
    },
    "3": _EMPTY
    | {
        "question": "Find all roots of $\\epsilon x^2 + x - 1$ for small and for large $\\epsilon$.",
        "solution": r"So, the roots of $P$ for large positive  $epsilon$ are "
        r"$ \boxed{ \left[ - \sqrt{\frac{1}{\epsilon}}, \  \sqrt{\frac{1}{\epsilon}}\right]} $ "
        r"and the roots of $P$ for small positive  $epsilon$ are "
        r"$ \boxed{ \left[ - \frac{1}{\epsilon}, \  1\right]} $",
        "question_type": "polynomial_roots",
        "answer_type": "list",
        "answer_val": r"\left[ - \frac{1}{\epsilon}, \  1\right]",
        "small_eval_point": 0.1,
        "small_analytical": "[(-10+0j), (1+0j)]",
        "large_eval_point": 100.0,
        "large_analytical": "[(-0.1+0j), (0.1+0j)]",
    },
    "4": _EMPTY
    | {
        "question": "Approximate $\\int_0^1 e^{-x t} dt$ for large $x$.",
        "solution": r"Hence \boxed{I(x) \approx \frac{1.0 e^{- 0.25 x}}{x}}",
        "question_type": "integral",
        "answer_type": "math_expression",
        "answer_val": "x",
        "large_eval_point": 50.0,
        "large_numerical": "0.02",
    },
    "5": _EMPTY
    | {
        "question": "Approximate $\\int_0^2 e^{-x t} dt$ for large $x$.",
        "solution": r"Hence \boxed{I(x) \approx \frac{1}{x}}",
        "question_type": "integral",
        "answer_type": "math_expression",
        "answer_val": "x",
        "large_eval_point": 50.0,
        "large_numerical": "0.0199",
    },
    "6": _EMPTY | {"question": "Solve.", "solution": "", "question_type": "ODE", "answer_type": "list"},
}

PHYBENCH: list[dict[str, Any]] = [
    {"id": 1, "tag": "MECHANICS", "content": "How fast is it?", "answer": r"$$v_{\max} = \sqrt{2gh}$$"},
    {"id": 2, "tag": "OPTICS", "content": "The charge is $e$.", "answer": r"\[F = \frac{k e^2}{r^2}\]"},
    {"id": 3, "tag": "OPTICS", "content": "How does it decay?", "answer": r"$A e^{-t/\tau}$"},
    {"id": 4, "tag": "OPTICS", "content": "What is $e$?", "answer": r"$A e^{-t/\tau}$"},
    {"id": 5, "tag": "OPTICS", "content": "Which force?", "answer": r"$v \times B$"},
    {"id": 6, "tag": "OPTICS", "content": "Nobody knows.", "answer": ""},
    {"id": 7, "tag": "OPTICS", "content": "Both.", "answer": r"$a=1$ and $b=2$"},
]

OLYMPIADBENCH: list[dict[str, Any]] = [
    {"id": 1, "question": "Halve one.", "final_answer": [r"$\frac{1}{2}$"], "answer_type": "Numerical"},
    {
        "id": 2,
        "question": "How long is it?",
        "final_answer": ["$2.5$"],
        "answer_type": "Numerical",
        "unit": "m",
        "error": "1e-1",
    },
    {
        "id": 3,
        "question": "Solve $x^2=4$.",
        "final_answer": ["$2,-2$"],
        "answer_type": "Numerical",
        "is_multiple_answer": True,
    },
    {"id": 4, "question": "Where?", "final_answer": [r"$[1, \infty)$"], "answer_type": "Interval"},
    {"id": 5, "question": "Which point?", "final_answer": ["$(1,2)$"], "answer_type": "Tuple"},
    {"id": 6, "question": "The circle?", "final_answer": ["$x^2+y^2=1$"], "answer_type": "Equation"},
    {"id": 7, "question": "See <img_1>.", "final_answer": ["$1$"], "answer_type": "Numerical"},
    {"id": 8, "question": "Prove it.", "final_answer": None, "answer_type": None},
    {"id": 9, "question": "Log?", "final_answer": [r"$\log 2$"], "answer_type": "Numerical"},
    {
        "id": 10,
        "question": "A misprint?",
        "final_answer": [r"$\frac{1}{3},\sqrt{x}$"],
        "answer_type": "Expression",
        "is_multiple_answer": True,
    },
]

TPBENCH: list[dict[str, Any]] = [
    {
        "problem_id": "A Kinetic Energy",
        "domain": "Mechanics",
        "difficulty_level": "2",
        "problem": "What is the kinetic energy?",
        "solution": "",
        "answer": r"\begin{equation*} \boxed{E = \frac{1}{2} m v^2} \end{equation*}",
        "code_answer_requirements": "Give code. \\begin{python} def energy(m, v): pass \\end{python}",
        "reference_implementation": "\\begin{python}\nimport numpy as np\n"
        "def energy(m: float, v: float) -> float:\n    half = 0.5\n"
        "    return half*m*np.power(v, 2)\n\\end{python}",
    },
    {
        "problem_id": "A Wrong Twin",
        "domain": "Mechanics",
        "difficulty_level": "9",
        "problem": "What is the momentum?",
        "answer": r"\boxed{p = m v}",
        "reference_implementation": "\\begin{python}\ndef p(m, v):\n    return m*v**2\n\\end{python}",
    },
    {
        "problem_id": "A Loop",
        "domain": "QM",
        "difficulty_level": "5",
        "problem": "Sum it.",
        "answer": "",
        "reference_implementation": "def s(n):\n    t = 0\n    for k in range(n):\n        t += k\n"
        "    return t",
    },
]

TEMPLATE = """import sympy as sp

q = sp.symbols('q', positive=True)

def answer(q):
    r'''Return the sum.'''
    total = ...
    return total
"""

CRITPT: dict[str, Any] = {
    "dataset_name": "sums",
    "problems": [
        {
            "problem_id": "sums_main",
            "problem_type": "main",
            "problem_index": None,
            "problem_description": "# Main problem:\nSum the series in $q$.",
            "code_template": TEMPLATE,
            "answer_code": TEMPLATE.replace("def answer", "def real_answer").replace(
                "total = ...", "ratio = sp.Rational(1, 2)\n    total = q/(1 - ratio*q)"
            ),
            "testcases": None,
            "metadata": {"tag": ' # Tag:\n "Series"', "settings": {}},
        },
        {
            "problem_id": "sums_sub_0",
            "problem_type": "sub",
            "problem_index": 0,
            "problem_description": "# Problem setup:\nNothing is asked yet.",
            "code_template": TEMPLATE,
            "answer_code": TEMPLATE.replace("...", "q"),
            "testcases": None,
            "metadata": {},
        },
        {
            "problem_id": "sums_sub_1",
            "problem_type": "sub",
            "problem_index": 1,
            "problem_description": "## Subproblem 2:\nWithheld.",
            "code_template": TEMPLATE,
            "answer_code": "",
            "metadata": {},
        },
    ],
}


def _cell(kind: str, text: str) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}


NOTEBOOK = {
    "cells": [
        _cell("markdown", "# Tag:\nSeries"),
        _cell("markdown", "# Problem setup:\nWe sum powers of $q$."),
        _cell("markdown", "# Main problem:\nWhat is the whole sum?"),
        _cell("markdown", "### Parsing template:"),
        _cell("code", TEMPLATE),
        _cell("markdown", "### Answer:\n$q/(1-q)$"),
        _cell("markdown", "### Answer code:"),
        _cell("code", "total = q/(1 - q)"),
        _cell("markdown", "### Test cases:"),
        _cell("code", "[{'q': 0.25}, {'q': 0.5}]"),
        _cell("markdown", "# Subproblems"),
        _cell("markdown", "## Subproblem 1:\nWhat is the first term?"),
        _cell("markdown", "### Parsing template:"),
        _cell("code", TEMPLATE),
        _cell("markdown", "### Answer code:"),
        _cell("code", "total = q"),
    ],
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
}

MATH_VAULT = [
    {"id": "v1", "problem": "How many?", "answer": "70,000", "source": "openai/gsm8k"},
    {"id": "v2", "problem": "Simplify.", "answer": r"\frac{x+1}{2}"},
    {"id": "v3", "problem": "Point or interval?", "answer": "(1, 2)"},
    {"id": "v4", "problem": "Where?", "answer": r"[0, 1) \cup (2, 3)"},
    {"id": "v5", "problem": "Which?", "answer": r"\text{the first}"},
    {"id": "v6", "problem": "Both roots?", "answer": r"1, -\sqrt{2}"},
    {"id": "v8", "problem": "Which corner?", "answer": r"(1, 2, \pi)"},
    {
        "id": "v7",
        "problem": "Halve one, in a contest.",
        "answer": r"\frac{1}{2}",
        "metadata": {"answer_type": "Numerical", "is_multiple_answer": False, "modality": "Text-only"},
    },
]


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write(path: Path, document: object) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path
