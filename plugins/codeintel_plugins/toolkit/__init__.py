"""Code that several plugins share: positions, messages, rule tables, and tools as processes."""
