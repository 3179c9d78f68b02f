"""Tournaments: entries, pairings, results and standings of many matches."""
