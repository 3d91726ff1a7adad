"""Model checking of conversations: every outcome and every answer, by the code that runs live."""
