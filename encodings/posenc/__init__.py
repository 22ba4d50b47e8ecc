"""Position encodings of the Transformer family, one module per scheme; NumPy in, NumPy out, torch in, torch out.

Shapes are written in one alphabet: h heads, n_q queries, n_k keys, d width, i a query's position, j a key's.
An offset is j − i, key minus query; modules whose paper counts the other way translate and say so.

The geometry of a scheme (positions, offsets, buckets, angles, slopes) is NumPy and float64 and is never learned.
Only x, q, k, v and learned tables carry gradients, and they may be NumPy arrays or torch tensors.
`posenc.catalogue` lists the schemes; `posenc.setting` evaluates any of them on a sentence.
"""
