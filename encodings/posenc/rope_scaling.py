"""Rotary frequencies divided, pair by pair, so that a model trained on L positions can read s times as many.

Every method divides θ_c by a number; they differ in which pairs pay. r_c = L·θ_c/2π is how often a pair turned during training: a pair
with r_c ≥ 1 has shown every angle it has, a slower one meets new angles beyond L.

- pi (position interpolation): all pairs by s. ntk: from 1 for the fastest to exactly s for the slowest, the base becoming
  base·s^(d/(d−2)). dynamic_ntk: the same with s growing with the length T, s·T/L − (s − 1) beyond L and 1 within it. A pure function of T
  here: the text's own length counts, so rotations of stored keys go stale as it grows.
- ntk_by_parts: fast pairs (r ≥ beta_fast) by 1, slow ones (r ≤ beta_slow) by s, a ramp between. The paper's ramp is linear in r (eq.
  17–18); all released code has it linear in the pair's index between two rounded indices: other numbers, named `by_rotations` and
  `by_index` here. ntk_by_parts_v0 is the first release of the blog post: two ramps, through ntk.
- yarn, yarn_paper: the released and the paper's ramp, and an attention temperature: q and k both times 0.1 ln s + 1, so logits times its
  square. DeepSeek's configuration has a ratio of two of these. The temperature belongs to content–content: with position switched off it
  stays.
- llama3: wavelengths below L/high_freq_factor by 1, above L/low_freq_factor by s, and between a ramp linear in L/wavelength (not in the
  wavelength).
- longrope: numbers found by search for one model, there is no formula; a second set within L, and q and k times √(1 + ln s/ln L) in both
  cases.

Half-split pairing by default, as all this code has it.
"""

from math import log, pi, sqrt

import numpy as np
from array_api_compat import array_namespace

from posenc import rope
from posenc.arrays import Array
from posenc.attention import dot, offsets
from posenc.check import at_least, even, one_of
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Bowen Peng, Jeffrey Quesnelle, Honglu Fan, Enrico Shippole",
        2023,
        "YaRN: Efficient Context Window Extension of Large Language Models",
        "2309.00071",
        "§3, eq. 16–22; also NTK-aware, dynamic NTK and NTK-by-parts",
    ),
    Reference(
        "Shouyuan Chen, Sherman Wong, Liangjian Chen, Yuandong Tian",
        2023,
        "Extending Context Window of Large Language Models via Positional Interpolation",
        "2306.15595",
        "eq. 4",
    ),
    Reference(
        "Yiran Ding, Li Lyna Zhang, Chengruidong Zhang, Yuanyuan Xu, Ning Shang, Jiahang Xu, Fan Yang, Mao Yang",
        2024,
        "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
        "2402.13753",
        "§3; scaling of q and k in the released code",
    ),
    Reference("Llama Team, AI @ Meta", 2024, "The Llama 3 Herd of Models", "2407.21783", "the scaling is in the released code only"),
)
METHODS = ("none", "pi", "ntk", "dynamic_ntk", "ntk_by_parts_v0", "ntk_by_parts", "yarn", "yarn_paper", "llama3", "longrope")
BY_FORMULA = METHODS[:-1]
"""LongRoPE's divisors are searched for, number by number."""


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def wavelengths(theta: np.ndarray) -> np.ndarray:
    """2π/θ_c: after how many positions a pair is back where it was."""
    return 2 * pi / theta


def rotations(theta: np.ndarray, trained_length: int) -> np.ndarray:
    """r_c = L·θ_c/2π, how often each pair turned within the training length. YaRN eq. 17."""
    return trained_length * theta / (2 * pi)


def seen_in_training(scaled: np.ndarray, theta: np.ndarray, trained_length: int, length: int) -> np.ndarray:
    """Whether every angle that distances within `length` ask of a pair was there in training, (r/2,) booleans.

    A pair that turned at least once in training has shown all its angles; another one has shown those below L·θ_c.
    """
    return ((length - 1) * scaled < trained_length * theta) | (rotations(theta, trained_length) >= 1)


def ntk_base(rotary_dim: int, base: float, factor: float) -> float:
    """base·s^(r/(r − 2)), the base that divides the slowest frequency by exactly s. ValueError for r < 4: one pair cannot do both."""
    even("rotary_dim", rotary_dim)
    at_least("rotary_dim", rotary_dim, 4)
    return base * factor ** (rotary_dim / (rotary_dim - 2))


