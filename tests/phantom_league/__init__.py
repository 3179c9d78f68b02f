"""What is known of The Phantom League by hand, and how it is played by scripts."""
