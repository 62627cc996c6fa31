"""Data sets of episodes, in Minari's format: HDF5 files that are complete at every moment.

`data_set` knows the folders, ids and metadata, `recorder` the episodes under way, `columns` and `infos` their values,
`file` and `index` how a file grows, and `encoding` the bytes of its objects.
"""
