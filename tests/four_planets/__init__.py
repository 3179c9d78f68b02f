"""What is known of Four Planets by hand."""
