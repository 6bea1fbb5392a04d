"""What people do: begin, join, move, take back, end, look back."""
