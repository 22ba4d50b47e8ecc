"""DeBERTa: eq. 4 pair by pair, the clip, both readings of position → content, the log buckets, the scale, the mask decoder."""

import math

import numpy as np
import pytest
import torch

from posenc import deberta
from posenc.attention import offsets
from posenc.setting import bind
from posenc.tables import draw
from posenc.terms import residual

H, N_Q, N_K, D, CLIP = 2, 3, 5, 6, 2
QUERIES, KEYS = np.arange(2, 5), np.arange(5)


def case(seed: int = 0, rows: int = 2 * CLIP) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"q": (H, N_Q, D), "k": (H, N_K, D), "rel_embeddings": (rows, D)}
    shapes |= dict.fromkeys(("w_q", "w_k", "w_kr", "w_qr"), (H, D, D))
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def row(i: int, j: int, k: int) -> int:
    """δ(i, j) as eq. 3 has it, case by case."""
    if i - j <= -k:
        return 0
    return 2 * k - 1 if i - j >= k else i - j + k


@pytest.mark.parametrize("form", deberta.FORMS)
@pytest.mark.parametrize("share_att_key", [False, True])
@pytest.mark.parametrize("pos_att_type", deberta.TYPES)
def test_terms_are_the_papers_sums(form: str, share_att_key: bool, pos_att_type: str) -> None:
    one = case()
    knobs = {"clip": CLIP, "form": form, "share_att_key": share_att_key, "pos_att_type": pos_att_type}
    terms = deberta.terms(**one, i=QUERIES, j=KEYS, **knobs)
    types = pos_att_type.split("|")
    w_kr, w_qr = (one["w_k"], one["w_q"]) if share_att_key else (one["w_kr"], one["w_qr"])
    for h in range(H):
        for r, i in enumerate(QUERIES):
            for c, j in enumerate(KEYS):
                q, k = one["q"][h, r], one["k"][h, c]
                back = row(i, j, CLIP) if form == "code" else row(j, i, CLIP)
                expected = [sum(q * k)]
                expected += [sum(q * (one["rel_embeddings"][row(i, j, CLIP)] @ w_kr[h]))] if "c2p" in types else []
                expected += [sum(k * (one["rel_embeddings"][back] @ w_qr[h]))] if "p2c" in types else []
                parts = [part[h, r, c] for _, part in terms.present()]
                np.testing.assert_allclose(parts, np.array(expected) / math.sqrt((1 + len(types)) * D), rtol=0, atol=1e-12)
    assert residual(terms, deberta.scores(**one, i=QUERIES, j=KEYS, **knobs)) < 1e-12


@pytest.mark.parametrize(
    "knobs", [{"log_buckets": 4, "max_relative_positions": 5}, {"log_buckets": 4, "max_relative_positions": 5, "clamped": False}]
)
@pytest.mark.parametrize("normalized", [False, True])
def test_terms_add_up_to_scores_with_buckets_and_normalized_rows(knobs: dict, normalized: bool) -> None:
    arguments = {**case(1, rows=8), "i": QUERIES, "j": KEYS, **knobs, "normalized": normalized}
    assert residual(deberta.terms(**arguments), deberta.scores(**arguments)) < 1e-12


def test_clip_has_2k_rows_and_query_minus_key_in_minus_k_to_k_minus_1() -> None:
    assert deberta.delta(np.arange(5, -6, -1), clip=4).tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7]
    assert deberta.tables(D, H, clip=4)["rel_embeddings"].shape == (8, D)


def test_position_to_content_of_paper_and_code() -> None:
    offset = offsets(np.arange(6), np.arange(6))
    assert deberta.delta(-offset, clip=4)[0].tolist() == [4, 5, 6, 7, 7, 7]
    assert deberta.delta(offset, clip=4)[0].tolist() == [4, 3, 2, 1, 0, 0]


