"""Key normalisation (Su 2023): RoPE with keys of length 1, so that only a key's direction counts."""

import numpy as np

from explain import figures, parts
from explain.figures import Series
from explain.words import number, text
from posenc import key_norm, rope
from posenc.setting import inputs

page = parts.start(key_norm)
width, knobs = page.setting.width, page.setting.arguments
q, k, i, j = (inputs(key_norm, page.setting)[name] for name in ("q", "k", "i", "j"))
lengths = {"before": np.linalg.norm(k[0], axis=1) / width**0.5, "after": np.linalg.norm(key_norm.normalised(k)[0], axis=1)}
series = [Series(page.say(f"length.{name}"), j, length) for name, length in lengths.items()]
figure = figures.curves(series, x_title=text("page", "position"), y_title=page.say("length"), from_zero=True)
parts.instead(page, figure, low=number(lengths["before"].min()), high=number(lengths["before"].max()))

theta = rope.angular_frequencies(width, base=knobs["base"])
first, then = (key_norm.normalised(k), j, theta, knobs["pairing"]), (k, j, theta, knobs["pairing"])
parts.convention(page, "order", rope.rotate(*first), key_norm.normalised(rope.rotate(*then)))
parts.convention(page, "louder", key_norm.scores(q, k, i, j, **knobs), key_norm.scores(q, 10 * k, i, j, **knobs))
parts.convention(page, "scaled", key_norm.scores(q, k, i, j, **knobs), rope.scores(q, width**0.5 * key_norm.normalised(k), i, j, **knobs))
parts.rest(page)
