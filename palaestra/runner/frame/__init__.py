"""The frame: what stands around the dynamics of a batch, as functions in the language.

`steps` is the frame itself, and runs in Python too; `batch` says where the columns are; `kernels` makes machine code.
"""
