"""The claims of the chapter on replication."""
