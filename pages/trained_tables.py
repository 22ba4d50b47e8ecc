"""What training made of position: MPNet's bias by distance, and the position tables of MiniLM and MPNet."""

import numpy as np

from explain import parts, weights
from posenc import spectrum, t5

page = parts.topic("trained_tables")
table = weights.tensor("all-mpnet-base-v2", "encoder.relative_attention_bias.weight")
parts.heading(page, "biases")
parts.buckets(page, parts.Buckets("MPNet", table, max_distance=128, causal=False), parts.head(table.shape[1]))

minilm, mpnet = (weights.tensor(model, weights.POSITIONS) for model in ("all-MiniLM-L6-v2", "all-mpnet-base-v2"))
parts.heading(page, "tables")
parts.rows(page, [parts.Rows(name, rows, np.arange(len(rows))) for name, rows in (("MiniLM", minilm), ("MPNet", mpnet))])

parts.question(page)
parts.behind(page, t5, spectrum)
