"""The front end: Python's syntax trees as a typed program, or refusals.

`building` writes statements and follows variables through branches and loops; `statements` and `expressions` have a
handler for each form of syntax; `calling` writes called functions where they are called; `entry` begins.
"""
