"""The widgets: each a model that knows no Jupyter, a thin widget, and a view."""
