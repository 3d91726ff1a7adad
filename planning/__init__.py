"""Planning: from catalog, situation and goal to a plan, its landmarks, or a diagnosis of what is missing."""
