"""Rules changed a little, one change at a time, and which of them no scenario notices."""
