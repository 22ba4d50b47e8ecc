"""Each pair of dimensions of q and k is turned by an angle that grows with the position; their product then knows only the distance.

Pair c of the vector at position i turns by i·θ_c, θ_c = base^(−2c/d), and (R_i q)·(R_j k) = Re Σ_c q_c·conj(k_c)·e^{i(i−j)θ_c}, with the
pairs read as complex numbers: an absolute rotation, a relative effect. Nothing separates into position and content, which is the point:
content–content is what remains when position is switched off, and `interaction` is what the turning changes, Re Σ_c
q_c·conj(k_c)·(e^{i(i−j)θ_c} − 1)/√d.

- *pairing*: the paper and Meta's LLaMA code pair neighbours, (2c, 2c + 1), "interleaved"; GPT-NeoX and Hugging Face pair halves, (c, c +
  d/2), "half". Both are the same encoding of permuted dimensions, half(x[perm]) = interleaved(x)[perm] with `permutation`; only mixing
  the two is a mistake.
- *partial width*: GPT-J and GPT-NeoX turn the first `rotary_dim` dimensions alone; the frequencies then use rotary_dim, not d, and the
  other dimensions have no interaction.

The paper's m − n is i − j, query minus key: the offset of the rest of this package with the other sign.
"""

from math import prod

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, like
from posenc.attention import dot, offsets
from posenc.check import between, even, one_of
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu",
        2021,
        "RoFormer: Enhanced Transformer with Rotary Position Embedding",
        "2104.09864",
        "eq. 14–16, 34",
    ),
)
PAIRINGS = ("interleaved", "half")
AT_ONCE = 2**16  # numbers of a block of the interaction: small enough to stay in a processor's cache


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def angular_frequencies(width: int, rotary_dim: int = 0, base: float = 10000.0) -> np.ndarray:
    """θ_c = base^(−2c/r) in radians per position, (r/2,), for the r = rotary_dim dimensions that turn (0: all d). Eq. 15.

    ValueError unless r is even and at most d, and base > 1.
    """
    if rotary_dim == 0:
        even("width", width)
        rotary_dim = width
    even("rotary_dim", rotary_dim)
    between("rotary_dim", rotary_dim, 2, width)
    if not base > 1:
        raise ValueError(f"base is {base}; it must be greater than 1")
    return base ** (-2 * np.arange(rotary_dim // 2) / rotary_dim)


def cos_sin(positions: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """cos(i·θ_c) and sin(i·θ_c), (n, r/2) each, for positions (n,), whole or not."""
    angles = np.asarray(positions)[:, None] * theta
    return np.cos(angles), np.sin(angles)


def vectors(positions: np.ndarray, width: int, rotary_dim: int = 0, base: float = 10000.0) -> np.ndarray:
    """The tables that a rotation needs, (n, r): all cosines, then all sines, a row per position."""
    return np.concatenate(cos_sin(positions, angular_frequencies(width, rotary_dim, base)), axis=1)


def permutation(width: int, rotary_dim: int = 0) -> np.ndarray:
    """The order of dimensions (d,) with half(x[perm]) = interleaved(x)[perm]: each pair's first, each pair's second, the unturned."""
    turned = 2 * len(angular_frequencies(width, rotary_dim))
    return np.concatenate([np.arange(0, turned, 2), np.arange(1, turned, 2), np.arange(turned, width)])


def rotate(x: Array, positions: np.ndarray, theta: np.ndarray, pairing: str = "interleaved") -> Array:
    """R_i x_i, (…, n, d), for rows at positions (n,) and frequencies (r/2,): x ⊗ cos + (a quarter turn of x) ⊗ sin. Eq. 34."""
    one_of("pairing", pairing, PAIRINGS)
    width = 2 * len(theta)
    turning, still = x[..., :width], x[..., width:]
    cos, sin = (like(_for_both(table, pairing), x) for table in cos_sin(positions, theta))
    return array_namespace(x).concat([turning * cos + quarter_turn(turning, pairing) * sin, still], axis=-1)


def quarter_turn(x: Array, pairing: str) -> Array:
    """(u, v) → (−v, u) for every pair of x (…, r)."""
    xp = array_namespace(x)
    if pairing == "half":
        middle = x.shape[-1] // 2
        return xp.concat([-x[..., middle:], x[..., :middle]], axis=-1)
    return xp.reshape(xp.stack([-x[..., 1::2], x[..., 0::2]], axis=-1), x.shape)


def _for_both(by_pair: np.ndarray, pairing: str) -> np.ndarray:
    """A number per pair (n, r/2), put where both members of the pair stand (n, r)."""
    return np.concatenate([by_pair, by_pair], axis=-1) if pairing == "half" else np.repeat(by_pair, 2, axis=-1)


def pairs(x: Array, count: int, pairing: str) -> tuple[Array, Array]:
    """The first and the second members of the first `count` pairs of x (…, d), (…, r/2) each."""
    one_of("pairing", pairing, PAIRINGS)
    if pairing == "half":
        return x[..., :count], x[..., count : 2 * count]
    return x[..., 0 : 2 * count : 2], x[..., 1 : 2 * count : 2]


def displacement(distance: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Real and imaginary part of e^{i·distance·θ_c} − 1, (m, r/2) each: how far a turn moves the number 1.

    cos φ − 1 is taken as −2 sin²(φ/2), which keeps all its digits for the slow pairs, where cos φ is nearly 1.
    """
    angles = np.asarray(distance)[:, None] * theta
    return -2 * np.sin(angles / 2) ** 2, np.sin(angles)


def interaction(q: Array, k: Array, row: np.ndarray, moved: tuple[np.ndarray, np.ndarray], pairing: str = "interleaved") -> Array:
    """Re Σ_c q_c·conj(k_c)·z_c / √d, (h, n_q, n_k), where z_c of a query and a key is row[i, j] of the complex table `moved`.

    q (h, n_q, d), k (h, n_k, d), row (n_q, n_k), moved two arrays (m, r/2). The keys are moved as each query sees them, a block of
    queries at a time, so that the numbers (n_q, n_k, r) never exist together.
    """
    xp = array_namespace(q)
    real, imaginary = moved
    count = real.shape[-1]
    (q_1, q_2), (k_1, k_2) = pairs(q, count, pairing), pairs(k, count, pairing)
    k_1, k_2 = k_1[..., None, :, :], k_2[..., None, :, :]
    block = max(1, AT_ONCE // max(1, prod(k_1.shape)))
    parts = []
    for start in range(0, max(1, row.shape[0]), block):
        rows = slice(start, start + block)
        x, y = like(real[row[rows]], q), like(imaginary[row[rows]], q)
        seen_1, seen_2 = k_1 * x + k_2 * y, k_2 * x - k_1 * y
        parts.append((q_1[..., rows, None, :] @ seen_1.mT + q_2[..., rows, None, :] @ seen_2.mT)[..., 0, :])
    return xp.concat(parts, axis=-2) / q.shape[-1] ** 0.5


def turning(q: Array, k: Array, distance: np.ndarray, theta: np.ndarray, pairing: str = "interleaved") -> Array:
    """The interaction (h, n_q, n_k) of rotations by distance·θ_c, for distances i − j (n_q, n_k), whole or not."""
    different, row = np.unique(distance, return_inverse=True)
    return interaction(q, k, row.reshape(distance.shape), displacement(different, theta), pairing)


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    pairing: str = "interleaved",
    rotary_dim: int = 0,
    base: float = 10000.0,
) -> Terms:
    """q_i·k_j/√d and what turning by (i − j)·θ changes of it; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,).

    From distances alone, where `scores` starts from positions alone: that both agree is the encoding's whole claim.
    """
    theta = angular_frequencies(q.shape[-1], rotary_dim, base)
    return Terms(content_content=dot(q, k), interaction=turning(q, k, -offsets(i, j), theta, pairing))


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    pairing: str = "interleaved",
    rotary_dim: int = 0,
    base: float = 10000.0,
) -> Array:
    """Logits (h, n_q, n_k) as a model computes them: turn every query and key by its own position, then take one product."""
    theta = angular_frequencies(q.shape[-1], rotary_dim, base)
    return dot(rotate(q, i, theta, pairing), rotate(k, j, theta, pairing))
