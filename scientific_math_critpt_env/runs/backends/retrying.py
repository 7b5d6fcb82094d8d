"""How long to wait before asking again, by what went wrong."""

from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime

from scientific_math_critpt_env.runs.backends.endpoint import Refused
from scientific_math_critpt_env.runs.backends.tasks import ErrorKind

FIRST_SECONDS: dict[ErrorKind, float] = {
    "rate_limit": 2.0,
    "server": 2.0,
    "connection": 2.0,
    "timeout": 1.0,
    "reply": 0.5,
}
"""Wait after the first failure of a kind, doubled with each further one. Kinds not named do not pass by
waiting: asking again would get the same answer."""

MAX_SECONDS = 60.0
"""The longest wait of our own: an endpoint that restarts is back within a few minutes, over all attempts."""

MAX_RETRY_AFTER = 3600.0
"""The longest wait an endpoint may ask for: beyond an hour the run is better resumed later."""


def pause(refused: Refused, attempt: int) -> float | None:
    """Seconds to wait after the failure of attempt number `attempt`, from 1; None: do not ask again.

    What `Retry-After` asks for is waited at least. Otherwise half of the wait is random, so that requests
    which failed together do not come back together.
    """
    first = FIRST_SECONDS.get(refused.kind)
    if first is None:
        return None
    own = min(MAX_SECONDS, first * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)
    asked = retry_after(refused.retry_after)
    if asked is None:
        return own
    if asked > MAX_RETRY_AFTER:
        return None
    # The endpoint names a moment for everybody; a little spread keeps all from coming in the same one.
    return asked + own * 0.1


def retry_after(header: str | None) -> float | None:
    """Seconds a `Retry-After` header asks for, which gives a number or a date; None where it says neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    if seconds != seconds:
        return None
    return max(0.0, seconds)
