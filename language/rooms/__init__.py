"""What is said in rooms: speech acts about topics, who is named, values, and questions about who may speak."""
