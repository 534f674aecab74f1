"""How long a test waits for what must happen: long, since the machine may be busy. Only what hangs takes all of it."""

PATIENCE = 120.0  # seconds
