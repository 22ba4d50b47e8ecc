"""ALiBi (Press et al. 2022): a fixed slope per head times the distance, subtracted from the logits."""

import numpy as np

from explain import figures, parts
from explain.words import number, text
from posenc import alibi
from posenc.attention import softmax, visible
from posenc.measure import drawn

page = parts.start(alibi)
heads = page.setting.heads
slopes = alibi.slopes(heads)
m = slopes[page.setting.head]

# The heads beyond the largest power of two take their slopes from a second series: shown as a group of its own.
power = 2 ** (heads.bit_length() - 1)
groups = {page.say("series.first", power=power): range(power), page.say("series.second", power=2 * power): range(power, heads)}
figure = figures.bars(
    [(name, np.array(group) + 1, slopes[list(group)]) for name, group in groups.items() if group],
    x_title=text("page", "head.title"),
    y_title=page.say("slope"),
    log_y=True,
)
parts.instead(page, figure, low=number(slopes.min()), high=number(slopes.max()), heads=heads, power=power, second=heads - power)
parts.terms(page)

# The paper's −m(i − j) and the code's +m·j, put through a softmax with and without a causal mask, for queries all over the text.
i, j = drawn(page.setting.length, 64), np.arange(page.setting.length)
full, key_only = alibi.bias(i[:, None], j, heads), np.broadcast_to(alibi.key_only_bias(j, heads)[:, None], (heads, len(i), len(j)))
for key, mask in (("causal", visible(i, j, causal=True)), ("both_ways", visible(i, j, causal=False))):
    parts.convention(page, key, softmax(full, mask), softmax(key_only, mask))
parts.bias(page, groups=groups, slope=number(m), half=number(np.log(2) / m))
parts.decay(page)
parts.closing(page)
