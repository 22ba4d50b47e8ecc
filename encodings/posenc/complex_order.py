"""Every dimension of a word is a wave over positions: amplitude is meaning, frequency and phase are order.

f(word, t) = r ⊗ e^{i(ωt + θ)}, a complex vector. In the paper ω and θ belong to a word and a dimension; sharing them among all words
("word-sharing") or all dimensions is its way to save parameters. Here they are shared among words, with the word vector x as amplitude r;
`embedding` takes any ω and θ.

- *Phase*: eq. 4–6 have θ; the released code leaves it out. `initial_phase` brings it in.
- *Frequencies*: the released language model starts every word at the sinusoid's, two dimensions on each; the released classifier starts
  word number v at v·10000^(−2c/d): a word turns the faster the later it stands in the vocabulary (`vocabulary_frequencies`).
- *Similarity*: the released Transformer projects real and imaginary part by the same real W and takes |Q Kᵀ|/√d, without conjugation
  ("modulus"). A dimension then meets itself at ω(i + j), and no logit is negative. With the conjugate, Re(Q Kᴴ)/√d ("conjugate"), it meets
  itself at ω(i − j), as in RoPE; but W mixes dimensions of different frequencies, so projected logits depend on more than i − j even then.

The logits do not split into sums. Content–content is what remains when every frequency is 0; the rest is interaction, by its own formula:
the change of Q Kᵀ (or Q Kᴴ), for the modulus only as far as it points along the sum of both products.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import sinusoidal
from posenc.arrays import Array, like
from posenc.check import at_least, one_of
from posenc.references import Reference
from posenc.tables import Start, Table, uniform
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Benyou Wang, Donghao Zhao, Christina Lioma, Qiuchi Li, Peng Zhang, Jakob Grue Simonsen",
        2020,
        "Encoding word order in complex embeddings",
        "1912.12333",
        "eq. 4–6; the similarity is in the released code",
    ),
)
SIMILARITIES = ("modulus", "conjugate")


def tables(width: int, initial_phase: bool = False) -> dict[str, Table]:
    """frequency (1, d), one row for all words; it starts where the released language model does. With initial_phase also phase (1, d).

    The released code has no phase; here it starts uniform on the circle.
    """
    at_least("width", width, 1)
    frequency = Table((1, width), _fixed(frequencies(width)))
    return {"frequency": frequency, "phase": Table((1, width), uniform(-np.pi, np.pi))} if initial_phase else {"frequency": frequency}


def _fixed(values: np.ndarray) -> Start:
    """These numbers, whatever the seed."""
    return lambda rng, shape: values.reshape(shape)


def frequencies(width: int) -> np.ndarray:
    """Frequencies 10000^(−2⌊c/2⌋/d), (d,): the sinusoid's, each for two dimensions."""
    return np.repeat(sinusoidal.angular_frequencies(width), 2)[:width]


def vocabulary_frequencies(words: int, width: int) -> np.ndarray:
    """Frequencies v·10000^(−2c/d) of word number v, (words, d), where the released classifier starts."""
    return np.arange(words)[:, None] * 10000.0 ** (-2 * np.arange(width) / width)


def embedding(amplitude: Array, positions: np.ndarray, frequency: Array, phase: Array | None = None) -> Array:
    """r ⊗ e^{i(ωt + θ)}, complex for positions t (…); amplitude, frequency, phase and result (…, d). Eq. 4–6; no phase is θ = 0."""
    xp = array_namespace(amplitude)
    angle = _turned(amplitude, positions, frequency)
    if phase is not None:
        angle = angle + like(phase, amplitude)
    return amplitude * xp.cos(angle) + 1j * (amplitude * xp.sin(angle))


def vectors(positions: np.ndarray, frequency: Array, phase: Array | None = None) -> Array:
    """The waves at amplitude 1 for positions (n,), (n, 2d): d real, then d imaginary parts. Two rows' dot product is Σ cos ω(i − j)."""
    xp = array_namespace(frequency)
    waves = embedding(xp.ones_like(frequency), positions, frequency, phase)
    return xp.concat([waves.real, waves.imag], axis=-1)


