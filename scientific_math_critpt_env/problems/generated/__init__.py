"""Problems made on demand: families of problems with drawn parameters, golds confirmed by a second route.

`generate("residue", seed=7, difficulty=3)` is one problem, `regenerate("gen.residue.3.7")` the same one from
its id, `generated(seed=0)` an endless stream. The same call gives the same problem on every machine. The
families stand one a file in `families/`; `docs/generating.md` tells how to add one.
"""

from scientific_math_critpt_env.problems.generated.family import Family, generate
from scientific_math_critpt_env.problems.generated.registry import all_families
from scientific_math_critpt_env.problems.generated.stream import generated, regenerate

__all__ = ["Family", "all_families", "generate", "generated", "regenerate"]
