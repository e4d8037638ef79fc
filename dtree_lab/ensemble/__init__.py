"""Many trees that answer together: bags, forests, boosting."""
