"""RoPE plus a bias (Su 2023): a learned vector joins every query, another every key, before they are turned."""

import numpy as np

from explain import parts
from explain.words import number, text
from posenc import rope, rope_bias, sinusoidal
from posenc.attention import softmax
from posenc.setting import bind, inputs, tables

page = parts.start(rope_bias)
setting, knobs = page.setting, page.setting.arguments
width, pairing, base = setting.width, knobs["pairing"], knobs["base"]
a, b = tables(rope_bias, setting, [setting.head]).values()
offsets = np.arange(1 - setting.length, setting.length)
turned = rope.rotate(np.repeat(b, len(offsets), axis=0), offsets, rope.angular_frequencies(width, base=base), pairing)
parts.vectors(page, turned, offsets, text("page", "offset"))

# What the two vectors say to each other, whatever the words; with ones in every first member it is the sinusoids' similarity.
parts.heading(page, "own")
by_offset = rope_bias.position_bias(0 * offsets, offsets, a, b, pairing, base)[0]
facts = {"here": number(by_offset[setting.length - 1]), "low": number(by_offset.min()), "n": setting.length - 1}
parts.curves(page, "own", offsets, {"bias": by_offset}, text("page", "offset"), page.say("own.bias"), **facts)
ones, at = rope_bias.sandwich(width, pairing)[None], np.arange(setting.length)
waves = sinusoidal.vectors(at, width, base=base)
parts.convention(page, "cosines", width**0.5 * rope_bias.position_bias(at[:, None], at, ones, ones, pairing, base)[0], waves @ waves.T)

# A vector added to every key changes nothing that softmax sees, unless the keys are turned.
q, k, i, j = (inputs(rope_bias, setting)[name] for name in ("q", "k", "i", "j"))
still = [softmax((q + a[:, None]) @ (k + some[:, None]).mT / width**0.5) for some in (b, 0 * b)]
parts.convention(page, "still", *still)
parts.convention(
    page, "turned", *(softmax(bind(rope_bias.scores, {**knobs, "q": q, "k": k, "i": i, "j": j, "a": a, "b": some})) for some in (b, 0 * b))
)
parts.rest(page)
