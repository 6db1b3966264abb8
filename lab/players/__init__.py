"""Players that think ahead."""
