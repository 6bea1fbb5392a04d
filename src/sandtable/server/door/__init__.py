"""Around every request: who asks, from where, headers, logs and limits of size."""
