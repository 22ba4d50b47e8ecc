"""The functions that drew a page, as text, and the same thing ready for the reader's own model."""

import inspect
from types import ModuleType

import numpy as np

from posenc.setting import Setting, inputs, learned, parameters

def functions(scheme: ModuleType) -> str:
    """The source of a scheme's own public functions, in their order in its module."""
    own = [
        function
        for name, function in vars(scheme).items()
        if inspect.isfunction(function) and function.__module__ == scheme.__name__ and not name.startswith("_") and name != "tables"
    ]
    return "\n\n".join(inspect.getsource(function) for function in sorted(own, key=lambda function: function.__code__.co_firstlineno))


def snippet(scheme: ModuleType, setting: Setting) -> str:
    """Python that computes the scheme's attention in torch at the present knobs, with gradients; it runs as pasted beside posenc."""
    name = scheme.__name__.rpartition(".")[2]
    wanted = parameters(scheme.terms)
    available = inputs(scheme, setting)
    tables = learned(scheme, setting)
    lines = ["import numpy as np", "import torch", "", f"from posenc import {name}", "from posenc.attention import softmax, visible", ""]
    lines.append(f"heads, tokens, width = {setting.heads}, {setting.length}, {setting.width}")
    lines.append(f"i = j = np.arange({setting.first}, {setting.first} + tokens)")
    shapes = {
        "q": "heads, tokens, width",
        "k": "heads, tokens, width",
        "x_q": "tokens, width",
        "x_k": "tokens, width",
        "w_q": "heads, width, width",
        "w_k": "heads, width, width",
    }
    arguments = []
    for parameter in wanted:
        if parameter in shapes:
            lines.append(f"{parameter} = torch.randn({shapes[parameter]})")
            arguments.append(parameter)
        elif parameter in tables:
            lines.append(f"{parameter} = torch.randn({tables[parameter].shape}, requires_grad=True)  # learned")
            arguments.append(parameter)
        elif parameter in ("i", "j", "heads"):
            arguments.append(parameter)
        elif parameter != "head" and parameter in available:
            arguments.append(f"{parameter}={_literal(available[parameter])}")
    lines += ["", f"logits = {name}.terms({', '.join(arguments)}).total()", f"attention = softmax(logits, visible(i, j, causal={setting.causal}))"]
    return "\n".join(lines)


def _literal(value: object) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)
