"""Plans: solved for, put in order, validated, compared with their alternatives."""
