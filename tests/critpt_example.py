"""The one public CritPt challenge that comes with golds, as a Problem; its text stays out of the project."""

import ast
import json
import re
from pathlib import Path

import pytest

from scientific_math_critpt_env import Problem

FOLDER = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "critpt_example"


def load_critpt_problem() -> tuple[Problem, str]:
    """The main problem, and its own `answer_code` under the name its template asks for.

    Skips the calling test where the challenge is not there.
    """
    path = FOLDER / "quantum_error_correction.json"
    if not path.exists():
        pytest.skip("the public CritPt example is not beside the checkout (shared/data/critpt_example)")
    rows = json.loads(path.read_text(encoding="utf-8"))["problems"]
    (row,) = (row for row in rows if row["problem_type"] == "main")
    entry_point, parameters = _function(row["code_template"])
    answer_code = row["answer_code"].replace("def real_answer(", f"def {entry_point}(")
    problem = Problem(
        id=row["problem_id"],
        topic="quantum information",
        prompt=row["problem_description"],
        answer_type="function",
        answer_fn=gold_expression(answer_code, entry_point),
        symbols={name: {} for name in parameters},
        parameters=parameters,
        template=row["code_template"],
        entry_point=entry_point,
        source="CritPt-Benchmark/CritPt",
        license="Apache-2.0",
    )
    return problem, answer_code


def gold_expression(answer_code: str, entry_point: str) -> str:
    """What a straight-line function returns, as one expression in its parameters, in SymPy's own names.

    Every variable is replaced by the expression that was assigned to it; `sp.` goes. Functions with branches,
    loops or tuple assignments are refused: their gold has to be written by hand.
    """
    functions = [node for node in ast.parse(answer_code).body if isinstance(node, ast.FunctionDef)]
    (function,) = (node for node in functions if node.name == entry_point)
    values: dict[str, ast.expr] = {}
    for statement in function.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = _Inline(values).visit(value)
            case ast.Return(value=ast.expr() as value):
                return re.sub(r"\bsp\.", "", ast.unparse(_Inline(values).visit(value)))
            case _:
                raise ValueError(
                    f"line {statement.lineno} of the answer is no plain assignment; write the gold by hand"
                )
    raise ValueError("the answer returns nothing")


class _Inline(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def _function(template: str) -> tuple[str, list[str]]:
    (function,) = (node for node in ast.parse(template).body if isinstance(node, ast.FunctionDef))
    return function.name, [argument.arg for argument in function.args.args]
