"""ShellCheck, for scripts."""
