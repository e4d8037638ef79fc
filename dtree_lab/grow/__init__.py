"""Growing trees: recipes, the textbook's grower and the fast engine beside it."""
