"""Everything that is said about agents: who was chosen and why, what they replied, and what is wrong with them."""
