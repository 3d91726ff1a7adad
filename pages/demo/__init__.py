"""Demo: scripted conversations that play by themselves."""
