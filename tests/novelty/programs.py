"""Programs of known approaches, and ways to write a program differently without changing what it does."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

from scientific_math_critpt_env.novelty.scopes import bound_names

TABLE = json.loads((Path(__file__).parent / "approaches.json").read_text(encoding="utf-8"))

PROGRAMS = [program for row in TABLE for approach in row["approaches"].values() for program in approach]

JUNK = (
    "sp.summation(1/junk**3, (junk, 1, sp.oo))",
    "[np.linalg.eigvals(np.eye(k)) for k in range(7)]",
    "quad(lambda u: math.exp(-u), 0, 1)[0]",
    "sorted(set('quite another approach'), key=len)",
)


def renamed(code: str, draw: random.Random) -> str:
    """All names that the program chose itself, import aliases included, replaced by others."""
    module = ast.parse(code)
    own = set(bound_names(module)) - {"model_answer"}
    own |= {
        alias.asname for node in ast.walk(module) for alias in getattr(node, "names", []) if _aliased(alias)
    }
    names = {name: f"{draw.choice('abcdefgh')}{draw.randrange(10**6)}_" for name in sorted(own)}

    class Renaming(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(names.get(node.id, node.id), node.ctx)

        def visit_arg(self, node: ast.arg) -> ast.arg:
            return ast.arg(names.get(node.arg, node.arg))

        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            node.name = names.get(node.name, node.name)
            return self.generic_visit(node)

        def visit_alias(self, node: ast.alias) -> ast.alias:
            return ast.alias(node.name, names.get(node.asname or "", node.asname))

    return ast.unparse(ast.fix_missing_locations(Renaming().visit(module)))


def _aliased(alias: object) -> bool:
    return isinstance(alias, ast.alias) and bool(alias.asname)


def reordered(code: str, draw: random.Random) -> str:
    """Neighbouring assignments that do not depend on each other, swapped here and there."""
    module = ast.parse(code)
    for block in _blocks(module):
        for _ in range(len(block)):
            place = draw.randrange(len(block))
            pair = block[place : place + 2]
            if len(pair) == 2 and all(isinstance(s, ast.Assign) for s in pair) and not _depend(*pair):
                block[place : place + 2] = pair[::-1]
    return ast.unparse(module)


def _depend(first: ast.stmt, second: ast.stmt) -> bool:
    names = [{node.id for node in ast.walk(s) if isinstance(node, ast.Name)} for s in (first, second)]
    bound = set(bound_names(first)) | set(bound_names(second))
    return bool(names[0] & names[1] & bound)


def with_dead_code(code: str, draw: random.Random) -> str:
    """Unused values, unreachable branches, unused functions and loops over nothing at random places."""
    module = ast.parse(code)
    junk = draw.choice(JUNK)
    for block in _blocks(module):
        for number in range(draw.randrange(3)):
            name = f"unused{draw.randrange(10**6)}_{number}"
            dead = draw.choice(
                (
                    f"{name} = {junk}",
                    f"if False:\n    {name} = {junk}",
                    f"if 2 + 2 == 5:\n    return_ = {junk}\nelse:\n    pass",
                    f"while 0:\n    {name} = {junk}",
                    f"for {name} in []:\n    {name}2 = {junk}",
                    f"def {name}(x):\n    return {junk}",
                    f"{name} = []\n{name}.append({junk})",
                    f"print({junk})",
                    f"try:\n    {name} = 1\nexcept ValueError:\n    {name} = {junk}",
                    f"'{name}: by quite another method'",
                )
            )
            place = draw.randrange(len(block) + 1)
            block[place:place] = ast.parse(dead).body
    return ast.unparse(ast.fix_missing_locations(module))


def with_comments(code: str, draw: random.Random) -> str:
    """A remark after some lines, blank lines, and other spacing."""
    lines = []
    for line in ast.unparse(ast.parse(code)).splitlines():
        lines.append(line + draw.choice(("", "  # by the residue theorem", "   #" + "novel " * 20)))
        lines += [""] * draw.randrange(3)
    return "\n".join(lines) + "\n"


def _blocks(module: ast.Module) -> list[list[ast.stmt]]:
    """The module's and its functions' top levels: what else could end a block is left alone."""
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    return [module.body, *(function.body for function in functions)]
