"""Commands beside a dashboard that holds an embedded store run in its process, through a socket beside the database."""
