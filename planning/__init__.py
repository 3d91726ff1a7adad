"""How to compose what can be done: from catalog, situation and goal to a plan, its landmarks, or what is missing."""
