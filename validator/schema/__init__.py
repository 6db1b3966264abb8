"""JSON Schemas for the YAML of rulesets."""
