"""Update rules: how facts, goals and constraints change."""
