"""KERPLE (Chi et al. 2022): a learned penalty per head that grows with the logarithm of the distance, or with a power of it."""

import numpy as np

from explain import figures, parts
from explain.words import number, text
from posenc import alibi, kerple
from posenc.setting import tables

page = parts.start(kerple)
setting = page.setting
heads, kernel = np.arange(setting.heads), setting.arguments["kernel"]

learned = tables(kerple, setting, heads)
p, a = kerple.clamped(learned["p"], learned["a"], kernel)
figure = figures.bars([("p", heads + 1, p), ("a", heads + 1, a)], x_title=text("page", "head.title"), y_title=page.say("value"))
own = {"head": setting.head + 1, "p": number(p[setting.head]), "a": number(a[setting.head])}
parts.instead(page, figure, heads=setting.heads, **own)

# The drawn head's p and a in both kernels, and ALiBi's straight line of slope a, which is the power p = 1.
parts.heading(page, "kernels")
distance = np.arange(setting.length)
p, a = p[[setting.head]], a[[setting.head]]
curves = {form: kerple.bias(distance, 0, p, a, form)[0] for form in kerple.KERNELS}
curves["line"] = kerple.bias(distance, 0, np.ones(1), a, "power")[0]
facts = {form: number(curve[-1]) for form, curve in curves.items()} | own
parts.curves(page, "kernels", distance, curves, text("page", "distance"), page.say("penalty"), far=len(distance) - 1, **facts)

# Power 1 is ALiBi wherever the slopes are not below the floor; the released "original" is ALiBi with that floor.
slopes = alibi.slopes(setting.heads)
steep = heads[slopes >= kerple.LEAST]
power_1 = kerple.bias(distance, 0, np.ones(len(steep)), slopes[steep], "power")
parts.convention(page, "alibi", power_1, alibi.bias(distance, 0, setting.heads, steep), count=len(steep), heads=setting.heads)
floored = kerple.original_bias(distance, 0, setting.heads)
flat = setting.heads - len(steep)
parts.convention(page, "floor", floored, alibi.bias(distance, 0, setting.heads), count=flat, heads=setting.heads, far=len(distance) - 1)
parts.terms(page)
parts.bias(page, **own)
parts.decay(page)
parts.closing(page)
