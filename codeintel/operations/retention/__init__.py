"""How long records are kept that nothing needs any more."""
