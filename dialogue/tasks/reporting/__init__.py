"""What is told of a task: how it stands, how far it is, and the record that explanations are made from."""
