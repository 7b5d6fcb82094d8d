"""The heads of SymPy expressions that may cross the boundary, and the constants.

Every one is a class whose instances are rebuilt by `head(*args)` from arguments that are themselves values.
What is missing here on purpose: abstract classes, anything that holds a Python callable, code generation,
parsing, printing, plotting, predicates of the assumption system, and random variables.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HEADS = {
    "sympy": """
    Add Mul Pow Mod Tuple Dict Lambda Derivative Subs UnevaluatedExpr AccumBounds Product Sum Integral Limit
    Order AlgebraicNumber Quaternion
    Eq Ne Lt Le Gt Ge And Or Not Xor Nand Nor Implies Equivalent ITE
    factorial factorial2 rf ff binomial subfactorial fibonacci lucas motzkin tribonacci harmonic
    bernoulli bell euler catalan genocchi andre partition divisor_sigma legendre_symbol jacobi_symbol
    kronecker_symbol mobius primenu primeomega totient primepi reduced_totient
    re im sign Abs conjugate arg polar_lift periodic_argument principal_branch transpose adjoint
    exp_polar exp log LambertW sinh cosh tanh coth sech csch asinh acosh atanh acoth asech acsch
    floor ceiling frac Min Max Rem Piecewise
    sin cos tan sec csc cot sinc asin acos atan asec acsc acot atan2
    besselj bessely besseli besselk hankel1 hankel2 jn yn hn1 hn2 airyai airybi airyaiprime airybiprime
    marcumq beta betainc betainc_regularized DiracDelta Heaviside elliptic_k elliptic_f elliptic_e elliptic_pi
    erf erfc erfi erf2 erfinv erfcinv erf2inv Ei expint li Li Si Ci Shi Chi fresnels fresnelc
    gamma lowergamma uppergamma polygamma loggamma digamma trigamma multigamma hyper meijerg appellf1
    mathieus mathieuc mathieusprime mathieucprime
    legendre assoc_legendre hermite hermite_prob chebyshevt chebyshevu chebyshevu_root chebyshevt_root
    laguerre assoc_laguerre gegenbauer jacobi SingularityFunction Ynm Znm LeviCivita KroneckerDelta
    dirichlet_eta zeta lerchphi polylog stieltjes riemann_xi
    Curve Ellipse Circle Line2D Segment2D Ray2D Line3D Segment3D Ray3D Parabola Plane Point Point2D Point3D
    Polygon RegularPolygon Triangle
    LaplaceTransform InverseLaplaceTransform MellinTransform InverseMellinTransform FourierTransform
    InverseFourierTransform SineTransform InverseSineTransform CosineTransform InverseCosineTransform
    HankelTransform InverseHankelTransform
    Adjoint BlockDiagMatrix BlockMatrix Determinant Permanent DiagMatrix DiagonalMatrix DiagonalOf DotProduct
    FunctionMatrix HadamardProduct HadamardPower Inverse KroneckerProduct MatAdd MatrixSymbol MatMul MatPow
    PermutationMatrix MatrixPermute MatrixSlice Identity ZeroMatrix OneMatrix Trace Transpose
    ImmutableDenseMatrix ImmutableSparseMatrix Poly PurePoly CRootOf RootSum
    SeqPer SeqFormula SeqAdd SeqMul ConditionSet Contains ImageSet Range OmegaPower Ordinal PowerSet
    Interval Union FiniteSet ProductSet Intersection DisjointUnion Complement SymmetricDifference
    ImmutableDenseNDimArray ImmutableSparseNDimArray IndexedBase Idx Indexed WildFunction
    """,
    "sympy.functions.combinatorial.numbers": "udivisor_sigma",
    "sympy.functions.elementary.piecewise": "ExprCondPair",
    "sympy.logic.boolalg": "Exclusive",
    "sympy.matrices.expressions.companion": "CompanionMatrix",
    "sympy.matrices.expressions.matexpr": "MatrixElement",
    "sympy.matrices.expressions.sets": "MatrixSet",
    "sympy.series.formal": "FormalPowerSeries",
    "sympy.series.fourier": "FourierSeries FiniteFourierSeries",
    "sympy.sets.fancysets": "CartesianComplexRegion PolarComplexRegion",
    "sympy.physics.wigner": "Wigner3j",
    "sympy.physics.quantum.anticommutator": "AntiCommutator",
    "sympy.physics.quantum.commutator": "Commutator",
    "sympy.physics.quantum.dagger": "Dagger",
    "sympy.physics.quantum.innerproduct": "InnerProduct",
    "sympy.physics.quantum.operator": "Operator HermitianOperator UnitaryOperator OuterProduct",
    "sympy.physics.quantum.cg": "CG Wigner3j Wigner6j Wigner9j",
    "sympy.physics.quantum.spin": """
    JxKet JxBra JyKet JyBra JzKet JzBra JxOp JyOp JzOp J2Op JplusOp JminusOp Rotation WignerD
    """,
    "sympy.physics.quantum.state": "Ket Bra OrthogonalKet OrthogonalBra TimeDepKet TimeDepBra",
    "sympy.physics.quantum.tensorproduct": "TensorProduct",
}

_CONSTANTS = """
    Pi Exp1 ImaginaryUnit EulerGamma Catalan GoldenRatio TribonacciConstant Infinity NegativeInfinity
    ComplexInfinity NaN true false EmptySet UniversalSet Reals Rationals Integers Naturals Naturals0 Complexes
    EmptySequence
