"""What is measured of one solution, read once however many it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scientific_math_critpt_env.novelty.embedding import Embedder, embedded
from scientific_math_critpt_env.novelty.graph import Unmeasured
from scientific_math_critpt_env.novelty.methods import used_methods
from scientific_math_critpt_env.novelty.program import Program, read_program
from scientific_math_critpt_env.novelty.prose import Prose, read_prose
from scientific_math_critpt_env.prompting.extraction import extract


@dataclass(frozen=True, slots=True)
class Profile:
    """One solution."""

    program: Program | None
    """The live part of its code; None where there is no code or it cannot be measured."""
    unmeasured: str
    """Why `program` is None; "" otherwise."""
    used: frozenset[str]
    """Methods that the program uses."""
    prose: Prose
    vector: tuple[float, ...] = ()
    """The prose's embedding, of length 1; () where none was asked for."""

    @property
    def works(self) -> bool:
        """Whether there is a program, and it does more than state its result."""
        return self.program is not None and bool(self.program.features)

    @property
    def speaks(self) -> bool:
        """Whether there is anything in the prose to compare."""
        return bool(self.prose.words)


def profiled(
    solutions: list[str], *, entry_point: str = "model_answer", embed: Embedder | None = None
) -> list[Profile]:
    """Profiles of solutions: completions with or without code, or bare code. Only parses, within limits."""
    found = [_profile(solution, entry_point) for solution in solutions]
    if embed is None:
        return found
    vectors = embedded([profile.prose.text for profile in found], embed)
    return [replace(profile, vector=vector) for profile, vector in zip(found, vectors, strict=True)]


def _profile(solution: str, entry_point: str) -> Profile:
    prose = read_prose(solution)
    code = extract(solution, entry_point).code
    if code is None and f"def {entry_point}" in solution and "```" not in solution:
        code, prose = solution, Prose("", frozenset(), frozenset())
    if code is None:
        return Profile(None, "it has no code", frozenset(), prose)
    try:
        program = read_program(code, entry_point)
    except Unmeasured as error:
        return Profile(None, str(error), frozenset(), prose)
    return Profile(program, "", used_methods(program.functions), prose)
