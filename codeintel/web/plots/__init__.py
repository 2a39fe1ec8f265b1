"""Plots as SVG: pure functions from data to markup. Colors and type come from the styles, so that
a plot follows the theme; each has a title and a description, and the page tells the same in text.
"""
