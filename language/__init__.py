"""Natural language understanding and generation: utterances to interpretations, and everything the assistant says."""