def products(z_q: Array, z_k: Array, conjugate: bool = False) -> Array:
    """Complex products (…, n_q, n_k) of complex vectors z_q (…, n_q, d) and z_k (…, n_k, d): Z_Q Z_Kᵀ, or Z_Q Z_Kᴴ with the conjugate."""
    return z_q @ (z_k.conj() if conjugate else z_k).mT


def projected(z: Array, w: Array) -> Array:
    """A complex vector (n, d) through a real projection (h, d, d), real and imaginary part alike: (h, n, d)."""
    return z.real @ w + 1j * (z.imag @ w)


def logits(q: Array, k: Array, similarity: str = "modulus") -> Array:
    """|Q Kᵀ|/√d or Re(Q Kᴴ)/√d, (h, n_q, n_k) real; q (h, n_q, d), k (h, n_k, d) complex. ValueError for an unknown similarity."""
    one_of("similarity", similarity, SIMILARITIES)
    product = products(q, k, similarity == "conjugate")
    return (abs(product) if similarity == "modulus" else product.real) / q.shape[-1] ** 0.5


def terms(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    frequency: Array,
    phase: Array | None = None,
    similarity: str = "modulus",
) -> Terms:
    """Content–content without position, and the interaction.

    x_q (n_q, d), x_k (n_k, d) amplitudes at positions i (n_q,) and j (n_k,); w_q, w_k (h, d, d); frequency, phase (1, d).
    With S₀ the product at frequency 0 and Δ = S − S₀ = ΔQ Kᵀ + Q₀ ΔKᵀ: Re Δ, or for the modulus |S| − |S₀| = Re Δ(S + S₀)*/(|S| + |S₀|).
    """
    one_of("similarity", similarity, SIMILARITIES)
    xp, conjugate = array_namespace(x_q), similarity == "conjugate"
    still_q, still_k = (embedding(x, np.zeros(1), frequency, phase) for x in (x_q, x_k))
    turn_q, turn_k = (_turn_less_one(x, positions, frequency) for x, positions in ((x_q, i), (x_k, j)))
    q, k = projected(still_q, w_q), projected(still_k, w_k)
    change_q, change_k = projected(still_q * turn_q, w_q), projected(still_k * turn_k, w_k)
    still = products(q, k, conjugate)
    change = products(change_q, k + change_k, conjugate) + products(q, change_k, conjugate)
    root = w_q.shape[-1] ** 0.5
    if conjugate:
        return Terms(content_content=still.real / root, interaction=change.real / root)
    both = abs(still + change) + abs(still)
    safe = xp.where(both > 0, both, xp.ones_like(both))
    toward = (change * (2 * still + change).conj()).real
    return Terms(content_content=abs(still) / root, interaction=toward / safe / root)


def scores(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    frequency: Array,
    phase: Array | None = None,
    similarity: str = "modulus",
) -> Array:
    """The logits (h, n_q, n_k) as the model computes them: embed, project, take the product. Shapes as in `terms`."""
    z_q, z_k = embedding(x_q, i, frequency, phase), embedding(x_k, j, frequency, phase)
    return logits(projected(z_q, w_q), projected(z_k, w_k), similarity)


def mix(weights: Array, x_k: Array, w_v: Array, j: np.ndarray, frequency: Array, phase: Array | None = None) -> Array:
    """Outputs (h, n_q, 2d), d real and d imaginary parts: weights (h, n_q, n_k) times the waves' values; w_v (h, d, d)."""
    values = projected(embedding(x_k, j, frequency, phase), w_v)
    return array_namespace(x_k).concat([weights @ values.real, weights @ values.imag], axis=-1)


def _turned(amplitude: Array, positions: np.ndarray, frequency: Array) -> Array:
    """The angles ωt, (…, d), in the library of the amplitude."""
    return like(np.asarray(positions, dtype=np.float64)[..., None], amplitude) * like(frequency, amplitude)


def _turn_less_one(amplitude: Array, positions: np.ndarray, frequency: Array) -> Array:
    """e^{iωt} − 1, complex (n, d): what position does to a wave, as a factor; exact near 0 as 2i sin(ωt/2) e^{iωt/2}."""
    xp = array_namespace(amplitude)
    half = _turned(amplitude, positions, frequency) / 2
    return 2j * xp.sin(half) * (xp.cos(half) + 1j * xp.sin(half))