"""
"""Singletons by their name on `sympy.S`."""


def _load() -> dict[str, type]:
    heads: dict[str, type] = {}
    for module, names in _HEADS.items():
        source = import_module(module)
        for name in names.split():
            head = getattr(source, name)
            if head not in heads.values():  # some classes have two public names
                heads[name if name not in heads else f"{module}.{name}"] = head
    return heads


def _load_units() -> dict[str, Any]:
    units = import_module("sympy.physics.units")
    kinds = (units.Quantity, import_module("sympy.physics.units.quantities").PhysicalConstant)
    found = ((name, getattr(units, name)) for name in sorted(dir(units)))
    return {name: value for name, value in found if type(value) in kinds}


def _load_constants() -> dict[str, Any]:
    singletons = import_module("sympy").S
    constants = {name: getattr(singletons, name) for name in _CONSTANTS.split()}
    ordinals = import_module("sympy.sets.ordinals")
    quantum = import_module("sympy.physics.quantum.constants")
    return constants | {
        "OrdinalOmega": ordinals.omega,
        "OrdinalZero": ordinals.ord0,
        "HBar": quantum.hbar,
        "IdentityFunction": singletons.IdentityFunction,
    }


HEADS: dict[str, type] = _load()
"""Head classes by tag."""
TAGS: dict[type, str] = {head: tag for tag, head in HEADS.items()}
CONSTANTS: dict[str, Any] = _load_constants()
UNITS: dict[str, Any] = _load_units()
"""Physical units and constants of `sympy.physics.units`, by name; their definitions stay in the library."""

COSTLY = frozenset(
    (
        *(
            "factorial",
            "factorial2",
            "subfactorial",
            "rf",
            "ff",
            "binomial",
            "gamma",
            "multigamma",
            "loggamma",
        ),
        *("fibonacci", "lucas", "motzkin", "tribonacci", "harmonic", "bernoulli", "bell", "euler", "catalan"),
        *("genocchi", "andre", "partition", "polygamma", "zeta", "stieltjes"),
        *("divisor_sigma", "udivisor_sigma", "mobius", "primenu", "primeomega", "primepi", "totient"),
        *("reduced_totient", "jacobi_symbol", "legendre_symbol", "kronecker_symbol"),
        *("legendre", "assoc_legendre", "hermite", "hermite_prob", "chebyshevt", "chebyshevu", "laguerre"),
        *("assoc_laguerre", "gegenbauer", "jacobi"),
    )
)
"""Functions, by tag, whose evaluation at a large integer is the whole point of not having evaluated them."""
