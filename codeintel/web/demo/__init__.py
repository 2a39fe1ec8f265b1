"""The demo in pages: its own page, and the marks on other pages that show its data."""
