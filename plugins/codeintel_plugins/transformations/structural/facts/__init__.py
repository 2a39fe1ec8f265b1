"""Facts about a program that conditions of rules ask for."""
