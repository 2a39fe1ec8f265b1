"""Follow values through code: one intermediate form for many languages, and its interpreter."""
