"""Referee runs board games by email: signed saves, redacted reports, order lines checked against the rules."""

__version__ = "0.1.0"
