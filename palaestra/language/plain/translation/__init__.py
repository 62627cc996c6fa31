"""The translation of methods into functions of state, arguments and random numbers.

Start with `entry`, which begins at `reset` and `step`. A function is a `Body`, whose bases each know a part of the
language: `body`, `loops`, `branches`, `statements` and `assignments`; then `expressions`, `comparisons`, `conditions`,
`arithmetic`, `attributes`, `items` and `evaluation`; last `scope`, the variables and the statements written so far.
`kinds` are the types of values, and `unit` is all that belongs to one environment. The other modules need several of
these: `places` translates the attributes of self, `storing` and `indexing` elements, `building` new arrays, `iteration`
the range of a loop, `containing` the word `in`, `functions` calls of the user's own.
"""
