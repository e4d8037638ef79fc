"""A random forest as it grows: its out-of-bag error, votes, importances and missing values."""
