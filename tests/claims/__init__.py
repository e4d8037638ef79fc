"""What the lessons say that rests on chance, tried on seeds that it was not written from."""
