"""What lasts of tables: how they were set up, who may sit there, what was done; and the rules they are played by."""
