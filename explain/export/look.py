"""What a figure takes from the page around it in the app, and has to bring along outside: colours of ink and paper, fonts, size."""

from typing import Any, NamedTuple

from explain.figures import Figure

FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"


class Look(NamedTuple):
    """The colours of one theme, those of the app."""

    paper: str
    ink: str
    quiet: str
    line: str


LOOKS = {
    "light": Look("#ffffff", "#31333f", "#565b66", "#d6d6d9"),
    "dark": Look("#0e1117", "#fafafa", "#b4bac6", "#3c4047"),
}


def dressed(figure: Figure, theme: str, larger: float = 1.0) -> Figure:
    """The figure in a theme's colours and in a font that is everywhere, its type as much larger as asked. The given one stays as it is."""
    look = LOOKS[theme]
    layout = _scaled(figure["layout"], larger)
    font = {"family": FONT, "color": look.ink}
    layout["font"] = layout.get("font", {"size": 13 * larger}) | font
    layout["template"] = {}
    layout["paper_bgcolor"] = look.paper
    layout.setdefault("plot_bgcolor", look.paper)
    layout["hoverlabel"] = layout.get("hoverlabel", {}) | {"bgcolor": look.paper, "bordercolor": look.ink, "font": font}
    lines = {"gridcolor": look.line, "zerolinecolor": look.line, "linecolor": look.quiet, "tickcolor": look.quiet}
    for name in layout:
        if name.startswith(("xaxis", "yaxis")):
            layout[name] = lines | layout[name]
    return {"data": figure["data"], "layout": layout}


def _scaled(node: Any, factor: float) -> Any:
    """A layout with every size of type and every margin multiplied; dicts and lists are copied."""
    if isinstance(node, list):
        return [_scaled(one, factor) for one in node]
    if not isinstance(node, dict):
        return node
    grown = {name: _scaled(value, factor) for name, value in node.items()}
    for name in ("font", "tickfont"):
        if "size" in grown.get(name, {}):
            grown[name]["size"] *= factor
    if "margin" in grown:
        grown["margin"] = {side: round(room * factor) for side, room in grown["margin"].items()}
    return grown
