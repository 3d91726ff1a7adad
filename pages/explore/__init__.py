"""What can happen: every outcome and every answer, explored."""
