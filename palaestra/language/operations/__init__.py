"""The table of operations: everything that an object can be asked to do, each defined in one place.

`table` holds the entries; each module here adds those of one subject.
"""
