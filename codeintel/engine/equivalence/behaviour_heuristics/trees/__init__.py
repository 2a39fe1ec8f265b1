"""What a program in other languages does, told from its tree."""
