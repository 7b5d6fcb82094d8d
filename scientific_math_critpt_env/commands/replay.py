r"""Judge the samples of a run under a contract, without asking the model again.

The hash of the raw samples is checked first, and raw/ is never written. Verdicts go to
RUN/parsed/CONTRACT/{rows.jsonl,contract.json,metrics.json}; the same samples give the same bytes. RUN is
a run folder, or the output folder of verifiers' vf-eval.

math-v5.2-dual reads the last \boxed{} through Math-Verify; scientific-v1 and critpt-v1 run and grade code.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.runs.contracts import CONTRACTS

if TYPE_CHECKING:
    from scientific_math_critpt_env.runs.replay import Engine

HELP = "judge a run's samples under a contract"
EXAMPLES = """\
  scientific-math replay runs/demo --contract math-v5.2-dual
  scientific-math replay runs/demo --contract scientific-v1 --workers 8 --k 1 4 16 --json
  scientific-math replay outputs/my-eval --contract critpt-v1 --engine ray --ray-address auto"""

ENGINES = ("local", "ray")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("run_dir", type=Path, metavar="RUN", help="the folder of a run")
    parser.add_argument("--contract", required=True, choices=CONTRACTS, help="how to judge")
    parser.add_argument("--workers", type=at_least_one, help="samples at a time (default: one per core)")
    parser.add_argument("--k", type=at_least_one, nargs="+", help="k of pass@k (default: 1, 2, 4, ...)")
    parser.add_argument("--engine", choices=ENGINES, default="local", help="default: %(default)s")
    parser.add_argument("--ray-address", help='with --engine ray: "auto" or the address of a cluster')
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Replay; 0, or raises with one line per defect; 2 for wrong usage."""
    if arguments.ray_address and arguments.engine != "ray":
        print("--ray-address belongs to --engine ray", file=sys.stderr)
        return 2
    # What a replay needs is loaded by a replay alone: the other commands start without it.
    from contextlib import closing

    from scientific_math_critpt_env.runs.contracts import contract_hash, open_contract
    from scientific_math_critpt_env.runs.reading import open_run

    run = open_run(arguments.run_dir)
    with closing(open_contract(arguments.contract, workers=arguments.workers)) as contract:
        if arguments.engine == "local":
            contract.start()  # the workers come up while the rest of us is loaded
        from scientific_math_critpt_env.runs.replay import replay

        replayed = replay(run, contract, ks=arguments.k, engine=_engine(arguments))
        hash = contract_hash(contract)
    if arguments.json:
        summary = {
            "run": run.name,
            "contract": arguments.contract,
            "contract_hash": hash,
            "samples": replayed.samples,
            "metrics": replayed.metrics,
            "output": str(replayed.folder),
        }
        print(json.dumps(summary))
    else:
        print(f"{replayed.samples} samples of {run.name} judged under {arguments.contract}")
        _print_figures(replayed.metrics)
        print(f"verdicts: {replayed.folder}")
    return 0


def _engine(arguments: argparse.Namespace) -> Engine:
    if arguments.engine == "ray":
        from scientific_math_critpt_env.runs.replay_ray import on_ray

        return on_ray(arguments.workers, arguments.ray_address)
    from scientific_math_critpt_env.runs.replay import here

    return here


def _print_figures(metrics: dict[str, Any]) -> None:
    for status, count in sorted(_counts(metrics).items(), key=lambda item: -item[1]):
        print(f"  {status:<20}{count:>8}")
    for name in ("accuracy", "soft_accuracy"):
        if metrics.get(name) is not None:
            print(f"{name.replace('_', ' ')} {metrics[name]:.4f}{_limits(metrics, name)}")
    for k, figures in metrics["k"].items():
        if figures.get("pass_at_k") is not None:
            limits = _limits(figures, "pass_at_k")
            left_out = figures["left_out_count"]
            told = f", {left_out} problems with fewer samples left out" if left_out else ""
            print(f"pass@{k} {figures['pass_at_k']:.4f}{limits}{told}")


def _counts(metrics: dict[str, Any]) -> dict[str, int]:
    return {name: figure["count"] for name, figure in metrics["statuses"].items()}


def _limits(figures: dict[str, Any], name: str) -> str:
    interval = figures.get("intervals", {}).get(name)
    return f" ({interval['low']:.4f} to {interval['high']:.4f})" if interval else ""
