"""Files to rows and values, whatever format they are of; each row with its place."""