def ntk(rotary_dim: int, factor: float) -> np.ndarray:
    """Divisors s^(2c/(r − 2)), (r/2,): what `ntk_base` comes to, 1 for the first pair and s for the last."""
    even("rotary_dim", rotary_dim)
    at_least("rotary_dim", rotary_dim, 4)
    return factor ** (2 * np.arange(rotary_dim // 2) / (rotary_dim - 2))


def dynamic_factor(factor: float, trained_length: int, length: int) -> float:
    """s·T/L − (s − 1) for a text of T > L positions, 1 for a shorter one."""
    return max(1.0, factor * length / trained_length - (factor - 1))


def dynamic_base(rotary_dim: int, base: float, factor: float, trained_length: int, length: np.ndarray) -> np.ndarray:
    """The base that dynamic NTK comes to in texts of so many positions (n,)."""
    return np.array([ntk_base(rotary_dim, base, dynamic_factor(factor, trained_length, one)) for one in length])


def ramp_ends(
    rotary_dim: int,
    base: float,
    trained_length: int,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    truncate: bool = True,
) -> tuple[float, float]:
    """The pair indices with beta_fast and with beta_slow turns in training, rounded outwards if truncated, kept within 0 … r − 1."""
    low, high = (rotary_dim * log(trained_length / (2 * pi * beta)) / (2 * log(base)) for beta in (beta_fast, beta_slow))
    if truncate:
        low, high = np.floor(low), np.ceil(high)
    low = max(low, 0)
    return float(low), float(max(low, min(high, rotary_dim - 1)))


def by_index(rotary_dim: int, low: float, high: float) -> np.ndarray:
    """γ (r/2,) falling from 1 at index `low` to 0 at `high`, linear in the pair's index: the released code."""
    high = high + 0.001 if low == high else high
    return 1 - np.clip((np.arange(rotary_dim // 2) - low) / (high - low), 0, 1)


def by_rotations(theta: np.ndarray, trained_length: int, beta_fast: float = 32.0, beta_slow: float = 1.0) -> np.ndarray:
    """γ (r/2,) falling from 1 at beta_fast turns to 0 at beta_slow, linear in the number of turns: YaRN eq. 18."""
    return np.clip((rotations(theta, trained_length) - beta_slow) / (beta_fast - beta_slow), 0, 1)


def blend(gamma: np.ndarray, factor: float | np.ndarray) -> np.ndarray:
    """Divisors 1/(γ + (1 − γ)/s): frequencies between undivided where γ = 1 and divided where γ = 0. YaRN eq. 20."""
    return 1 / (gamma + (1 - gamma) / factor)


def by_parts_v0(rotary_dim: int, base: float, factor: float, trained_length: int) -> np.ndarray:
    """Divisors (r/2,) of the first release: s below 0.75 turns, the NTK-aware ones above 1.25, and from 2 to 16 turns those fall to 1."""
    slow = by_index(rotary_dim, *ramp_ends(rotary_dim, base, trained_length, 1.25, 0.75))
    fast = by_index(rotary_dim, *ramp_ends(rotary_dim, base, trained_length, 16.0, 2.0))
    return blend(fast, 1 / (slow / ntk(rotary_dim, factor) + (1 - slow) / factor))


def llama3(
    theta: np.ndarray, factor: float, trained_length: int, low_freq_factor: float = 1.0, high_freq_factor: float = 4.0
) -> np.ndarray:
    """Divisors (r/2,): the ramp of `by_rotations` between high_freq_factor and low_freq_factor turns."""
    return blend(by_rotations(theta, trained_length, high_freq_factor, low_freq_factor), factor)


def llama3_by_wavelength(theta: np.ndarray, factor: float, trained_length: int) -> np.ndarray:
    """The same as Llama 3's code has it: smoothed in L/wavelength, which is the number of turns, from 1 to 4."""
    return blend(np.clip((trained_length / wavelengths(theta) - 1) / (4 - 1), 0, 1), factor)


def longrope(pairs: int, short_factor: np.ndarray | None, long_factor: np.ndarray | None, trained_length: int, length: int) -> np.ndarray:
    """Divisors (r/2,): the searched numbers for texts longer than L, the others within it. ValueError unless both have one per pair."""
    for name, numbers in (("short_factor", short_factor), ("long_factor", long_factor)):
        count = 0 if numbers is None else len(numbers)
        if count != pairs:
            raise ValueError(f"{name} has {count} numbers; longrope needs {pairs}, one per pair")
    return np.asarray(long_factor if length > trained_length else short_factor, dtype=np.float64)


def temperature(factor: float, mscale: float = 1.0) -> float:
    """0.1·m·ln s + 1, and 1 for s ≤ 1. YaRN eq. 22 with m = 1, where it is √(1/t).

    DeepSeek's configurations multiply by temperature(s, mscale) / temperature(s, mscale_all_dim).
    """
    return 0.1 * mscale * log(factor) + 1 if factor > 1 else 1.0


def longrope_temperature(factor: float, trained_length: int) -> float:
    """√(1 + ln s/ln L), and 1 for s ≤ 1."""
    return sqrt(1 + log(factor) / log(trained_length)) if factor > 1 else 1.0


def divisors(
    method: str,
    width: int,
    length: int,
    factor: float = 8.0,
    trained_length: int = 4096,
    base: float = 10000.0,
    rotary_dim: int = 0,
    short_factor: np.ndarray | None = None,
    long_factor: np.ndarray | None = None,
) -> np.ndarray:
    """What the method divides each frequency by, (r/2,), with its published constants, for a text of `length` positions.

    ValueError for an unknown method, factor < 1, trained_length < 2, and for longrope without a number for every pair.
    """
    one_of("method", method, METHODS)
    at_least("factor", factor, 1)
    at_least("trained_length", trained_length, 2)
    theta = rope.angular_frequencies(width, rotary_dim, base)
    turned = 2 * len(theta)
    match method:
        case "pi":
            by_pair = np.full(len(theta), float(factor))
        case "ntk":
            by_pair = ntk(turned, factor)
        case "dynamic_ntk":
            by_pair = ntk(turned, dynamic_factor(factor, trained_length, length))
        case "ntk_by_parts_v0":
            by_pair = by_parts_v0(turned, base, factor, trained_length)
        case "ntk_by_parts" | "yarn":
            by_pair = blend(by_index(turned, *ramp_ends(turned, base, trained_length)), factor)
        case "yarn_paper":
            by_pair = blend(by_rotations(theta, trained_length), factor)
        case "llama3":
            by_pair = llama3(theta, factor, trained_length)
        case "longrope":
            by_pair = longrope(len(theta), short_factor, long_factor, trained_length, length)
        case _:
            by_pair = np.ones(len(theta))
    return by_pair


def attention_scaling(method: str, factor: float = 8.0, trained_length: int = 4096) -> float:
    """What the method multiplies turned queries and keys by, each: logits get its square."""
    one_of("method", method, METHODS)
    if method == "longrope":
        return longrope_temperature(factor, trained_length)
    return temperature(factor) if method in ("yarn", "yarn_paper") else 1.0


def vectors(
    positions: np.ndarray,
    width: int,
    length: int,
    first: int = 0,
    method: str = "yarn",
    factor: float = 8.0,
    trained_length: int = 4096,
    base: float = 10000.0,
    rotary_dim: int = 0,
    short_factor: np.ndarray | None = None,
    long_factor: np.ndarray | None = None,
) -> np.ndarray:
    """The tables a model keeps, (n, r): all cosines, then all sines, times the attention scaling."""
    theta = rope.angular_frequencies(width, rotary_dim, base)
    theta = theta / divisors(method, width, first + length, factor, trained_length, base, rotary_dim, short_factor, long_factor)
    return attention_scaling(method, factor, trained_length) * np.concatenate(rope.cos_sin(positions, theta), axis=1)


def scaled(x: Array, count: int, scaling: float) -> Array:
    """x (…, d) with its first `count` dimensions times `scaling`: the unturned ones are left alone."""
    return array_namespace(x).concat([scaling * x[..., :count], x[..., count:]], axis=-1)


def turned_terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, theta: np.ndarray, scaling: float = 1.0, pairing: str = "half") -> Terms:
    """Terms for any frequencies (r/2,) and any attention scaling of what turns; the rest as in `terms`."""
    q, k = (scaled(x, 2 * len(theta), scaling) for x in (q, k))
    return Terms(content_content=dot(q, k), interaction=rope.turning(q, k, -offsets(i, j), theta, pairing))


def turned(x: Array, positions: np.ndarray, theta: np.ndarray, scaling: float = 1.0, pairing: str = "half") -> Array:
    """x (…, n, d) turned by positions (n,), what turns being multiplied by the scaling, as a model with scaled tables has it."""
    one_of("pairing", pairing, rope.PAIRINGS)
    count = 2 * len(theta)
    return array_namespace(x).concat([rope.rotate(x[..., :count], positions, theta, pairing) * scaling, x[..., count:]], axis=-1)


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    length: int,
    first: int = 0,
    method: str = "yarn",
    factor: float = 8.0,
    trained_length: int = 4096,
    base: float = 10000.0,
    rotary_dim: int = 0,
    pairing: str = "half",
    short_factor: np.ndarray | None = None,
    long_factor: np.ndarray | None = None,
) -> Terms:
    """q_i·k_j/√d times the squared attention scaling, and what turning changes of that; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,).

    For dynamic_ntk and longrope the text is first + length long: `length` tokens of which the first stands at position `first`.
    """
    width = q.shape[-1]
    theta = rope.angular_frequencies(width, rotary_dim, base)
    theta = theta / divisors(method, width, first + length, factor, trained_length, base, rotary_dim, short_factor, long_factor)
    return turned_terms(q, k, i, j, theta, attention_scaling(method, factor, trained_length), pairing)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    length: int,
    first: int = 0,
    method: str = "yarn",
    factor: float = 8.0,
    trained_length: int = 4096,
    base: float = 10000.0,
    rotary_dim: int = 0,
    pairing: str = "half",
    short_factor: np.ndarray | None = None,
    long_factor: np.ndarray | None = None,
) -> Array:
    """Logits (h, n_q, n_k): scaled tables turn every query and key by its own position, then one product."""
    width = q.shape[-1]
    theta = rope.angular_frequencies(width, rotary_dim, base)
    theta = theta / divisors(method, width, first + length, factor, trained_length, base, rotary_dim, short_factor, long_factor)
    scaling = attention_scaling(method, factor, trained_length)
    return dot(turned(q, i, theta, scaling, pairing), turned(k, j, theta, scaling, pairing))
