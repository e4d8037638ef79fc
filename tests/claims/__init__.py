"""What the lessons say that rests on chance: each such sentence is tried over twenty seeds."""
