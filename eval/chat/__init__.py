"""Chat models: what is asked of them and what comes back, whoever answers; and a scripted one that needs nobody."""
