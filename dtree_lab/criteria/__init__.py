"""What makes one split better than another."""
