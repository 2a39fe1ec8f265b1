"""Checks of the machine, its files, the installation, settings and plugins."""
