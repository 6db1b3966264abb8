"""Tables that are being played, without the web."""
