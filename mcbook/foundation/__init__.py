"""What every chapter stands on; it knows no chapter."""
