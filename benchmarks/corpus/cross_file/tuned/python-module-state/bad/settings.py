theme = "plain"
