"""The papers of K. Chellapilla and D. B. Fogel.

``Expert`` is *Evolving an Expert Checkers Playing Program without Using Human Expertise*; ``Hoyle`` is *Anaconda
Defeats Hoyle 6-0: A Case Study Competing an Evolved Checkers Program against Commercially Available Software*.
"""
