"""Play by email: letters in, orders played, answers and reports out."""
