"""Tests of the mail."""
