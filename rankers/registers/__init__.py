"""Registers: kinds of text told apart by distinguishing words, and rankers adapted to them."""
