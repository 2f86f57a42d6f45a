"""What other systems leave behind, read into cases and traces."""
