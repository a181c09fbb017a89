"""The command line around the experiment loop: Hydra's callback, names, complaints, and what is printed."""
