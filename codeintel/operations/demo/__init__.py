"""The demo: a sample project with its reports and runs, and recorded evidence about packages."""
