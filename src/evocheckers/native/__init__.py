"""How Python functions become machine code: the decorator and its cache, and the operations that Numba lacks."""
