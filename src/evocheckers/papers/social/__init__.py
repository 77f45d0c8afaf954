"""The paper of B. Al-Khateeb and G. Kendall on C10-RR.

*Introducing a Round Robin Tournament into Evolutionary Individual and Social Learning Checkers*.
"""
