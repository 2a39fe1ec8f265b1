"""Collections: how they are made, put in order and looked up."""
