"""Where agents and orchestrators come from: folders that are dropped in, and skills and catalogs that are wrapped."""
