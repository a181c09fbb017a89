"""The baseline: the accepted run of a dataset, registered in MLflow and kept as a portable report."""
