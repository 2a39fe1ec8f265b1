"""Headers, hosts and origins: what browsers and proxies are told, and what is refused."""
