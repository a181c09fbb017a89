"""The system under test and the running of it: stages, experiment loop, tracking, command line."""
