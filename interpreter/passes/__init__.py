"""From plan to plan: each pass says the same in fewer steps."""
