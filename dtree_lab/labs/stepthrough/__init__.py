"""Step through an algorithm by the events that it emitted while it ran."""
