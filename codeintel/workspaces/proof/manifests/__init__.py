"""Reading the dependencies that manifests declare, and asking for their trust."""
