"""The functions that drew a page, as text, and the same thing ready for the reader's own model."""

import inspect
from types import ModuleType

from posenc.setting import Setting, causal, given, learned, parameters

SHAPES = {
    "q": "heads, tokens, width",
    "k": "heads, tokens, width",
    "x_q": "tokens, width",
    "x_k": "tokens, width",
    "w_q": "heads, width, width",
    "w_k": "heads, width, width",
}
"""What a model brings along, and its shape."""
EXAMPLE_HEADS = 8


def functions(scheme: ModuleType) -> str:
    """The source of a scheme's own public functions, in their order in its module."""
    own = [
        function
        for name, function in vars(scheme).items()
        if inspect.isfunction(function) and function.__module__ == scheme.__name__ and not name.startswith("_")
    ]
    return "\n\n".join(inspect.getsource(function) for function in sorted(own, key=lambda function: function.__code__.co_firstlineno))


def snippet(scheme: ModuleType, setting: Setting) -> str:
    """Python with a function `attention` that is the scheme at the present knobs, in torch or NumPy; it runs as pasted beside posenc."""
    name = scheme.__name__.rpartition(".")[2]
    tables = {table: declared.shape for table, declared in learned(scheme, setting).items()}
    wanted = parameters(scheme.terms)
    brought = [parameter for parameter in wanted if parameter in SHAPES]
    taught = [parameter for parameter in wanted if parameter in tables]
    fixed = {parameter: repr(value) for parameter, value in given(setting).items() if parameter in wanted and parameter not in taught}
    if "length" in fixed:
        fixed["length"] = "len(j)"
    heads = setting.heads if "heads" in (*wanted, *parameters(scheme.tables)) else EXAMPLE_HEADS
    arguments = [f"{parameter}={parameter}" for parameter in wanted if parameter in (*brought, *taught, "i", "j")]
    arguments += [f"{parameter}={value}" for parameter, value in fixed.items()]
    queries, keys = (f"{parameter}.shape[-2]" for parameter in brought[:2])
    lines = [
        "import numpy as np",
        "import torch",
        "",
        f"from posenc import {name}",
        "from posenc.attention import softmax, visible",
        "",
        "",
        f"def attention({', '.join(brought + taught)}):",
        '    """Attention weights (heads, queries, keys); the queries are the last of the positions."""',
        f"    j = np.arange({keys}) + {setting.first}",
        f"    i = j[-{queries}:]",
        f"    logits = {name}.terms({', '.join(arguments)}).total()",
        f"    return softmax(logits, visible(i, j, causal={causal(scheme, setting)}))",
        "",
        "",
        f"heads, tokens, width = {heads}, {setting.length}, {setting.width}",
        *(f"{parameter} = torch.randn({SHAPES[parameter]})" for parameter in brought),
        *(f"{parameter} = torch.randn{tables[parameter]}.requires_grad_()  # learned" for parameter in taught),
        f"print(attention({', '.join(brought + taught)}).shape)",
    ]
    return "\n".join(lines)
