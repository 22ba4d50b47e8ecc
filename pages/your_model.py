"""The reader's own model: its position table or its bias by distance, out of a file that is read as numbers and nothing else."""

from explain import parts
from posenc import spectrum, t5

page = parts.topic("your_model")
parts.heading(page, "upload")
table = parts.own_table()
for vectors in parts.as_rows(table):
    parts.heading(page, "vectors")
    parts.rows(page, [vectors])
for bias in parts.as_buckets(table):
    parts.heading(page, "biases")
    parts.buckets(page, bias, parts.head(bias.values.shape[1]))
parts.heading(page, "cut")
parts.cutter()
parts.behind(page, spectrum, t5)
