"""Compiling Python functions to machine code: the decorators, their cache, and operations that Numba lacks."""
