"""What people are told when they are not at the table."""
