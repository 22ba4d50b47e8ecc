"""No position at all: q·k/√d and nothing else.

Without a mask attention is permutation equivariant: reorder the words and the outputs are reordered, nothing more. A causal mask breaks
that, since how many keys a query sees tells where it stands.
"""

from posenc.arrays import Array
from posenc.attention import dot
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Amirhossein Kazemnejad, Inkit Padhi, Karthikeyan Natesan Ramamurthy, Payel Das, Siva Reddy",
        2023,
        "The Impact of Positional Encoding on Length Generalization in Transformers",
        "2305.19466",
        "§3",
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def terms(q: Array, k: Array) -> Terms:
    """q_i·k_j/√d alone; q (h, n_q, d), k (h, n_k, d)."""
    return Terms(content_content=dot(q, k))


def scores(q: Array, k: Array) -> Array:
    """Logits (h, n_q, n_k), summed dimension by dimension."""
    parts = (q[..., c, None] * k[..., None, :, c] for c in range(q.shape[-1]))
    return sum(parts) / q.shape[-1] ** 0.5
