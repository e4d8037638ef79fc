"""A threshold to drag on one continuous attribute, and the bell curves of its classes."""
