"""What is done with the tables and the records: reading, comparing, judging; and the synthetic experiment."""
