"""Dialogue acts: answers, corrections, questions and instructions about the conversation itself."""
