"""The state of a conversation, folded from its log."""
