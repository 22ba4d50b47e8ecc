"""RoPE (Su et al. 2021): queries and keys are turned by their positions, so that their product knows only the distance."""

import numpy as np

from explain import parts
from explain.words import number, text
from posenc import precision, rope
from posenc.decay import FAR, points
from posenc.setting import inputs

page = parts.start(rope)
setting = page.setting
sizes = {name: setting.arguments[name] for name in ("rotary_dim", "base")}
parts.position_vectors(page)

# The same encoding with its dimensions in another order; what happens without reordering them; whose frequencies; which way it turns.
q, k, i, j = (inputs(rope, setting)[name] for name in ("q", "k", "i", "j"))
order = rope.permutation(setting.width, sizes["rotary_dim"])
halves = rope.scores(q[..., order], k[..., order], i, j, "half", **sizes)
parts.convention(page, "pairing", rope.scores(q, k, i, j, "interleaved", **sizes), halves)
x, theta = np.array([[1.0, 2, 3, 4]]), rope.angular_frequencies(4)
parts.convention(page, "mixed", *(rope.rotate(x, np.array([1]), theta, pairing) for pairing in rope.PAIRINGS))
parts.convention(page, "partial", rope.angular_frequencies(8, 4), rope.angular_frequencies(8)[:2])
across, along = np.eye(2)[None, :1], np.eye(2)[None, 1:]
behind, ahead = (rope.scores(across, along, np.array([at]), np.array([other])) for at, other in ((2, 1), (1, 2)))
parts.convention(page, "sign", behind, ahead, behind=number(behind.item()), ahead=number(ahead.item()))
parts.terms(page)
parts.bias(page)
parts.decay(page)

# What the turning leaves of a perfect match, all entries 1, as it moves away.
parts.heading(page, "match")
away = points(FAR)
ones = np.ones((1, len(away), setting.width))
score = rope.scores(ones, ones[:, :1], away, away[:1], **sizes)[0, :, 0] / setting.width**0.5
below = away[score <= 0.5]
facts = {"half": number(int(below[0])) if len(below) else text("page", "never"), "low": number(score.min())}
parts.curves(page, "match", away, {"score": score}, text("page", "distance"), page.say("match.score"), log_axes="x", **facts)

# The same table of cosines, with positions or frequencies rounded first.
parts.heading(page, "precision")
turned = sizes["rotary_dim"] or setting.width
rounded = {"float32": ("float32",) * 3, "positions": ("bfloat16", "float32", "float32"), "frequencies": ("float32", "bfloat16", "float32")}
tables = {name: precision.cosines(away[1:], turned, sizes["base"], *steps) for name, steps in rounded.items()}
errors = {name: np.maximum.accumulate(precision.error(table, away[1:], turned, sizes["base"])) for name, table in tables.items()}
facts = {name: number(error[-1], 2) for name, error in errors.items()}
parts.curves(page, "precision", away[1:], errors, text("page", "position"), page.say("precision.error"), log_axes="xy", **facts)
parts.closing(page)
