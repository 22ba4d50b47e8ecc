"""RoPE whose pairs also fade with distance: each turn is multiplied by ζ_c^{(i − j)/B}.

Queries are multiplied by ζ_c^{i/B}, keys by ζ_c^{−j/B}, with ζ_c = (2c/d + γ)/(1 + γ), γ = 0.4, B = scale_base: fast pairs fade fastest,
and what averages out anyway is silenced. A logit is Re Σ_c q_c·conj(k_c)·e^{i(i−j)θ_c}·ζ_c^{(i−j)/B}/√d, content–content what remains
without position.

- For fading, the released code counts positions from the middle of the text, starting at min_pos = ⌊−n/2⌋: that cancels in the product
  and keeps the numbers small. Counted from 0 a key's factor grows with its position; in float32 it overflows past position 36260.
- Towards the future ζ^{(i − j)/B} is larger than 1: a key behind the query fades, a key ahead of it is amplified. It was published for
  causal language models; without a mask, keys too far ahead are refused, because no number could hold their factor.

Interleaved pairs, as in the released code.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import rope
from posenc.arrays import Array, like
from posenc.attention import dot, offsets
from posenc.check import at_least, even
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Yutao Sun, Li Dong, Barun Patra, Shuming Ma, Shaohan Huang, Alon Benhaim, Vishrav Chaudhary, Xia Song, Furu Wei",
        2022,
        "A Length-Extrapolatable Transformer",
        "2212.10554",
        "§3.2; centring in the released code (torchscale)",
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def zeta(width: int, gamma: float = 0.4) -> np.ndarray:
    """ζ_c = (2c/d + γ)/(1 + γ), (d/2,): from 0.4/1.4 for the fastest pair to nearly 1 for the slowest."""
    even("width", width)
    if not gamma > 0:
        raise ValueError(f"gamma is {gamma}; it must be greater than 0")
    return (2 * np.arange(width // 2) / width + gamma) / (1 + gamma)


def min_position(length: int) -> int:
    """⌊−n/2⌋, the position of the first of n tokens when they are counted from the middle."""
    return -length // 2


def fade(positions: np.ndarray, width: int, scale_base: float = 512.0) -> np.ndarray:
    """ζ_c^{i/B}, (n, d/2), for positions (n,): the factor of queries; keys get that of −positions. ValueError for scale_base < 1."""
    at_least("scale_base", scale_base, 1)
    return zeta(width) ** (np.asarray(positions)[:, None] / scale_base)


def scaled(x: Array, positions: np.ndarray, sign: int, shift: int = 0, scale_base: float = 512.0, base: float = 10000.0) -> Array:
    """x (…, n, d) turned by positions i (n,) and multiplied by ζ^{±(i + shift)/B}: sign +1 for queries, −1 for keys."""
    width = x.shape[-1]
    turned = rope.rotate(x, positions, rope.angular_frequencies(width, base=base))
    faded = fade(sign * (np.asarray(positions) + shift), width, scale_base)
    return turned * like(np.repeat(faded, 2, axis=-1), x)


def farthest_ahead(scale_base: float = 512.0, largest: float = float(np.finfo(np.float64).max)) -> int:
    """How many positions ahead of its query a key may be before ζ_0^{(i−j)/B} exceeds the largest number there is.

    With float32's largest number this is also the last position whose key factor exists when positions are counted from 0.
    """
    at_least("scale_base", scale_base, 1)
    return int(-scale_base * np.log(largest) / np.log(zeta(2)[0]))


def vectors(positions: np.ndarray, width: int, scale_base: float = 512.0, base: float = 10000.0) -> np.ndarray:
    """The query's tables (n, d): ζ^{i/B}·cos, then ζ^{i/B}·sin, a row per position; the key's are those with ζ^{−i/B}."""
    cos, sin = rope.cos_sin(positions, rope.angular_frequencies(width, base=base))
    faded = fade(positions, width, scale_base)
    return np.concatenate([faded * cos, faded * sin], axis=1)


def displacement(distance: np.ndarray, theta: np.ndarray, growth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Real and imaginary part of e^{distance·(growth_c + iθ_c)} − 1, (m, d/2) each, with all digits where both are small."""
    angles, faded = (np.asarray(distance)[:, None] * rate for rate in (theta, growth))
    return np.expm1(faded) * np.cos(angles) - 2 * np.sin(angles / 2) ** 2, np.exp(faded) * np.sin(angles)


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, scale_base: float = 512.0, base: float = 10000.0) -> Terms:
    """q_i·k_j/√d and what turning and fading by the distance i − j change of it; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,).

    ValueError where a key is so far ahead that q's number type cannot hold its factor.
    """
    width, distance = q.shape[-1], -offsets(i, j)
    theta = rope.angular_frequencies(width, base=base)
    _representable(-distance, scale_base, q)
    different, row = np.unique(distance, return_inverse=True)
    moved = displacement(different, theta, np.log(zeta(width)) / scale_base)
    return Terms(content_content=dot(q, k), interaction=rope.interaction(q, k, row.reshape(distance.shape), moved))


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, scale_base: float = 512.0, base: float = 10000.0) -> Array:
    """Logits (h, n_q, n_k) as the released code computes them: fade by positions counted from the middle of the keys, then one product."""
    i, j = np.asarray(i), np.asarray(j)
    shift = min_position(int(np.ptp(j)) + 1) - int(j.min())
    _representable(np.concatenate([-(i + shift), j + shift]), scale_base, q)
    return dot(scaled(q, i, 1, shift, scale_base, base), scaled(k, j, -1, shift, scale_base, base))


def _representable(ahead: np.ndarray, scale_base: float, q: Array) -> None:
    """ValueError where ζ_0^{−ahead/B} is more than q's number type holds."""
    limit = farthest_ahead(scale_base, float(array_namespace(q).finfo(q.dtype).max))
    if ahead.size and ahead.max() > limit:
        raise ValueError(f"a scale of ζ^(−{ahead.max()}/{scale_base}) is needed; {q.dtype} holds it up to ζ^(−{limit}/{scale_base})")
