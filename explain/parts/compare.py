"""Several schemes beside each other on the same words, projections and knobs."""

from collections.abc import Callable, Mapping

import numpy as np

from explain import controls, figures, navigation, panels, stage
from explain.board import Panel
from explain.figures import Series
from explain.palette import share, signed
from explain.parts.convention import readout
from explain.parts.decay import logits_by_distance
from explain.parts.grid import Grid, grid
from explain.parts.opening import Page, Topic
from explain.parts.terms import FOUR, SHORT
from explain.view import Matrices
from explain.words import amount, text
from posenc import catalogue
from posenc.decay import FAR


def chosen(topic: Topic) -> dict[str, Page]:
    """The schemes that the reader picked, each once, as pages at the present knobs, by name."""
    names = dict.fromkeys(controls.value(picker) for picker in navigation.PICKERS)
    schemes = (catalogue.load(name) for name in names if name != controls.NOBODY)
    pages = (Page(topic.name, scheme, controls.setting(scheme)) for scheme in schemes)
    return {page.own: page for page in pages}


def side_by_side(
    topic: Topic, key: str, schemes: Mapping[str, Page], drawn: Callable[[Grid], np.ndarray], *, probabilities: bool = False
) -> None:
    """One matrix of each scheme on one scale, with one cell for all, and the first two's difference on a scale of its own.

    Texts `<key>.title`, `<key>` and `<key>.caption`, which may name the largest {{difference}} of the first two.
    """
    stage.heading(topic.say(f"{key}.title"), key)
    stage.prose(topic.say(key))
    cells = {name: grid(page) for name, page in schemes.items()}
    matrices = {name: drawn(one) for name, one in cells.items()}
    some = next(iter(cells.values()))
    shown = [Panel(name, page.called, "i", "j", "value", matrices[name]) for name, page in schemes.items()]
    colours = share(*matrices.values()) if probabilities else signed(*matrices.values())
    scales = {"value": panels.scale(text("page", "attention" if probabilities else "logit"), colours)}
    facts = {"difference": "–"}
    if len(schemes) > 1:
        (one, first), (other, second) = list(schemes.items())[:2]
        apart = matrices[one] - matrices[other]
        scales["apart"] = panels.scale(text("page", "difference"), signed(apart))
        shown.append(Panel("apart", topic.say("apart", one=first.called, other=second.called), "i", "j", "apart", apart))
        facts["difference"] = amount(float(np.nanmax(np.abs(apart), initial=0.0)))
    lines = [text("page", "readout.cell"), readout({panel.id: panel.title for panel in shown})]
    masked = next((one.masked() for one in cells.values() if not one.known.all()), "")
    board = Matrices(shown, some.axes(), scales, lines, masked, columns=min(len(shown), 3), first=some.page.setting.first)
    panels.show(topic.name, key, topic.say(f"{key}.caption", **facts) + some.strided(), board)


def every_term(topic: Topic, key: str, schemes: Mapping[str, Page]) -> None:
    """The terms of each scheme, a row of panels per scheme, all on one scale and with one cell."""
    stage.heading(topic.say(f"{key}.title"), key)
    stage.prose(topic.say(key))
    cells = {name: grid(page) for name, page in schemes.items()}
    found = {name: {term: one.matrix(part[0]) for term, part in one.terms().present()} for name, one in cells.items()}
    names = [*FOUR, *(["interaction"] if any("interaction" in terms for terms in found.values()) else [])]
    shown = [
        Panel(
            f"{name}_{SHORT[term][0]}",
            text("page", "readout.named", name=page.called, value=text("page", f"term.{term}")),
            "i",
            "j",
            "logit",
            found[name].get(term),
            SHORT[term][1],
            text("page", "absent"),
        )
        for name, page in schemes.items()
        for term in names
    ]
    some = next(iter(cells.values()))
    scales = {"logit": panels.scale(text("page", "logit"), signed(*(part for terms in found.values() for part in terms.values())))}
    sums = [
        text(
            "page",
            "readout.named",
            name=schemes[name].called,
            value=" + ".join(f"{{{name}_{SHORT[term][0]}}}" for term in names if term in terms),
        )
        for name, terms in found.items()
    ]
    board = Matrices(shown, some.axes(), scales, [text("page", "readout.cell"), *sums], columns=len(names), first=some.page.setting.first)
    panels.show(topic.name, key, topic.say(f"{key}.caption") + some.strided(), board)


def decays(topic: Topic, key: str, schemes: Mapping[str, Page]) -> None:
    """Attention of the last token by distance, and what position adds to its logits out to 1,048,576, a curve per scheme."""
    stage.heading(topic.say(f"{key}.title"), key)
    stage.prose(topic.say(key))
    left, right = stage.columns(1, 1)
    near = [Series(page.called, np.arange(len(page.by_distance)), page.by_distance) for page in schemes.values()]
    far = [series._replace(name=page.called, low=None, high=None) for page in schemes.values() for series in logits_by_distance(page)[:1]]
    distance = text("page", "distance")
    with left:
        figure = figures.curves(near, x_title=distance, y_title=text("page", "attention"), from_zero=True)
        panels.show(topic.name, key, topic.say(f"{key}.caption"), figure)
    with right:
        figure = figures.curves(far, x_title=distance, y_title=text("page", "logit.positional"), log_x=True)
        panels.show(topic.name, f"{key}_far", topic.say(f"{key}_far.caption", far=f"{FAR:,}"), figure)
