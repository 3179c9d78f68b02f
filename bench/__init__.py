"""The measurements behind bench/README.md; `python -m bench` makes them."""