@pytest.mark.parametrize(("form", "rows"), [("paper", [4, 5, 6, 7, 7, 7]), ("code", [4, 3, 2, 1, 0, 0])])
def test_each_form_draws_its_own_rows(form: str, rows: list[int]) -> None:
    eye = np.eye(8)[None]
    j = np.arange(6)
    k = np.broadcast_to(np.arange(8.0), (1, 6, 8))
    terms = deberta.terms(0 * k, k, eye, eye, j, j, np.eye(8), eye, eye, clip=4, form=form)
    np.testing.assert_allclose(terms.position_content[0, 0] * math.sqrt(3 * 8), rows, rtol=0, atol=1e-12)


DISTANCES = [127, 128, 129, 130, 200, 256, 384, 510, 511, 512]


def test_log_buckets_official_clamped_and_hugging_face_unclamped() -> None:
    official = [127, 128, 129, 130, 169, 192, 229, 255, 255, 255]
    ahead = np.array(DISTANCES)
    assert deberta.bucket(-ahead).tolist() == official
    assert deberta.bucket(ahead).tolist() == [-bucket for bucket in official]
    assert deberta.bucket(-ahead, clamped=False).tolist() == [*official[:-1], 256]


def test_only_hugging_face_reaches_row_0() -> None:
    ahead = np.arange(5000)
    geometry = {"log_buckets": 256, "max_relative_positions": 512}
    assert deberta.delta(ahead, **geometry).min() == 1
    assert deberta.delta(ahead, **geometry, clamped=False).min() == 0


def test_log_bucket_ties_are_exact() -> None:
    assert deberta.bucket(np.array([-511]), 64, 512).tolist() == [63]
    edges = deberta.last_distances(64, 512)
    np.testing.assert_array_equal(deberta.bucket(-edges, 64, 512), np.arange(32, 64))
    np.testing.assert_array_equal(deberta.bucket(-edges[:-1] - 1, 64, 512), np.searchsorted(edges, edges[:-1] + 1) + 32)


@pytest.mark.parametrize(("log_buckets", "max_relative_positions"), [(2, 9), (3, 9), (6, 16), (8, 20), (256, 512), (64, 100)])
@pytest.mark.parametrize("clamped", [True, False])
def test_log_buckets_follow_the_formula_away_from_ties(log_buckets: int, max_relative_positions: int, clamped: bool) -> None:
    middle = log_buckets // 2
    ours = deberta.bucket(-np.arange(700), log_buckets, max_relative_positions, clamped)
    for distance in range(1, 700):
        reach = min(distance, max_relative_positions - 1) if clamped else distance
        exact = math.log(reach / middle) / math.log((max_relative_positions - 1) / middle) * (middle - 1)
        if distance <= middle or abs(exact - round(exact)) > 1e-9:
            expected = distance if distance <= middle else middle + math.ceil(exact)
            assert ours[distance] == expected


def test_scale_is_one_over_root_of_three_times_the_width() -> None:
    one = np.ones((1, 1, 64)) / 8
    zero = np.zeros((1, 64, 64))
    terms = deberta.terms(one, one, zero, zero, KEYS[:1], KEYS[:1], np.zeros((8, 64)), zero, zero, clip=4)
    np.testing.assert_allclose(terms.content_content, 0.0721687836, rtol=0, atol=1e-10)


def test_no_position_position_and_nothing_absolute() -> None:
    one = case(2)
    here, there = (deberta.terms(**one, i=QUERIES + first, j=KEYS + first, clip=CLIP) for first in (0, 1000))
    assert here.position_position is None
    np.testing.assert_array_equal(here.total(), there.total())


def test_normalized_rows_have_mean_0_and_deviation_1() -> None:
    rows = deberta.prepared(case(3)["rel_embeddings"], CLIP, normalized=True)
    np.testing.assert_allclose(rows.mean(axis=1), 0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows.std(axis=1), 1, rtol=0, atol=1e-6)


def test_shared_projections_and_left_out_types_need_no_tables_of_their_own() -> None:
    assert set(deberta.tables(D, H, CLIP)) == {"rel_embeddings", "w_kr", "w_qr"}
    assert set(deberta.tables(D, H, CLIP, share_att_key=True)) == {"rel_embeddings"}
    assert set(deberta.tables(D, H, CLIP, pos_att_type="c2p")) == {"rel_embeddings", "w_kr"}
    assert set(deberta.tables(D, H, CLIP, pos_att_type="p2c")) == {"rel_embeddings", "w_qr"}


