"""Tracking: finished runs are read from their folders and logged to MLflow; what cannot be logged stays pending."""
