"""Who people are: sign-in links, sessions, identities at providers, and what was done in a name."""
