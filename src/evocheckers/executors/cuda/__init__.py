"""The CUDA C++ source that plays batches on a GPU, and how Python hands it a batch.

The same source compiles for a CPU (see ``lanes.h``), so that it can be checked without a GPU.
"""
