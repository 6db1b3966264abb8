"""From declarations to the world: every sort, thing, number, field and place of the state."""
