"""Parts that all vector environments share.

`requests` and `actions` check the arguments of a call before any environment moves; `member` steps one environment of a
batch, by the table of autoreset modes; `infos` merges infos, `spaces` the spaces of the environments; `trees` maps over
batches that are dicts and tuples of arrays.
"""
