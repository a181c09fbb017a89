"""From a composed configuration to a checked setup: its values, its parts, and what belongs together."""
