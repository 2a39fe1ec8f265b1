"""Read the dependencies that manifests declare, and look up their trust."""