@pytest.mark.parametrize("knobs", [{"share_att_key": True}, {"pos_att_type": "c2p"}, {"pos_att_type": "p2c"}])
def test_the_tables_there_are_suffice(knobs: dict) -> None:
    learned = draw(deberta.tables(D, H, CLIP, **knobs), 0, range(H))
    content = {name: value for name, value in case(4).items() if name in ("q", "k", "w_q", "w_k")}
    available = {**content, **learned, **knobs, "i": QUERIES, "j": KEYS, "clip": CLIP}
    assert residual(bind(deberta.terms, available), bind(deberta.scores, available)) < 1e-12


def test_absolute_positions_enter_the_first_decoder_query_only() -> None:
    calls = []

    def layer(query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        calls.append((query, keys))
        return query * 2

    hidden, absolute = np.ones((3, D)), np.arange(3.0)[:, None] * np.ones(D)
    first, second = deberta.mask_decoder(hidden, absolute, layer)
    np.testing.assert_array_equal(calls[0][0], hidden + absolute)
    assert calls[0][1] is hidden
    assert calls[1][0] is first
    assert calls[1][1] is hidden
    np.testing.assert_array_equal(second, 4 * (hidden + absolute))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deberta.delta(KEYS, clip=0), "clip is 0; it must be at least 1"),
        (lambda: deberta.delta(KEYS, log_buckets=1), "log_buckets is 1; it must be at least 2"),
        (lambda: deberta.delta(KEYS, log_buckets=-1), "log_buckets is -1; it must be at least 2"),
        (lambda: deberta.bucket(KEYS, 8, 5), "max_relative_positions is 5; it must be at least 6"),
        (lambda: deberta.delta(KEYS + 0.5), "offset is 0.5; it must be a whole number"),
        (lambda: deberta.terms(**case(), i=QUERIES, j=KEYS, clip=3), r"the table has 4 rows; a span of 3 needs 2·3 = 6"),
        (lambda: deberta.scores(**case(), i=QUERIES, j=KEYS, clip=3), r"the table has 4 rows; a span of 3 needs 2·3 = 6"),
        (lambda: deberta.terms(**case(), i=QUERIES, j=KEYS, clip=2, form="x"), "form is 'x'; it must be one of 'paper', 'code'"),
        (lambda: deberta.tables(8, 2, 4, pos_att_type="p2p"), r"pos_att_type is 'p2p'; it must be one of 'c2p\|p2c', 'c2p', 'p2c'"),
    ],
)
def test_wrong_input_is_refused_with_value_and_limit(call, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


@pytest.mark.parametrize("normalized", [False, True])
def test_torch_gives_the_same_numbers_and_keeps_the_dtype(normalized: bool) -> None:
    one = case(5)
    tensors = {name: torch.tensor(value) for name, value in one.items()}
    knobs = {"i": QUERIES, "j": KEYS, "clip": CLIP, "normalized": normalized}
    for function in (lambda **arguments: deberta.terms(**arguments).total(), deberta.scores):
        np.testing.assert_allclose(function(**tensors, **knobs), function(**one, **knobs), rtol=0, atol=1e-12)
        single = {name: value.float() for name, value in tensors.items()}
        assert function(**single, **knobs).dtype == torch.float32


@pytest.mark.parametrize("share_att_key", [False, True])
def test_gradients_flow_to_content_and_tables(share_att_key: bool) -> None:
    one = case(6)
    names, values = zip(*one.items(), strict=True)
    tensors = [torch.tensor(value, requires_grad=True) for value in values]

    def logits(*given: torch.Tensor) -> torch.Tensor:
        named = dict(zip(names, given, strict=True))
        return deberta.terms(**named, i=QUERIES, j=KEYS, clip=CLIP, share_att_key=share_att_key, normalized=True).total()

    assert torch.autograd.gradcheck(logits, tensors)
