"""Agents and orchestrators behind the services: which there are, who takes part, and where they come from."""
