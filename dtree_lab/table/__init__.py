"""Tables, and every way into one."""
