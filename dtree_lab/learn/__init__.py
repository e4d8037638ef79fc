"""Growing trees: recipes, the textbook grower and its fast twin."""
