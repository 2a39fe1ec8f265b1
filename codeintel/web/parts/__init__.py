"""Parts that the templates of many pages use: icons and times."""
