"""The `scientific-math` command: finds the subcommand's module and turns errors into lines.

A command is a module with `HELP`, `EXAMPLES`, `add_arguments(parser)` and `run(arguments) -> exit code`.
Exit codes: 0 done; 1 the data or the run has a defect; 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.metadata import version
from types import FrameType

from scientific_math_critpt_env.errors import ScientificMathError

COMMANDS = {
    "grade": "scientific_math_critpt_env.commands.grade",
    "validate": "scientific_math_critpt_env.commands.validate",
    "import": "scientific_math_critpt_env.commands.import_problems",
    "pass-rates": "scientific_math_critpt_env.commands.pass_rates",
    "problems": "scientific_math_critpt_env.commands.problems",
    "training-data": "scientific_math_critpt_env.commands.training_data",
    "replay": "scientific_math_critpt_env.commands.replay",
    "compare": "scientific_math_critpt_env.commands.compare",
    "report": "scientific_math_critpt_env.commands.report",
    "creative": "scientific_math_critpt_env.commands.creative",
    "evaluate": "scientific_math_critpt_env.demo.evaluate",
    "generate": "scientific_math_critpt_env.commands.generate",
    "merge": "scientific_math_critpt_env.commands.merge",
    "serve-demo": "scientific_math_critpt_env.demo.serve",
}

SCHEDULED = ("generate",)
"""Commands that a scheduler starts and stops: SIGTERM ends them like Ctrl-C, with 130."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    command = words[0] if words else ""
    try:
        # From here on: loading what a command needs takes a second, and a scheduler may stop it within.
        with _sigterm_interrupts() if command in SCHEDULED else nullcontext():
            arguments = _parser(command).parse_args(words)
            exit_code: int = arguments.run(arguments)
            sys.stdout.flush()
    except ScientificMathError as error:
        print(f"scientific-math {command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our report has seen enough (`| head -1`); what was written to files is whole.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"scientific-math {command}: {_told(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"scientific-math {command}: interrupted", file=sys.stderr)
        return 130
    return exit_code


@contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _parser(command: str) -> argparse.ArgumentParser:
    """For one command, or for all of them where `command` is none: a module is loaded only if it is used."""
    parser = argparse.ArgumentParser(
        prog="scientific-math",
        description="Problems of mathematics and physics for language models: grade, validate, evaluate.",
    )
    parser.add_argument(
        "--version", action="version", version=f"%(prog)s {version('scientific-math-critpt')}"
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    names = [command] if command in COMMANDS else [] if command == "--version" else list(COMMANDS)
    for name in names:
        module = import_module(COMMANDS[name])
        subparser = subparsers.add_parser(
            name,
            help=module.HELP,
            description=module.__doc__,
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def _told(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror.lower() if error.strerror else error}"


if __name__ == "__main__":
    sys.exit(main())
