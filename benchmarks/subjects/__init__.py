"""What is measured. Every interpreter runs these same files, so they use nothing but the API and NumPy.

A subject is a context: what it yields does an amount of work, and returns the cost of one, in seconds or bytes.
"""
