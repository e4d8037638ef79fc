"""The command ``dtree-lab``."""
