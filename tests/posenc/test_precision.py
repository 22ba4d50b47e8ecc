import numpy as np
import pytest
import torch

from posenc import precision
from tests.posenc import golden


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_rounding_is_torchs(name: str) -> None:
    values = np.random.default_rng(0).standard_normal(1000)
    cast = torch.tensor(values).to(getattr(torch, name)).to(torch.float64).numpy()
    np.testing.assert_array_equal(precision.rounded(values, name), cast)


def test_bfloat16_positions_are_few() -> None:
    assert len(np.unique(precision.rounded(np.arange(4096), "bfloat16"))) == 769


def test_bfloat16_frequencies_lose_the_angle() -> None:
    positions = np.array([4095])
    low = precision.cosines(positions, 128, frequencies_as="bfloat16")
    assert precision.error(low, positions, 128)[0] == pytest.approx(1.68, abs=5e-3)


@pytest.mark.parametrize("case", ["precision_base1e4", "precision_base5e5"])
@pytest.mark.parametrize(("array", "positions_as"), [("ref32_cos_hf", "float32"), ("ref32_cos_bf16_positions", "bfloat16")])
def test_float32_references_are_reproduced_to_their_last_bit(case: str, array: str, positions_as: str) -> None:
    arrays, params = golden.load("rope", case)
    ours = precision.cosines(arrays["in_positions"], params["d"], params.get("base", 10000.0), positions_as, "float32", "float32")
    np.testing.assert_allclose(ours, arrays[array], rtol=0, atol=2.0**-24)


def test_unknown_precision_is_refused() -> None:
    with pytest.raises(ValueError, match="precision is 'int8'; it must be one of"):
        precision.rounded(np.ones(1), "int8")


def test_bfloat16_positions_are_exact_up_to_256() -> None:
    positions = np.arange(258)
    np.testing.assert_array_equal(np.flatnonzero(precision.rounded(positions, "bfloat16") != positions), [257])
