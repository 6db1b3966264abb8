"""What one seat may see and know."""
