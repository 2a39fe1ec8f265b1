"""Small things that stand alone: errors, versions, timestamps, words and logs."""
