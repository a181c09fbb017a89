"""Chat models behind HTTP, and the desk that every call goes through: cache, cap, limits, retries, bills."""
