"""What is measured of one solution, read once however many it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scientific_math_critpt_env.novelty.embedding import Embedder, embedded
from scientific_math_critpt_env.novelty.graph import Unmeasured
from scientific_math_critpt_env.novelty.methods import used_methods
from scientific_math_critpt_env.novelty.program import Program, read_program
from scientific_math_critpt_env.novelty.prose import Prose, read_prose
from scientific_math_critpt_env.prompting.extraction import extract

Solution = str | tuple[str, str]
"""A completion with or without code, or bare code; or the derivation and the completion with the code."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One solution."""

    program: Program | None
    """What its code is made of; None where there is no code or it cannot be measured."""
    unmeasured: str
    """Why the program could not be measured; "" where it could, and where there is no code."""
    used: frozenset[str]
    """Methods that the program uses."""
    mentioned: frozenset[str]
    """Methods that its code mentions, dead code included."""
    prose: Prose
    vector: tuple[float, ...] = ()
    """The prose's embedding, of length 1; () where none was asked for."""

    @property
    def works(self) -> bool:
        """Whether there is a program, and it does more than state its result."""
        return self.program is not None and bool(self.program.features)

    @property
    def has_code(self) -> bool:
        """Whether there is code, measured or not: then the code alone counts, whatever the prose says."""
        return self.program is not None or bool(self.unmeasured)

    @property
    def measured(self) -> bool:
        """Whether there is anything to compare."""
        return self.works if self.has_code else bool(self.prose.ngrams)


def profiled(
    solutions: Sequence[Solution],
    *,
    entry_point: str = "model_answer",
    derivations: bool = False,
    embed: Embedder | None = None,
) -> list[Profile]:
    """Profiles of solutions. Only parses, within limits; never raises for what a solution holds.

    `derivations`: where the code only states its value, take the prose instead, as if there were no code.
    """
    found = [_profile(solution, entry_point, derivations) for solution in solutions]
    if embed is None:
        return found
    vectors = embedded([profile.prose.text for profile in found], embed)
    return [replace(profile, vector=vector) for profile, vector in zip(found, vectors, strict=True)]


def _profile(solution: Solution, entry_point: str, derivations: bool) -> Profile:
    text, answer = (solution, solution) if isinstance(solution, str) else solution
    prose, none = read_prose(text), frozenset[str]()
    code = extract(answer, entry_point).code
    if code is None and f"def {entry_point}" in answer:
        # Bare code, or a block that `extract` does not take for the answer.
        code = answer
        prose = Prose("", none, none) if text is answer else prose
    if code is None:
        return Profile(None, "", none, none, prose)
    try:
        program = read_program(code, entry_point)
    except Unmeasured as error:
        return Profile(None, str(error), none, none, prose)
    if derivations and not program.features:
        return Profile(None, "", none, none, prose)
    return Profile(
        program, "", used_methods(program.functions), used_methods(program.mentioned_functions), prose
    )
