"""What a Python program does, told from its syntax."""
