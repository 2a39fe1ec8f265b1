"""`/playground`: code in, findings or changed code out."""
