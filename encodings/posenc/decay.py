"""How logits and attention change with distance: exactly for biases, over many seeded contents for the rest."""

from types import ModuleType

import numpy as np

from posenc.attention import softmax
from posenc.setting import Setting, bias, bind, causal, defined, parameters_of, reach, seen, with_content
from posenc.tables import stream

CONTENTS = 64
FAR = 1_048_576
AT_ONCE = 2**22
"""Numbers of a block of contents: 32 MB."""
FAR_CONTIGUOUS = 512
"""Where a logit depends on every key in between, all of them have to be there."""
AMPLIFIED = 10.0
"""Beyond this factor keys after the query would leave nothing to see of those before it."""


def farthest(scheme: ModuleType, setting: Setting) -> int:
    """How many distances, from 0, curves can show: 1,048,576, or as many as the scheme has positions for.

    A bias that reaches both ways needs as many positions again after the query.
    """
    limit = FAR_CONTIGUOUS if getattr(scheme, "CONTIGUOUS", False) else FAR
    positions = reach(scheme, setting)
    if positions is None:
        return limit
    return min(limit, positions if causal(scheme, setting) or not hasattr(scheme, "bias") else (positions + 1) // 2)


def points(limit: int, count: int = 160) -> np.ndarray:
    """Distances 0 … limit − 1 worth drawing, int64: all small ones, then a geometric choice that keeps the last."""
    dense = np.arange(min(limit, count // 2))
    sparse = np.geomspace(1, max(limit - 1, 1), count).round().astype(np.int64)
    return np.unique(np.concatenate([dense, sparse[sparse < limit]]))


def farthest_ahead(scheme: ModuleType, setting: Setting) -> int:
    """The same for keys after the query: where a scheme amplifies them, only as far as it does so at most tenfold."""
    most = bind(scheme.farthest_ahead, {**setting.arguments, "largest": AMPLIFIED}) if hasattr(scheme, "farthest_ahead") else FAR
    return min(farthest(scheme, setting), most)


def bias_attention(scheme: ModuleType, setting: Setting, limit: int = FAR) -> tuple[np.ndarray, np.ndarray]:
    """Attention of the drawn head when content is neutral, so that the bias alone decides: (past (limit,), future (limit,)), by distance.

    Normalised over every key there is: the query's own, limit − 1 before it and, both ways, limit − 1 after it. future[0] is past[0]; where
    only the past is seen, future is empty.
    """
    here = np.array([limit - 1])  # where that many keys stand before it: some biases depend on the position itself
    reach = np.arange(limit)
    past = bias(scheme, setting, here, here - reach)[0]
    future = past[:0] if causal(scheme, setting) else bias(scheme, setting, here, here + reach)[0]
    weights = softmax(np.concatenate([past, future[1:]]))
    return weights[:limit], np.concatenate([weights[:1], weights[limit:]]) if len(future) else future


def content_attention(scheme: ModuleType, setting: Setting, query: int | None = None) -> np.ndarray:
    """Attention of one query (default: the last token with a position) over the keys that have one, for 64 contents: (64, keys)."""
    tokens = np.arange(setting.length)
    known = tokens[defined(scheme, setting, tokens)]
    query = int(known[-1]) if query is None else query
    available = parameters_of(scheme, setting) | {"i": np.array([query + setting.first]), "j": known + setting.first}
    mask = seen(scheme, setting, [query], known)
    x = setting.scale * stream(setting.seed, "contents").standard_normal((CONTENTS, len(known), setting.width))
    # Contents stand where heads stand otherwise: one evaluation serves many of them.
    weights = np.empty((CONTENTS, len(known)))
    for rows in np.array_split(np.arange(CONTENTS), -(-x.size // AT_ONCE)):
        logits = bind(scheme.terms, with_content(available, x[rows][:, [query]], x[rows])).total()
        weights[rows] = softmax(logits, mask)[:, 0]
    return weights


def positional_logits(scheme: ModuleType, setting: Setting, offsets: np.ndarray, query: int) -> np.ndarray:
    """Logits without content–content of a query at one position and keys at offsets j − i from it (m,), for 64 contents: (64, m).

    NaN where a position is beyond what the scheme has a place for. One row (1, m) for a scheme whose bias ignores content.
    """
    if hasattr(scheme, "bias"):
        return bias(scheme, setting, np.array([query]), query + np.asarray(offsets))
    wanted = query + np.asarray(offsets)
    keys = np.arange(wanted.min(), query + 1) if getattr(scheme, "CONTIGUOUS", False) else wanted
    there = defined(scheme, setting.change(first=0), keys)
    available = parameters_of(scheme, setting) | {"i": np.array([query]), "j": keys[there]}
    available["length"] = max(setting.length, query + 1 - setting.first)  # the text that the query ends
    logits = np.full((CONTENTS, len(keys)), np.nan)
    if defined(scheme, setting.change(first=0), np.array([query]))[0]:
        pairs = setting.scale * stream(setting.seed, "contents of one pair").standard_normal((CONTENTS, 2, setting.width))
        for rows in np.array_split(np.arange(CONTENTS), -(-CONTENTS * len(keys) * setting.width // AT_ONCE)):
            found = with_content(available, pairs[rows, :1], pairs[rows, 1:])
            same = {name: found[name].repeat(there.sum(), axis=1) for name in ("x_k", "k", "v")}
            logits[np.ix_(rows, there)] = bind(scheme.terms, found | same).positional()[:, 0]
    return logits[:, wanted - keys[0]] if len(keys) != len(wanted) else logits


def band(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lower quartile, median and upper quartile over the first axis."""
    low, middle, high = np.quantile(samples, [0.25, 0.5, 0.75], axis=0)
    return low, middle, high


def curve(scheme: ModuleType, setting: Setting) -> np.ndarray:
    """The attention of the last token by distance 0 … n − 1: exact for a bias, the median over contents otherwise."""
    if hasattr(scheme, "bias"):
        return bias_attention(scheme, setting, min(setting.length, farthest(scheme, setting)))[0]
    return np.median(content_attention(scheme, setting), axis=0)[::-1]
