"""The figures' own routes as a client sees them, without a server."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.testclient import TestClient

from explain import controls
from explain.controls import Choice, Number, Switch
from explain.routes import MIDDLEWARE, ROUTES


@contextmanager
def client() -> Iterator[TestClient]:
    """A client of these routes behind all that the app's own are behind."""
    with TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), base_url="http://app.example") as opened:
        yield opened


def drawn(rng: random.Random, knob: controls.Knob) -> object:
    """A value within a knob's range."""
    match knob:
        case Choice():
            return rng.choice(knob.options)
        case Switch():
            return rng.random() < 0.5
        case Number():
            return rng.randint(int(knob.low), int(knob.high)) if knob.whole else round(rng.uniform(knob.low, knob.high), 2)
    return rng.choice(["", "a b c", "猫坐在垫子上", "<b>&amp;\u202e </script>", "# = + - @ \"quoted\" 'x'", "é́", "1 2 3 {x} {{y}} $z$"])
