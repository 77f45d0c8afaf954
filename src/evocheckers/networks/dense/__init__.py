"""Horgan's network: 512 or 128 binary inputs, 10, 10, one output."""
