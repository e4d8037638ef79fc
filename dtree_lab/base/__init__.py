"""What every room may use: words, escapes, checks, chance and work on several cores."""
