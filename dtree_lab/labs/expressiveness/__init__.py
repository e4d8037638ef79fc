"""What trees can say, and how large they become: OR, XOR, and one derived feature."""
